# SPDX-License-Identifier: BSD-3-Clause
"""Counts of marked regions under an engine, from the roofline file, and what those of two engines differ by."""
import json
import os
import re
import subprocess

# What is executed, and not where data was: work, and apart from it MPI and runtimes.
COUNTED = re.compile(r"visits$|flops_[dsh]p_|(\w+_)?instructions$|(nt_)?(loads|stores)_bytes$|in_(mpi|runtime)_flops$")
# The same code in libc and OpenBLAS under both: Valgrind's processor has no AVX-512.
SAME_CODE = {
    "OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_NUM_THREADS": "1", "LD_BIND_NOW": "1",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512CD,-AVX512DQ,-RTM,-Prefer_No_VZEROUPPER,"
                      "-ERMS,-FSRM",
}


def execute(engine, command, output, variables=None):
    """Counts every region: path -> {metric: sum}, of all ranks and threads; and what the engine says is incomplete."""
    if os.path.exists(output):
        os.remove(output)
    environment = {**os.environ, **SAME_CODE, **(variables or {}), "ROOFMARK_COLLECTOR": "counting",
                   "ROOFMARK_ENGINE": engine, "ROOFMARK_COUNT": "flops", "ROOFMARK_QUIET": "1",
                   "ROOFMARK_OUTPUT": output}
    subprocess.run(list(map(str, command)), env=environment, check=True, stdout=subprocess.DEVNULL)
    with open(output, encoding="utf-8") as file:
        job = json.load(file)
    counted = {path["path"]: {name: cell["sum"] for name, cell in path["metrics"].items()
                              if COUNTED.match(name) and cell["sum"]}
               for path in job["paths"]}
    facts = job["run"]["passes"][0]["facts"]
    if facts.get("engine") != engine:
        raise SystemExit(f"{command[0]}: counted by {facts.get('engine', 'nothing')}, not by {engine}")
    return counted, facts.get("incomplete", "")


def classes(counters):
    """The floating-point operations alone, by precision, width and kind."""
    return {name: value for name, value in counters.items() if re.match("flops_[dsh]p_", name)}


def differences(one, other):
    """'name: a, b' of each count that differs."""
    return [f"{name}: {one.get(name, 0)}, {other.get(name, 0)}" for name in sorted(one.keys() | other.keys())
            if one.get(name, 0) != other.get(name, 0)]
