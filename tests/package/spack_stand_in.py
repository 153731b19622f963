#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""spack_stand_in.py SOURCE [--build]: the recipe of Spack, executed without Spack.

A stand-in for the few names of Spack that the recipe uses runs its phases in order, for several
choices of variants, with this system's packages as dependencies: `cmake` for each choice; with
--build also `build` and `install` for the default one. What CMake requires must be a dependency.
It shows that the recipe is sound, not that Spack's packages fit."""
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import types

SOURCE = pathlib.Path(sys.argv[1]).resolve()
RECIPE = SOURCE / "packaging/spack/packages/roofmark/package.py"
# Spack's name of what CMakeLists and *.cmake find, where it is another.
NAMES = {"CLI11": "cli11", "nlohmann_json": "nlohmann-json", "PkgConfig": "pkgconfig", "HWY": "highway", "HWLOC": "hwloc",
         "VALGRIND": "valgrind", "RoofmarkMpi": "mpi", "libdw": "elfutils", "LIBDW": "elfutils", "DW": "elfutils"}
# Of the compiler, or for tests and benchmarks only.
NOT_OURS = {"Threads", "OpenMP", "GTest", "benchmark", "Python3"}


class Prefix(str):
    def __getattr__(self, name):
        return Prefix(f"{self}/{name}")


class Dependency:
    def __init__(self, name, prefix="/usr"):
        self.name, self.prefix = name, Prefix(prefix)
        self.mpicc, self.mpifc = (shutil.which(f"{wrapper}.{name}") or wrapper for wrapper in ("mpicc", "mpifort"))


class Spec:
    def __init__(self, variants, dependencies):
        self.variants, self.dependencies = variants, dependencies

    def satisfies(self, text):
        signs = re.findall(r"([+~])(\w+)", text)
        return bool(signs) and all(self.variants[name] == (sign == "+") for sign, name in signs)

    def __getitem__(self, name):
        return self.dependencies[name]


class CMakePackage:
    """As far as the recipe asks it."""
    phases = ("cmake", "build", "install")
    run_tests = False

    def __init__(self, spec, stage):
        self.spec, self.stage, self.prefix = spec, stage, stage / "prefix"

    @staticmethod
    def define(name, value):
        if isinstance(value, bool):
            return f"-D{name}:BOOL={'ON' if value else 'OFF'}"
        return f"-D{name}:STRING={value}"

    def define_from_variant(self, name, variant):
        return self.define(name, self.spec.variants[variant])

    def cmake(self):
        run("cmake", "-G", "Ninja", "-S", SOURCE, "-B", self.stage / "build", f"-DCMAKE_INSTALL_PREFIX={self.prefix}",
            "-DCMAKE_BUILD_TYPE=Release", *self.cmake_args())

    def build(self):
        run("cmake", "--build", self.stage / "build")

    def install(self):
        run("cmake", "--install", self.stage / "build")


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"FAILED: {' '.join(map(str, command))}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")


def load():
    """The recipe's class, and what it declared."""
    declared = {"depends_on": [], "variant": {}, "version": []}
    stand_in = types.ModuleType("spack.package")
    stand_in.CMakePackage = CMakePackage
    for name in ("license", "conflicts", "generator"):
        setattr(stand_in, name, lambda *_, **__: None)
    stand_in.version = lambda name, **_: declared["version"].append(name)
    stand_in.depends_on = lambda spec, type=None, when="": declared["depends_on"].append((spec, when))
    stand_in.variant = lambda name, default, description, when="": declared["variant"].update({name: default})
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), stand_in
    names = {"__file__": str(RECIPE), "__name__": "recipe"}
    exec(compile(RECIPE.read_text(), RECIPE, "exec"), names)
    return names["Roofmark"], declared


def undeclared(declared):
    """Packages that CMake looks for and no depends_on names."""
    known = {re.match(r"[\w-]+", spec).group().lower() for spec, _ in declared["depends_on"]}
    for file in [*SOURCE.glob("lib/cmake/*.cmake"), *SOURCE.glob("*/**/CMakeLists.txt"), SOURCE / "CMakeLists.txt"]:
        if file.relative_to(SOURCE).parts[0] in ("tests", "build", "benchmarks"):
            continue
        for name in re.findall(r"^\s*(?:find_package|pkg_check_modules)\((\w+)", file.read_text(), re.M):
            if name not in NOT_OURS and NAMES.get(name, name).lower() not in known:
                yield f"{file.relative_to(SOURCE)}: {name}"


def main():
    recipe, declared = load()
    missing = list(undeclared(declared))
    if missing:
        raise SystemExit("FAILED: no dependency of the recipe: " + ", ".join(missing))
    defaults = {**declared["variant"], "counting": shutil.which("valgrind") is not None}
    for mpi, changed in (("openmpi", {}), ("mpich", {"fortran": False}), ("openmpi", {"mpi": False, "counting": False, "papi": False, "zydis": False})):
        variants = {**defaults, **changed}
        dependencies = {"mpi": Dependency(mpi), "papi": Dependency("papi"), "hdf5": Dependency("hdf5")}
        with tempfile.TemporaryDirectory(prefix="roofmark-spack-") as folder:
            package = recipe(Spec(variants, dependencies), pathlib.Path(folder))
            package.cmake()
            cache = (package.stage / "build/CMakeCache.txt").read_text()
            for option in ("mpi", "fortran", "counting"):
                wanted = "ON" if variants[option] else "OFF"
                assert re.search(rf"^ROOFMARK_{option.upper()}:BOOL={wanted}$", cache, re.M), (option, wanted)
            assert "+zydis" in [when for spec, when in declared["depends_on"] if spec.startswith("zydis")], "zydis"
            for option in ("INCLUDE", "LIBRARY"):
                found = re.search(rf"^ZYDIS_{option}:\w+=(.*)$", cache, re.M).group(1)
                assert variants["zydis"] or found == "OFF", (option, found)
            if "--build" in sys.argv and not changed:
                package.build()
                package.install()
                run(package.prefix / "bin/roofmark", "--version")
                assert list(package.prefix.glob("lib*/libroofmark.so")), "no library"
                if "ZYDIS_LIBRARY-NOTFOUND" not in cache and platform.machine() == "x86_64":
                    assert list(package.prefix.glob("lib*/roofmark-*/libroofmark_native.so")), "no native engine"
            print(f"ok: {mpi}, {changed or 'the default'}")


main()
