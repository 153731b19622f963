# SPDX-License-Identifier: BSD-3-Clause
"""Runs of machine_kernel, likwid-bench, STREAM and ERT, each giving {name: figure}.

Figures are GFLOP/s, or GB/s of the bytes that the source names; machine_kernel's are the median of
its samples, its peers' the mean over a run of the same length.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess


class Missing(Exception):
    """A peer cannot be run; the text says why."""


def run(command, environment=None):
    try:
        out = subprocess.run(command, env={**os.environ, **(environment or {})}, check=True,
                             capture_output=True, text=True, timeout=120)
    except (OSError, subprocess.SubprocessError) as error:
        text = (getattr(error, "stderr", None) or "").strip().splitlines()
        raise Missing(f"{os.path.basename(command[0])}: {text[-1] if text else error}") from error
    return out.stdout


# --- roofmark

class Ours:
    """A kernel of roofmark: its median under `name`, beside the 95th percentile and the clock."""

    def __init__(self, program, name, arguments, seconds):
        self.name = name
        self.command = [program] + arguments + ["--seconds", str(seconds)]

    def measure(self):
        answer = json.loads(run(self.command))
        return {self.name: answer["median"], self.name + ", p95": answer["value"],
                self.name + ", GHz": answer["ghz"]}


def describe(program):
    return json.loads(run([program, "describe"]))


# --- likwid-bench

def parse_likwid(text):
    """(seconds, GFLOP/s, GB/s) of a run."""
    field = lambda name: float(re.search(rf"^{re.escape(name)}:\s+([0-9.e+-]+)", text, re.M)[1])
    return field("Time"), field("MFlops/s") / 1000, field("MByte/s") / 1000


class Likwid:
    """A test of likwid-bench on `size` bytes per thread. Its -s takes whole seconds and reads 0.3 as
    0, so iterations are given, as many as a short first run says; that run also tells whether
    the CPU can execute the test and how fast it roughly is."""

    def __init__(self, test, size, threads, seconds):
        self.name, self.test = "likwid-bench " + test, test
        # Memory is touched first by its users (-W) where there are several.
        switch = "-W" if threads > 1 else "-w"
        kilobytes = -(-size * threads // 1000)
        self.command = ["likwid-bench", "-t", test, switch, f"N:{kilobytes}kB:{threads}", "-i"]
        self.iterations = max(4, int(4e9 / (size * threads)))
        took, *rates = self.once()
        self.first_look = self.figure(*rates)
        self.iterations = max(4, int(self.iterations * seconds / max(took, 1e-4)))

    def once(self):
        return parse_likwid(run(self.command + [str(self.iterations)]))

    def figure(self, gflops, gbytes):
        return gflops if "peakflops" in self.test else gbytes

    def measure(self):
        _, *rates = self.once()
        return {self.name: self.figure(*rates)}


def likwid_tests():
    if shutil.which("likwid-bench") is None:
        raise Missing("likwid-bench is not installed (Debian: likwid)")
    return set(re.findall(r"^(\w+) - ", run(["likwid-bench", "-a"]), re.M))


# --- STREAM

STREAM_KERNELS = ("Copy", "Scale", "Add", "Triad")
STREAM_BYTES = {"Copy": 16, "Scale": 16, "Add": 24, "Triad": 24}  # of an element, as named


def parse_stream(text, elements):
    """{kernel: GB/s} from the table's second column, the mean time of a pass."""
    rates = {}
    for kernel in STREAM_KERNELS:
        row = re.search(rf"^{kernel}:\s+\S+\s+([0-9.]+)", text, re.M)
        rates["STREAM " + kernel] = STREAM_BYTES[kernel] * elements / float(row[1]) * 1e-9
    return rates


class Stream:
    """STREAM, compiled for its size as its authors ask for. `copies_by_call`: the compiler made a
    call of memcpy out of Copy."""

    def __init__(self, source, directory, bytes_per_thread, threads):
        compiler = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
        if compiler is None:
            raise Missing("there is no C compiler for STREAM; set CC")
        self.elements = bytes_per_thread * threads // 24
        self.program = os.path.join(directory, f"stream_{threads}")
        run([compiler, "-O3", "-march=native", "-fopenmp", "-mcmodel=medium",
             f"-DSTREAM_ARRAY_SIZE={self.elements}", "-DNTIMES=10", source, "-o", self.program,
             "-lm"])
        self.environment = {"OMP_NUM_THREADS": str(threads), "OMP_PLACES": "cores",
                            "OMP_PROC_BIND": "close"}
        self.copies_by_call = bool(re.search(r"\bmem(cpy|move)\b", run(["nm", "-u", self.program])))

    def measure(self):
        return parse_stream(run([self.program], self.environment), self.elements)


# --- The Empirical Roofline Tool (ERT)

def parse_ert(text, working_sets):
    """({level: GB/s}, GFLOP/s): of the working set next to each level's size, with most trials; the best of all."""
    rows = [[float(word) for word in words] for words in map(str.split, text.splitlines())
            if len(words) == 5 and words[0].isdigit()]
    rows = [row for row in rows if row[2] > 0]  # microseconds
    bandwidths = {}
    for level, size in working_sets.items():
        near = min(rows, key=lambda row: (abs(row[0] - size), -row[1]))
        bandwidths[level] = near[3] / near[2] / 1000
    return bandwidths, max(row[4] / row[2] / 1000 for row in rows)


def ert_sources(folder):
    """What a compiler is told of ERT's driver and kernel in a checkout: of several versions the newest of those that do
    not lie below another folder."""
    drivers = sorted(pathlib.Path(folder).rglob("Drivers/driver1.c"), key=lambda file: (-len(file.parts), file))
    if not drivers:
        raise Missing(f"no Drivers/driver1.c in {folder}: --ert takes a checkout of ERT")
    root = drivers[-1].parents[1]
    return [f"-I{root}/Kernels", f"-I{root}/Drivers", f"{root}/Drivers/driver1.c", f"{root}/Kernels/kernel1.c"]


# GCC at -O3 executes two trials of ERT's kernel as one pass over the array, which moves half of the bytes that ERT
# counts: 217 GB/s in place of 115 from the L2 of a Granite Rapids, until it leaves the loop as it is written.
AS_WRITTEN = "-fno-loop-unroll-and-jam"


def knows(compiler, option):
    return subprocess.run([compiler, option, "-E", "-x", "c", os.devnull], capture_output=True).returncode == 0


class Ert:
    """ERT's driver and kernel of `folder`, compiled for one number of FLOPs per element as its configurations do.
    It sweeps over all sizes up to `most` bytes of a thread, and reads and writes one array."""

    def __init__(self, folder, directory, flops, threads, working_sets, most):
        compiler = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
        if compiler is None:
            raise Missing("there is no C compiler for ERT; set CC")
        self.flops, self.working_sets = flops, {level: size * threads for level, size in working_sets.items()}
        self.program = os.path.join(directory, f"ert_{flops}_{threads}")
        smallest = min(working_sets.values()) // 8 if working_sets else 512
        run([compiler, "-O3", "-march=native", "-fopenmp", "-DERT_OPENMP", f"-DERT_FLOP={flops}", "-DERT_ALIGN=64",
             f"-DERT_MEMORY_MAX={most * threads}", f"-DERT_WORKING_SET_MIN={smallest}", "-DERT_TRIALS_MIN=1",
             *([AS_WRITTEN] if knows(compiler, AS_WRITTEN) else []), *ert_sources(folder), "-o", self.program])
        self.environment = {"OMP_NUM_THREADS": str(threads), "OMP_PLACES": "cores", "OMP_PROC_BIND": "close"}

    def measure(self):
        bandwidths, gflops = parse_ert(run([self.program], self.environment), self.working_sets)
        return {**{f"ERT {level}": rate for level, rate in bandwidths.items()}, f"ERT {self.flops} FLOPs": gflops}
