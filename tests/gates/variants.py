#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""variants.py SOURCE [NAME ...]: what is installed builds without each of the packages that it may use,
and with each compiler that is supported; CMake says what is missing, and the command still runs.

Packages are not removed: CMake is kept from finding them. A compiler that is not installed is named and
skipped. With ROOFMARK_GATES=short each variant is only configured. Exits with 77 if nothing was tried."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILT = ["roofmark", "roofmark_command", "roofmark_adapters"]
COMMON = ["-DROOFMARK_TESTS=OFF", "-DROOFMARK_BENCHMARKS=OFF", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
          "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG", "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG"]
NO_MPI = [f"-DROOFMARK_{what}_{mpi}=/nowhere/{what}" for what in ("MPICC", "MPIFORT") for mpi in ("openmpi", "mpich")]
NO_HDF5 = [f"-DROOFMARK_HDF5_{what}_{mpi}=OFF" for what in ("INCLUDE", "LIBRARY") for mpi in ("openmpi", "mpich")]
# Name: options, files of pkg-config that are hidden, what CMake must say.
WITHOUT = {
    "mpi": (NO_MPI, [], "no openmpi found"),
    "hdf5": (NO_HDF5, [], "no HDF5 for openmpi"),
    "papi": (["-DPAPI_INCLUDE_DIR=OFF"], [], "no collector papi"),
    "libpfm": (["-DLIBPFM_INCLUDE_DIR=OFF"], [], "no names of libpfm4"),
    "valgrind": ([], ["valgrind.pc"], "no counting tool"),
    "libdw": ([], ["libdw.pc"], "no source lines"),
    "fortran": (["-DCMAKE_Fortran_COMPILER=NOTFOUND"], [], "no Fortran module"),
    "zydis": (["-DZYDIS_LIBRARY=OFF", "-DZYDIS_INCLUDE=OFF"], [], "no native engine"),
}
COMPILERS = {"gcc-11": "g++-11", "gcc-12": "g++-12", "clang-14": "clang++-14", "clang-15": "clang++-15", "clang-16": "clang++-16"}


def visible_files(folder, hidden):
    """A folder with all files of pkg-config but the hidden ones."""
    asked = subprocess.run(["pkg-config", "--variable", "pc_path", "pkg-config"], capture_output=True, text=True).stdout
    for place in asked.strip().split(":"):
        for file in pathlib.Path(place).glob("*.pc"):
            link = folder / file.name
            if file.name not in hidden and not link.exists():
                link.symlink_to(file)
    return {**os.environ, "PKG_CONFIG_LIBDIR": str(folder), "PKG_CONFIG_PATH": ""} if hidden else dict(os.environ)


def run(command, environment):
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    output = done.stdout + done.stderr
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{output[-3000:]}")
    return output


def attempt(options, hidden, said, whole):
    # Beside the other builds, as deep, so that ccache knows most files.
    (SOURCE / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="variant-", dir=SOURCE / "build") as name:
        folder = pathlib.Path(name)
        (folder / "pc").mkdir()
        environment = visible_files(folder / "pc", hidden)
        output = run(["cmake", "-G", "Ninja", "-S", SOURCE, "-B", folder, *COMMON, *options], environment)
        if said not in output:
            raise RuntimeError(f"CMake does not say \"{said}\":\n{output[-2000:]}")
        if whole:
            run(["cmake", "--build", folder, "--target", *BUILT], environment)
            run([folder / "bin/roofmark", "--version"], environment)
            doctor = subprocess.run([folder / "bin/roofmark", "doctor"], capture_output=True, text=True)
            if doctor.returncode not in (0, 1):
                raise RuntimeError(f"roofmark doctor: {doctor.returncode}: {doctor.stderr}")


def variants():
    for name, (options, hidden, said) in WITHOUT.items():
        yield f"without-{name}", options, hidden, said
    everything = [option for options, _, _ in WITHOUT.values() for option in options]
    yield "bare", everything, [file for _, hidden, _ in WITHOUT.values() for file in hidden], "no counting tool"
    for c, cxx in COMPILERS.items():
        yield c, [f"-DCMAKE_C_COMPILER={c}", f"-DCMAKE_CXX_COMPILER={cxx}"], [], ""


def main():
    whole = os.environ.get("ROOFMARK_GATES") != "short"
    tried = failed = 0
    for name, options, hidden, said in variants():
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        if name in COMPILERS and not shutil.which(COMPILERS[name]):
            print(f"SKIPPED: {name} is not installed", flush=True)
            continue
        tried += 1
        try:
            attempt(options, hidden, said, whole)
            print(f"ok: {name}: {'built' if whole else 'configured'}", flush=True)
        except RuntimeError as error:
            failed += 1
            print(f"FAILED: {name}: {error}", flush=True)
    return 77 if tried == 0 else int(failed > 0)


sys.exit(main())
