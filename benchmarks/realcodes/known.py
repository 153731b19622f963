# SPDX-License-Identifier: BSD-3-Clause
"""What kernels of the codes must multiply and divide, whatever their instructions are.

Additions are left out: a vectorised sum adds up its lanes at the end, and how many there are the compiler chooses.
"""
import re


def cube(n):
    return n**3


def entries(n):
    """Entries that are not zero of a matrix whose rows are the points of an n × n × n grid and have 27 points each,
    less at the border."""
    return cube(3 * n - 2)


def hpcg(n):
    """region -> (visits for which the rest holds, multiplications, divisions), of one rank with n × n × n points. Four
    levels of the multigrid are visited in turn, all but the coarsest with two sweeps of SYMGS forwards and back; each
    row multiplies its entries, adds its own diagonal back and divides by it."""
    fine, coarsest = [n, n // 2, n // 4], n // 8
    sweeps = [(level, 4) for level in fine] + [(coarsest, 2)]
    return {
        "ddot": (1, cube(n), 0),
        "waxpby": (1, cube(n), 0),
        "spmv": (1, entries(n), 0),
        "mg/spmv": (3, sum(map(entries, fine)), 0),
        "mg/symgs": (7, sum(times * (entries(level) + cube(level)) for level, times in sweeps),
                     sum(times * cube(level) for level, times in sweeps)),
    }


def minife(n):
    """The same of one rank with n × n × n elements."""
    return {"matvec": (1, entries(n + 1), 0), "dot": (1, cube(n + 1), 0), "dot_r2": (1, cube(n + 1), 0),
            "daxpby": (1, cube(n + 1), 0)}


KNOWN = {"hpcg": hpcg, "minife": minife}


def work_of(counters):
    """(multiplications, divisions); a fused operation is counted as two."""
    def of(kind):
        return sum(value for name, value in counters.items() if re.match(rf"flops_[dsh]p_\w+_{kind}$", name))
    return of("mul") + of("fma") // 2, of("div")


def expected(path, visits, forms):
    """(multiplications, divisions) of so many visits, or None where nothing is known."""
    names = path.split("/")
    for name in ("/".join(names[-2:]), names[-1]):
        if name in forms:
            each, products, divisions = forms[name]
            return visits * products // each, visits * divisions // each
    return None
