# SPDX-License-Identifier: BSD-3-Clause
"""The marked CUDA programs in benchmarks/gpu, what their kernels claim, and the compiler that builds them."""
import itertools
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "benchmarks" / "gpu"

# What nvcc is told wherever these programs are compiled: the same code is counted and checked.
FLAGS = ["-O3", "-std=c++17", "-I", str(ROOT / "include")]

ADD, MUL, FMA = "add.rn.f64", "mul.rn.f64", "fma.rn.f64"
SUB = "sub.rn.f64"


def gpp(frequencies, fused, divide):
    """What each iteration of GPP's one loop does: benchmarks/gpu/gpp.cu."""
    n = frequencies
    division = 4 if divide else 0
    if fused:
        counts = {SUB: n, MUL: 4 + (2 if divide else 3) * n, FMA: 2 + (7 + division) * n}
    else:
        counts = {SUB: 1 + 3 * n, ADD: 1 + 5 * n, MUL: 6 + (9 if divide else 10) * n, FMA: division * n}
    return {(instruction, 1): count for instruction, count in counts.items() if count}


# Of each program the kernels, by a part of their mangled names, and of each kernel its floating-point
# instructions: by the name that PTX gives them and by the number of loops around them. What lies in a
# loop is executed once in each iteration, which the program's `known` lines multiply by. None of them
# is predicated: threads that have no work branch around them.
ARITHMETIC = {
    "triad": {"5Triad": {(FMA, 0): 1}},
    "gemm": {"4Gemm": {(FMA, 2): 1}},
    "reduction": {"3Sum": {(ADD, 1): 2}},
    "stencil": {"7Stencil": {(ADD, 0): 5, (MUL, 0): 1, (FMA, 0): 1}},
    "spmv": {"4Spmv": {(FMA, 1): 1}},
    "gpp": {f"3GppILi{n}ELb{fused}ELb{divide}E": gpp(n, fused, divide)
            for n, fused, divide in itertools.product(range(1, 7), (0, 1), (0, 1))},
    "fft": {},  # cuFFT's kernels are its own
    "dgemm": {},  # and so are those of cuBLAS
    "copies": {},
}

# Libraries of CUDA that a program needs: its header, and how it is linked.
LIBRARIES = {"fft": ("cufft.h", "-lcufft"), "dgemm": ("cublas_v2.h", "-lcublas")}

# What tests/gpu/run executes beside the programs as they are.
ARGUMENTS = {
    "gpp": [[str(n), "1", "1"] for n in range(1, 7)] + [["3", "0", "1"], ["3", "0", "0"], ["3", "1", "0"]] +
           [["3", "1", "1", str(stride)] for stride in (2, 4, 8, 16)],
}


# With several MPIs beside each other Debian names each.
MPI_COMPILERS = ["mpicxx", "mpicxx.openmpi", "mpicxx.mpich"]


def with_mpi(compiler):
    """What nvcc is told for jobs."""
    return ["-DWITH_MPI", "-ccbin", compiler]


def find_nvcc():
    """In PATH, in $CUDA_HOME or where CUDA is installed by default; None if it is nowhere."""
    homes = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    for home in [*homes, "/usr/local/cuda"]:
        compiler = pathlib.Path(home) / "bin" / "nvcc"
        if compiler.is_file() and os.access(compiler, os.X_OK):
            return str(compiler)
    return shutil.which("nvcc")


def lacks(nvcc, program):
    """The header of a library that is not beside nvcc; None: all is there."""
    header = LIBRARIES.get(program, (None,))[0]
    if header is None or (pathlib.Path(nvcc).resolve().parents[1] / "include" / header).is_file():
        return None
    return header


def variants():
    """Each program with the arguments that it is executed with."""
    for program in ARITHMETIC:
        yield from ((program, arguments) for arguments in ARGUMENTS.get(program, [[]]))


def compile_with(nvcc, program, output, *options):
    """Raises with what nvcc said if it fails."""
    ended = subprocess.run([nvcc, *FLAGS, *options, str(SOURCES / f"{program}.cu"), "-o", str(output)],
                           capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise RuntimeError(f"nvcc cannot compile {program}.cu: {ended.stderr}")
