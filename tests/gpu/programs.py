# SPDX-License-Identifier: BSD-3-Clause
"""The marked CUDA programs in benchmarks/gpu, and the compiler that builds them."""
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "benchmarks" / "gpu"

# What nvcc is told wherever these programs are compiled: the same code is counted and checked.
FLAGS = ["-O3", "-std=c++17", "-I", str(ROOT / "include")]

# Floating-point instructions of each program's kernel, by the name that PTX gives them.
ARITHMETIC = {
    "triad": {"fma.rn.f64": 1},
    "gemm": {"fma.rn.f64": 1},
    "reduction": {"add.rn.f64": 2},
}


def find_nvcc():
    """In PATH, in $CUDA_HOME or where CUDA is installed by default; None if it is nowhere."""
    homes = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    for home in [*homes, "/usr/local/cuda"]:
        compiler = pathlib.Path(home) / "bin" / "nvcc"
        if compiler.is_file() and os.access(compiler, os.X_OK):
            return str(compiler)
    return shutil.which("nvcc")


def compile_with(nvcc, program, output, *options):
    """Raises with what nvcc said if it fails."""
    ended = subprocess.run([nvcc, *FLAGS, *options, str(SOURCES / f"{program}.cu"), "-o", str(output)],
                           capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise RuntimeError(f"nvcc cannot compile {program}.cu: {ended.stderr}")
