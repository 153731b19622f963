# SPDX-License-Identifier: BSD-3-Clause
"""What is held against what, and the arithmetic of it; nothing here measures."""
import dataclasses
import math
import statistics

BAR_CLOCK = 0.97  # of clock x lanes x pipes x 2
BAR_PEER = 0.98   # of each peer
BAR_MEAN = 1.00   # geometric mean over the bandwidths against likwid-bench
# So many variants, the best at first sight, are measured in every round and the best counts: one
# look alone picks the wrong one when a neighbour disturbs it.
CONTENDERS = 3

LANES = {"dp": {"scalar": 1, "128": 2, "256": 4, "512": 8},
         "sp": {"scalar": 1, "128": 4, "256": 8, "512": 16}}
# likwid-bench has fused variants of the wide widths only: what it counts the narrow ones by are
# multiplications and additions.
PEAK_TESTS = {("fma", "256"): "avx_fma", ("fma", "512"): "avx512_fma",
              ("muladd", "scalar"): "", ("muladd", "128"): "sse"}
BANDWIDTH_TESTS = {
    "read": ["load", "load_sse", "load_avx", "load_avx512", "load_mem"],
    "copy": ["copy", "copy_sse", "copy_avx", "copy_avx512"],
    "triad": ["stream", "stream_sse", "stream_avx", "stream_avx512", "stream_sse_fma",
              "stream_avx_fma", "stream_avx512_fma"],
    "triad_nt": ["stream_mem", "stream_mem_sse", "stream_mem_avx", "stream_mem_avx512",
                 "stream_mem_sse_fma", "stream_mem_avx_fma"],
}
# Kernels of roofmark that move the same bytes as STREAM's.
STREAM_TWINS = {"Copy": "copy", "Scale": "copy", "Add": "triad", "Triad": "triad"}
# What stands beside ERT, whose bytes all move, as it reads what it writes: the kernel, and its traffic over the bytes
# of its source. In L1 there is nothing to fetch a line into, and stores past the caches fetch nothing.
ERT_BESIDE = {"L1": ("copy", 1), "DRAM": ("triad_nt", 1)}
ERT_BESIDE_IN_CACHES = ("copy", 1.5)
# Of an element, as ERT's own configurations take them; the best of these counts.
ERT_FLOPS = (16, 64, 256)
BLOCK = 3072  # bytes: three arrays of whole blocks of roofmark's kernels and of likwid-bench's loops


def peak_test(precision, kind, width):
    suffix = PEAK_TESTS.get((kind, width))
    if suffix is None:
        return None
    return "_".join(part for part in ("peakflops", "sp" if precision == "sp" else "", suffix) if part)


def working_sets(caches, cores, dram_bytes):
    """{level: bytes per core}: half of L1, of L2's share somewhat less, and far beyond the last."""
    share = lambda cache: cache["bytes"] // min(cache["shared_by_cores"], cores)
    sets = {}
    for cache in caches:
        if cache["level"] <= 2:
            part = 0.5 if cache["level"] == 1 else 0.375
            sets[f"L{cache['level']}"] = int(part * share(cache)) // BLOCK * BLOCK
    sets["DRAM"] = dram_bytes // BLOCK * BLOCK
    return sets


def count_pipes(rates, per_pipe):
    """As many pipes as the rate fills, at least one; both round by round."""
    return max(1, round(statistics.median(r / p for r, p in zip(rates, per_pipe, strict=True))))


def contenders(rates):
    """Names in {name: rate} that may be the best one."""
    return sorted(rates, key=rates.get, reverse=True)[:CONTENDERS]


def best_of(series):
    """The name with the highest median in {name: [rate of each round]}."""
    return max(series, key=lambda name: statistics.median(series[name]))


def copy_allocates(copy, scale, by_call):
    """Copy and Scale move the same; a call of memcpy that is clearly faster than Scale stores past
    the caches and spares the reading of what it overwrites."""
    return not by_call or copy <= 1.15 * scale


@dataclasses.dataclass
class Row:
    group: str   # "FMA of the clock", "L1", "STREAM" ...
    what: str
    ours: float  # medians over the rounds
    p95: float
    peer: float
    peer_name: str
    ratio: float  # median over the rounds of the ratios within one
    bar: float
    note: str = ""
    lowest: float = 0   # of the rounds' ratios
    highest: float = 0

    @property
    def holds(self):
        return self.ratio >= self.bar


def make_row(group, what, series, ours, peer_name, peer, bar, note=""):
    """`series`: figures round by round, ours under the name `ours`; `peer`: measured beside them."""
    ratios = [o / p for o, p in zip(series[ours], peer, strict=True)]
    ratio = statistics.median(ratios)
    return Row(group, what, statistics.median(series[ours]),
               statistics.median(series[ours + ", p95"]), statistics.median(peer), peer_name, ratio,
               bar, note, min(ratios), max(ratios))


def scaled(series, name, factor):
    """The same series with the figures of ours under `name` times a factor."""
    return {**series, **{key: [factor * figure for figure in series[key]] for key in (name, name + ", p95")}}


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))
