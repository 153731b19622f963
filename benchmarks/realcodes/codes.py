# SPDX-License-Identifier: BSD-3-Clause
"""Codes that nobody of this project wrote: where their markers go, how they are built, how they are executed.

Nothing of the codes is kept here: `realcodes` takes checkouts of them (github.com/hpcg-benchmark/hpcg, LLNL/LULESH,
Mantevo/miniFE, ECP-copa/CoMD), copies them and marks the copies.
"""
from dataclasses import dataclass

FLAGS = "-O3 -g -march=x86-64-v3"


@dataclass(frozen=True)
class Code:
    name: str
    folder: str  # of the sources, in the checkout
    header: str  # of roofmark's markers
    marks: dict  # file -> functions: their names, or (name of the function, name of the region) in C++
    build: str  # a shell command in `folder`; {cc}, {cxx}, {flags}, {cflags}, {libs} are filled in
    program: str  # what the build makes, from `folder`
    arguments: dict  # size -> arguments, {ranks} is filled in; "small" fits into a core's caches, "large" does not
    writes: str = ""  # what it writes into its working directory besides
    threads: bool = True  # uses OpenMP


HPCG = Code(
    name="hpcg", folder=".", header="roofmark/roofmark.hpp",
    marks={
        "src/CG.cpp": ["CG"],
        "src/ComputeSPMV_ref.cpp": [("ComputeSPMV_ref", "spmv")],
        "src/ComputeSYMGS_ref.cpp": [("ComputeSYMGS_ref", "symgs")],
        "src/ComputeDotProduct_ref.cpp": [("ComputeDotProduct_ref", "ddot")],
        "src/ComputeWAXPBY_ref.cpp": [("ComputeWAXPBY_ref", "waxpby")],
        "src/ComputeMG_ref.cpp": [("ComputeMG_ref", "mg")],
        "src/ComputeRestriction_ref.cpp": [("ComputeRestriction_ref", "restriction")],
        "src/ComputeProlongation_ref.cpp": [("ComputeProlongation_ref", "prolongation")],
        "src/ExchangeHalo.cpp": ["ExchangeHalo"],
        "src/GenerateProblem_ref.cpp": [("GenerateProblem_ref", "generate")],
    },
    # HPCG's own flags for GCC, but for the target.
    build="{cxx} {flags} -ffast-math -ftree-vectorize -fopenmp -Isrc {cflags} src/*.cpp -o xhpcg {libs}",
    program="xhpcg", writes="hpcg*.txt HPCG*.txt",
    arguments={"small": "--nx=16 --ny=16 --nz=16 --rt=1", "large": "--nx=80 --ny=80 --nz=80 --rt=0"})

LULESH = Code(
    name="lulesh", folder=".", header="roofmark/roofmark.hpp",
    marks={
        "lulesh.cc": [
            "TimeIncrement", "InitStressTermsForElems", "IntegrateStressForElems", "CalcFBHourglassForceForElems",
            "CalcHourglassControlForElems", "CalcVolumeForceForElems", "CalcForceForNodes",
            "CalcAccelerationForNodes", "ApplyAccelerationBoundaryConditionsForNodes", "CalcVelocityForNodes",
            "CalcPositionForNodes", "LagrangeNodal", "CalcKinematicsForElems", "CalcLagrangeElements",
            "CalcMonotonicQGradientsForElems", "CalcMonotonicQRegionForElems", "CalcQForElems",
            "CalcPressureForElems", "CalcEnergyForElems", "CalcSoundSpeedForElems", "EvalEOSForElems",
            "ApplyMaterialPropertiesForElems", "UpdateVolumesForElems", "LagrangeElements",
            "CalcCourantConstraintForElems", "CalcHydroConstraintForElems",
        ],
        "lulesh-comm.cc": ["CommRecv", "CommSend", "CommSBN", "CommSyncPosVel", "CommMonoQ"],
    },
    build="{cxx} {flags} -DUSE_MPI=1 -fopenmp -I. {cflags} lulesh*.cc -o lulesh2.0 {libs}",
    # The number of ranks must be a cube: two ranks are left out.
    program="lulesh2.0", arguments={"small": "-s 10 -i 60", "large": "-s 48 -i 12"})

MINIFE = Code(
    name="minife", folder="openmp/src", header="roofmark/roofmark.hpp",
    marks={
        "Vector_functions.hpp": ["waxpby", "daxpby", "dot", "dot_r2"],
        "SparseMatrix_functions.hpp": [(r"struct matvec_std \{\s*void operator\(\)", "matvec")],
        "exchange_externals.hpp": ["exchange_externals"],
        "perform_element_loop.hpp": ["perform_element_loop"],
        "cg_solve.hpp": ["cg_solve"],
        "make_local_matrix.hpp": ["make_local_matrix"],
        "generate_matrix_structure.hpp": ["generate_matrix_structure"],
    },
    build="make CXX='{cxx}' CC='{cc}' CFLAGS='{flags} -fopenmp {cflags}' LIBS='{libs}'",
    program="miniFE.x", writes="*.yaml",
    arguments={"small": "nx=16 ny=16 nz=16", "large": "nx=80 ny=80 nz=80"})

COMD = Code(
    name="comd", folder="src-mpi", header="roofmark/roofmark.h",
    marks={
        "ljForce.c": ["ljForce"],
        "eam.c": ["eamForce"],
        "timestep.c": ["timestep", "advanceVelocity", "advancePosition", "kineticEnergy", "redistributeAtoms"],
        "haloExchange.c": ["haloExchange", "sortAtomsInCell"],
        "linkCells.c": ["updateLinkCells"],
    },
    # CoMD's own -std=c99 means no contraction to FMA.
    build="mkdir -p ../bin && cp Makefile.vanilla Makefile && "
          "make CC='{cc}' OPTFLAGS='{flags}' OTHER_INCLUDE='{cflags}' OTHER_LIB='{libs}'",
    program="../bin/CoMD-mpi", writes="CoMD*.yaml", threads=False,
    arguments={"small": "-x 8 -y 8 -z 8 -i {ranks} -j 1 -k 1 -N 20 -n 10",
               "large": "-x 40 -y 40 -z 40 -i {ranks} -j 1 -k 1 -N 10 -n 10"})

CODES = {code.name: code for code in (HPCG, LULESH, MINIFE, COMD)}
