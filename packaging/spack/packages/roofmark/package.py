# SPDX-License-Identifier: BSD-3-Clause
"""Recipe of Spack. It builds the checkout that it lies in:

spack repo add CHECKOUT/packaging/spack && spack install roofmark
"""
from pathlib import Path

from spack.package import *


class Roofmark(CMakePackage):
    """Rooflines of MPI codes, region by region: what each loop nest attains, what the machine
    allows, and the reasons for the difference."""

    git = Path(__file__).resolve().parents[4].as_uri()
    license("BSD-3-Clause AND GPL-2.0-or-later", checked_by="the roofmark authors")
    version("main", branch="main")

    variant("mpi", default=True, description="Merge the ranks of a job: the plug-in for its MPI")
    variant("hdf5", default=False, when="+mpi", description="One HDF5 file of all ranks (ROOFMARK_DETAIL)")
    variant("counting", default=True, description="Count FLOPs and traffic exactly under Valgrind")
    variant("zydis", default=True, when="target=x86_64:",
            description="Count while the processor executes the program: the native engine")
    variant("papi", default=True, description="Read hardware counters through PAPI")
    variant("fortran", default=True, description="The Fortran module")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("gzip", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("fmt")
    depends_on("highway")
    depends_on("hwloc@2:")
    depends_on("elfutils")
    depends_on("mpi", when="+mpi")
    depends_on("hdf5+mpi", when="+hdf5")
    # The tool holds the core of this Valgrind.
    depends_on("valgrind@3.19:", when="+counting")
    depends_on("zydis@4:", when="+zydis")
    depends_on("papi", when="+papi")
    conflicts("%gcc@:10", msg="C++20 needs GCC 11 or newer")
    conflicts("+counting", when="target=aarch64:", msg="the counting engine exists for x86-64 only")

    generator("ninja")

    def cmake_args(self):
        arguments = [
            self.define_from_variant("ROOFMARK_MPI", "mpi"),
            self.define_from_variant("ROOFMARK_COUNTING", "counting"),
            self.define_from_variant("ROOFMARK_FORTRAN", "fortran"),
            self.define("ROOFMARK_BENCHMARKS", False),
            self.define("ROOFMARK_TESTS", self.run_tests),
        ]
        if not self.spec.satisfies("+zydis"):
            # The system's, if it has one, is not taken.
            arguments += [self.define("ZYDIS_INCLUDE", False), self.define("ZYDIS_LIBRARY", False)]
        if self.spec.satisfies("+mpi"):
            # MPICH, Intel MPI, MVAPICH and Cray MPI have one binary interface.
            mpi = self.spec["mpi"]
            family = "openmpi" if mpi.name == "openmpi" else "mpich"
            arguments.append(self.define(f"ROOFMARK_MPICC_{family}", mpi.mpicc))
            if self.spec.satisfies("+fortran"):
                arguments.append(self.define(f"ROOFMARK_MPIFORT_{family}", mpi.mpifc))
            if self.spec.satisfies("+hdf5"):
                hdf5 = self.spec["hdf5"].prefix
                arguments.append(self.define(f"ROOFMARK_HDF5_INCLUDE_{family}", hdf5.include))
                arguments.append(self.define(f"ROOFMARK_HDF5_LIBRARY_{family}", hdf5.lib + "/libhdf5.so"))
        if self.spec.satisfies("+papi"):
            arguments.append(self.define("PAPI_INCLUDE_DIR", self.spec["papi"].prefix.include))
        return arguments
