# SPDX-License-Identifier: BSD-3-Clause
"""Codes that the first roofline is measured with: how their authors build them, without a marker.

Nothing of the codes is kept here: `first_roofline` takes checkouts of them, by the names of their repositories.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Code:
    name: str
    checkout: str  # its folder
    folder: str  # of the sources, in the checkout
    build: str  # shell commands in `folder`; {flags} is filled in
    program: str  # what the build makes, from `folder`
    arguments: str  # {ranks} and {threads} are filled in
    small: str  # the same for less than a second
    ranks: tuple = (1, 2)
    threads: tuple = (1, 2)
    brings: str = ""  # a file or folder that belongs into the working directory, from `folder`
    status: int = 0  # that it ends with
    flops: str = ""  # a regular expression of the FLOPs that the code itself says it did, in `said`
    said: str = ""  # the files it writes that to; empty: its output


# HPCG's own flags for GCC, but for the target.
HPCG = Code(
    name="HPCG", checkout="hpcg", folder=".", program="xhpcg",
    build="mpicxx {flags} -ffast-math -ftree-vectorize -fopenmp -Isrc src/*.cpp -o xhpcg",
    arguments="--nx=48 --ny=48 --nz=48 --rt=0", small="--nx=16 --ny=16 --nz=16 --rt=0",
    flops=r"Floating Point Operations Summary::Total=([0-9.e+]+)", said="HPCG-Benchmark*.txt")

LULESH = Code(
    name="LULESH", checkout="LULESH", folder=".", program="lulesh2.0",
    build="mpicxx {flags} -DUSE_MPI=1 -fopenmp -I. lulesh*.cc -o lulesh2.0",
    # The number of ranks must be a cube.
    arguments="-s 30 -i 150", small="-s 10 -i 20", ranks=(1,))

MINIFE = Code(
    name="miniFE", checkout="miniFE", folder="openmp/src", program="miniFE.x",
    build="make CXX=mpicxx CC=mpicc CFLAGS='{flags} -fopenmp'",
    arguments="nx=70 ny=70 nz=70", small="nx=16 ny=16 nz=16")

COMD = Code(
    name="CoMD", checkout="CoMD", folder="src-mpi", program="../bin/CoMD-mpi",
    build="mkdir -p ../bin && cp Makefile.vanilla Makefile && make CC=mpicc OPTFLAGS='{flags}'",
    arguments="-x 20 -y 20 -z 20 -N 40 -n 10 -i {ranks} -j 1 -k 1", small="-x 8 -y 8 -z 8 -N 10 -i {ranks} -j 1 -k 1",
    threads=(1,), brings="../pots")

CLOVERLEAF = Code(
    name="CloverLeaf", checkout="CloverLeaf_ref", folder=".", program="clover_leaf",
    build="make COMPILER=GNU MPI_COMPILER=mpif90 C_MPI_COMPILER=mpicc "
          "FLAGS_GNU='{flags} -fopenmp -fallow-argument-mismatch' CFLAGS_GNU='{flags} -fopenmp'",
    arguments="", small="", brings="clover.in")

# Its status says that the check sum is not that of the full size.
XSBENCH = Code(
    name="XSBench", checkout="XSBench", folder="openmp-threading", program="XSBench",
    build="make CC=gcc CFLAGS='-std=gnu99 {flags} -fopenmp -DOPENMP' LDFLAGS=-lm",
    arguments="-m event -s small -l 1500000 -t {threads}", small="-m event -s small -l 20000 -g 1000 -t {threads}",
    ranks=(1,), status=1)

# Its macro with a #pragma in it is not what GCC takes.
MINIMD = Code(
    name="miniMD", checkout="miniMD", folder="ref", program="miniMD",
    build=r"""sed -i 's/#define OMPFORSCHEDULE .*#pragma \(.*\)/#define OMPFORSCHEDULE _Pragma("\1")/' types.h && """
          "mpicxx {flags} -fopenmp -DNOCHUNK -DUSE_SIMD -DMPICH_IGNORE_CXX_SEEK ljs.cpp input.cpp integrate.cpp "
          "atom.cpp force_lj.cpp force_eam.cpp neighbor.cpp thermo.cpp comm.cpp timer.cpp output.cpp setup.cpp "
          "-o miniMD",
    arguments="-i in.lj.miniMD -s 24 -n 100 -t {threads}", small="-i in.lj.miniMD -s 10 -n 20 -t {threads}",
    brings="in.lj.miniMD")

CODES = (HPCG, LULESH, MINIFE, COMD, CLOVERLEAF, XSBENCH, MINIMD)
