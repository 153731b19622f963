# SPDX-License-Identifier: BSD-3-Clause
"""The Empirical Roofline Tool on a GPU, beside the ceilings of `roofmark machine --gpu`."""
import os
import sys

import ceilings
import programs

sys.path.insert(0, str(programs.ROOT / "benchmarks" / "machine" / "peers"))
import peers  # noqa: E402 pylint: disable=wrong-import-position

MOST_BYTES = 1 << 30
# Blocks and threads, as ERT's own configurations try them: the best counts.
GRIDS = [(640, 256), (1280, 512), (2560, 1024)]
# FLOPs for each element, what they show, and the ceilings whose best stands beside it.
KERNELS = [(1, "DRAM", "bandwidth.DRAM."), (1024, "double", "compute.dp.fma")]
# Of ERT's figure a ceiling has at least so much.
BAR = 0.95


def command(nvcc, folder, flops, program, architecture="native"):
    """Compiles ERT's driver and kernel of this checkout."""
    return [nvcc, "-x", "cu", "-O3", "-w", f"-arch={architecture}", "-DERT_GPU=1", f"-DERT_FLOP={flops}",
            "-DERT_ALIGN=32", f"-DERT_MEMORY_MAX={MOST_BYTES}", "-DERT_WORKING_SET_MIN=1048576", "-DERT_TRIALS_MIN=1",
            *peers.ert_sources(folder), "-o", program]


def measure(nvcc, folder, directory):
    """{what: the best of all grids}. Raises peers.Missing."""
    figures = {}
    for flops, what, _ in KERNELS:
        program = os.path.join(directory, f"ert_{flops}")
        peers.run(command(nvcc, folder, flops, program))
        for blocks, threads in GRIDS:
            bandwidths, gflops = peers.parse_ert(peers.run([program, str(blocks), str(threads)]), {"DRAM": MOST_BYTES})
            figures[what] = max(figures.get(what, 0), bandwidths["DRAM"] if what == "DRAM" else gflops)
    return figures


def compare(figures, gpu):
    """A line for each figure beside the ceiling, and how many ceilings are too low."""
    lines, low = [], 0
    for _, what, ceiling in KERNELS:
        ours = [ceilings.best(each)["value"] for each in gpu["ceilings"]
                if each["id"] == ceiling or each["id"].startswith(ceiling.rstrip(".") + ".")]
        right = bool(ours) and max(ours) >= BAR * figures[what]
        low += not right
        lines.append(f"ERT, {what:8} {figures[what]:12.2f} beside {max(ours, default=0):12.2f} "
                     f"{'ok' if right else 'WRONG'}")
    return lines, low
