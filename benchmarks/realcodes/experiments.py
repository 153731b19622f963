# SPDX-License-Identifier: BSD-3-Clause
"""What proves, without roofmark, what limits the functions of a code.

Each variant changes one thing of a code. A function that becomes faster without a thing is limited by it; results of
most variants are wrong, and only their times are of use.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    name: str
    changes: tuple = ()  # (file, text, its replacement); every occurrence is replaced
    flags: str = ""  # of the compiler, after all others
    beside: str = ""  # what runs on the other CPU meanwhile: "stores" takes memory bandwidth, and no cache
    environment: tuple = ()  # "NAME=value"
    ranks: int = 1


AS_IT_IS = Variant("as it is")
STORES = Variant("beside stores to memory", beside="stores")
# glibc gives large arrays back to the kernel, which then zeroes their pages anew at each allocation.
KEPT_MEMORY = Variant("malloc keeps memory", environment=("MALLOC_MMAP_MAX_=0", "MALLOC_TRIM_THRESHOLD_=8000000000",
                                                          "MALLOC_TOP_PAD_=64000000"))
# In place of 4 KiB: the kernel is asked for them where it gives them to those who ask.
HUGE_PAGES = Variant("huge pages", environment=("GLIBC_TUNABLES=glibc.malloc.hugetlb=1",))
TWO_RANKS = Variant("2 ranks", ranks=2)

EXPERIMENTS = {
    "hpcg": (
        AS_IT_IS, STORES, HUGE_PAGES, TWO_RANKS,
        Variant("no chain of rows", (("src/ComputeSYMGS_ref.cpp", "xv[curCol]", "rv[curCol]"),)),
        Variant("no indirect loads", (("src/ComputeSPMV_ref.cpp", "xv[cur_inds[j]]", "xv[i]"),
                                      ("src/ComputeSYMGS_ref.cpp", "xv[curCol]", "xv[nrow-1-i]"))),
        Variant("2 ranks, no allreduce",
                (("src/ComputeDotProduct_ref.cpp", "MPI_Allreduce(&local_result, &global_result, 1, MPI_DOUBLE, "
                  "MPI_SUM,\n      MPI_COMM_WORLD);", "global_result = 2 * local_result;"),), ranks=2),
    ),
    "lulesh": (
        AS_IT_IS, STORES, HUGE_PAGES, KEPT_MEMORY,
        Variant("no cube roots", (("lulesh.cc", "CBRT(", "("),)),
        Variant("no square roots", (("lulesh.cc", "SQRT(", "("),)),
        Variant("not vectorized", flags="-fno-tree-vectorize -fno-tree-slp-vectorize"),
    ),
    "minife": (
        AS_IT_IS, STORES, HUGE_PAGES, TWO_RANKS,
        Variant("no indirect loads", (("SparseMatrix_functions.hpp", "xcoefs[Acols[i]]", "xcoefs[row]"),)),
        Variant("sums in any order", flags="-ffast-math"),
    ),
    "comd": (
        AS_IT_IS, STORES, HUGE_PAGES,
        Variant("with FMA", flags="-ffp-contract=fast"),
        Variant("no divisions", (("ljForce.c", "r2 = 1.0/r2;", "r2 = 0.2 - 0.005*r2;"),)),
        Variant("no cut-off", (("ljForce.c", "if ( r2 > rCut2) continue;", "r2 = r2 > rCut2 ? rCut2 : r2;"),)),
    ),
}
