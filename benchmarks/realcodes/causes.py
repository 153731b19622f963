# SPDX-License-Identifier: BSD-3-Clause
"""What limits the functions of codes that nobody of this project wrote, and why that is known.

Written down before roofmark's reports of these codes were read, but for symgs of the large size: its first row said
memory alone, and a later experiment without roofmark refuted that. The proofs are ratios of times that `prove`
measured on 2 cores of virtual machines with other load, Zen 4 if nothing else is said (docs/results, pages realcodes
and symgs): the time with one thing changed, over that of the code as it is. Functions for which no such experiment
was decisive are not listed.
"""
from dataclasses import dataclass

# The tables of docs/results, page symgs, are the proof: data alone was changed.
CHAIN_AND_MEMORY = {"chain+DRAM", "DRAM+chain"}
NOT_MEMORY = {"compute", "latency", "L1", "chain", "?"}
CACHES = {"L1", "L2", "L3"}


@dataclass(frozen=True)
class Cause:
    code: str
    size: str
    ranks: int
    function: str
    limits: frozenset  # what the report may say: a mark of its column "limit"
    cause: str
    proof: str
    cpu: str  # it was proved on: a part of the name by which the CPU calls itself


def _row(code, size, ranks, function, limits, cause, proof, cpu="AMD"):
    return Cause(code, size, ranks, function, frozenset(limits), cause, proof, cpu)


def causes_of(code, size, ranks, cpu):
    """Those of the jobs that one thread a rank executed on this CPU. What another one proved need not hold there."""
    return [one for one in CAUSES if (one.code, one.size, one.ranks) == (code, size, ranks) and one.cpu in cpu]


CAUSES = [
    _row("hpcg", "small", 1, "symgs", {"chain"}, "each row waits for the row before",
         "0.59 if rows read another vector"),
    _row("hpcg", "large", 1, "symgs", CHAIN_AND_MEMORY, "the chain of rows and memory together, neither alone",
         "0.90 without the chain, 0.83 with rows from L2, 0.45 without both"),
    _row("hpcg", "large", 1, "spmv", {"DRAM"}, "memory", "1.27 beside stores to memory, 1.27 with a second rank"),
    _row("hpcg", "large", 2, "spmv", {"DRAM"}, "memory", "1.27 beside stores to memory, 1.27 with a second rank"),
    _row("hpcg", "large", 2, "symgs", CHAIN_AND_MEMORY, "the chain of rows and memory together, neither alone",
         "0.88 without the chain, 0.86 with rows from L2, 0.47 without both, beside a second copy"),
    _row("minife", "large", 1, "matvec", {"DRAM"}, "memory", "1.21 beside stores to memory"),
    _row("minife", "large", 1, "daxpby", {"DRAM"}, "memory", "1.60 beside stores to memory"),
    _row("minife", "small", 1, "matvec", NOT_MEMORY | CACHES, "indirect loads from the caches, sums in order",
         "0.65 without indirect loads, 0.84 with sums in any order, 0.99 beside stores to memory"),
    _row("minife", "small", 1, "dot", {"chain"}, "one chain of additions", "0.41 with sums in any order"),
    _row("minife", "small", 2, "dot", {"wait"}, "MPI_Allreduce", "60 times as long with a second rank"),
    _row("minife", "small", 1, "perform_element_loop", NOT_MEMORY, "computation and its dependences",
         "1.00 beside stores to memory, 0.59 with a second rank, 0.84 with sums in any order"),
    _row("minife", "large", 1, "perform_element_loop", NOT_MEMORY, "computation and its dependences",
         "1.05 beside stores to memory, 0.53 with a second rank, 0.85 with sums in any order"),
    _row("lulesh", "large", 1, "CalcHourglassControlForElems", {"kernel"},
         "page faults: its arrays are allocated anew at each call",
         "0.25 to 0.31 if malloc keeps its memory, 0.97 beside stores to memory"),
    _row("lulesh", "large", 1, "CalcFBHourglassForceForElems", NOT_MEMORY, "computation: a fifth of it cube roots",
         "0.81 without cube roots, 0.97 beside stores to memory"),
    _row("lulesh", "small", 1, "CalcFBHourglassForceForElems", NOT_MEMORY | CACHES,
         "computation: a fifth of it cube roots", "0.82 without cube roots, 0.99 beside stores to memory"),
    _row("comd", "small", 1, "ljForce", NOT_MEMORY | {"L2"},
         "distances of pairs beyond the cut-off, and their branches; neither divisions nor a lack of FMA",
         "3.3 if all pairs are computed, 0.95 without divisions, 0.91 with FMA, 0.97 beside stores to memory"),
    _row("comd", "large", 1, "ljForce", NOT_MEMORY | {"L2"},
         "distances of pairs beyond the cut-off, and their branches; neither divisions nor a lack of FMA",
         "2.3 if all pairs are computed, 0.91 without divisions, 0.97 with FMA, 1.07 beside stores to memory"),
    # On a Xeon with slower memory (docs/results, its page realcodes). Other rows have no proof there yet.
    _row("hpcg", "small", 1, "symgs", {"chain"}, "each row waits for the row before",
         "0.69 without the chain, 1.02 with rows from L2", "Intel"),
    _row("hpcg", "large", 1, "symgs", {"DRAM"}, "memory alone",
         "1.05 without the chain, 0.36 with rows from L2, 0.75 in huge pages", "Intel"),
    _row("hpcg", "large", 1, "spmv", {"DRAM"}, "memory", "0.76 in huge pages, as much as symgs", "Intel"),
    _row("minife", "large", 1, "matvec", {"DRAM"}, "memory", "0.63 in huge pages", "Intel"),
    _row("minife", "large", 1, "daxpby", {"DRAM"}, "memory", "0.59 in huge pages", "Intel"),
    _row("lulesh", "large", 1, "CalcHourglassControlForElems", {"kernel"},
         "page faults: its arrays are allocated anew at each call", "0.32 if malloc keeps its memory, 0.45 in huge pages", "Intel"),
]
