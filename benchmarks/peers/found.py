# SPDX-License-Identifier: BSD-3-Clause
"""Which peers are here, their versions, and how a program is compiled with their markers."""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


class Missing(Exception):
    """A peer is not here, or does not work here; the text says why."""


def complaint(text):
    """The line of stderr that says why: launchers print frames and advice around it."""
    lines = [line.strip() for line in text.splitlines() if re.search(r"[A-Za-z]", line)]
    telling = [line for line in lines if re.search(r"(?i)cannot|error|denied|not found|no such|fail", line)]
    return (telling or lines or [""])[0 if telling else -1]


def run(command, environment=None, folder=None, limit=300):
    """What `command` printed. Raises Missing with its complaint."""
    name = os.path.basename(str(command[0]))
    try:
        done = subprocess.run([str(word) for word in command], env={**os.environ, **(environment or {})}, cwd=folder,
                              capture_output=True, text=True, errors="replace", timeout=limit, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(f"{name}: {error}") from error
    if done.returncode != 0:
        why = complaint(done.stderr)
        how = f"ends with signal {-done.returncode}" if done.returncode < 0 else f"ends with {done.returncode}"
        raise Missing(f"{name} {how}" + (f": {why}" if why else ""))
    return done.stdout


@dataclasses.dataclass(frozen=True)
class Library:
    """A peer whose markers are compiled into a program."""
    name: str
    define: str
    header: str
    links: tuple
    version: str  # regular expression on the macros that the header defines
    cure: str
    includes: tuple = ("include",)
    defines: tuple = ()

    def flags(self, prefix):
        """Of the compiler, for what is installed in `prefix`, or where the compiler looks by itself."""
        words = [f"-DPEER_{self.define}", *(f"-D{name}" for name in self.defines)]
        if prefix:
            words += [f"-I{prefix}/{folder}" for folder in self.includes]
            for folder in ("lib", "lib64"):
                words += [f"-L{prefix}/{folder}", f"-Wl,-rpath,{prefix}/{folder}"]
        return words + [f"-l{link}" for link in self.links]


LIBRARIES = {library.name: library for library in (
    Library("papi", "PAPI", "papi.h", ("papi",), r"PAPI_VERSION_NUMBER\((\d+,\d+,\d+)", "Debian: libpapi-dev"),
    Library("likwid", "LIKWID", "likwid.h", ("likwid",), "", "Debian: likwid"),
    Library("nvtx", "NVTX", "nvtx3/nvToolsExt.h", ("dl",), r"define NVTX_VERSION (\d+)",
            "give its folder by --nvtx", ("", "include")),
    Library("caliper", "CALIPER", "caliper/caliper-config.h", ("caliper",), r'CALIPER_VERSION +"([^"]+)"',
            "give its prefix by --caliper"),
    Library("tracy", "TRACY", "tracy/TracyC.h", ("TracyClient",), "", "give its prefix by --tracy",
            ("include", "include/tracy"), ("TRACY_ENABLE",)),
    Library("tracy-on-demand", "TRACY", "tracy/TracyC.h", ("TracyClient",), "", "give its prefix by --tracy-on-demand",
            ("include", "include/tracy"), ("TRACY_ENABLE", "TRACY_ON_DEMAND")),
)}

# Peers that are programs: how they are asked for their version, and where they come from.
PROGRAMS = {
    "valgrind": (["valgrind", "--version"], "Debian: valgrind"),
    "perf": (["perf", "--version"], "Debian: linux-perf"),
    "likwid-bench": (["likwid-bench", "-v"], "Debian: likwid"),
    "scorep": (["scorep", "--version"], "looked for only, not measured"),
    "hpcrun": (["hpcrun", "--version"], "HPCToolkit; looked for only, not measured"),
}


def compiler():
    found = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if found is None:
        raise Missing("there is no C compiler; set CC")
    return found


def readable(version):
    return version.strip().strip('"').replace(",", ".")


def shared_object_version(prefix, link):
    """Of the file that lib<link>.so points to, where the headers define no macro."""
    paths = [pathlib.Path(prefix) / folder / f"lib{link}.so" for folder in ("lib", "lib64")] if prefix else \
            [pathlib.Path(run([compiler(), f"-print-file-name=lib{link}.so"]).strip())]
    for path in paths:
        if path.exists():
            return path.resolve().name.partition(".so.")[2]
    return ""


def find_library(library, prefix):
    """(flags of the compiler, version). Raises Missing."""
    flags = library.flags(prefix)
    source = f"#include <{library.header}>\n"
    try:
        macros = subprocess.run([compiler(), "-E", "-dM", "-x", "c", "-", *(f for f in flags if f[:2] in ("-I", "-D"))],
                                input=source, capture_output=True, text=True, check=True).stdout
    except subprocess.CalledProcessError as error:
        raise Missing(f"not found ({library.cure})") from error
    named = re.search(library.version, macros) if library.version else None
    version = readable(named[1]) if named else shared_object_version(prefix, library.links[0])
    return flags, version or "version unknown"


def find_program(name):
    command, cure = PROGRAMS[name]
    if shutil.which(command[0]) is None:
        raise Missing(f"not found ({cure})")
    version = re.search(r"\d+(\.\d+)+", run(command))
    return version[0] if version else "version unknown"


class Peers:
    """All peers: `flags[name]` of those with markers, `versions[name]`, `missing[name]` with the reason."""

    def __init__(self, build, prefixes):
        self.build = pathlib.Path(build).resolve()
        self.flags, self.versions, self.missing = {}, {}, {}
        self.flags["roofmark"] = ["-DPEER_ROOFMARK", f"-I{ROOT}/include", f"-I{self.build}/include",
                                  f"-L{self.build}/lib", f"-Wl,-rpath,{self.build}/lib", "-lroofmark"]
        self.flags["none"] = []
        version = (self.build / "bin/roofmark", "--version")
        self.versions["roofmark"] = re.search(r"\d+(\.\d+)+", run(version))[0]
        for name, library in LIBRARIES.items():
            self.look(name, lambda library=library: find_library(library, prefixes.get(library.name)))
        for name in PROGRAMS:
            self.look(name, lambda name=name: (None, find_program(name)))

    def look(self, name, find):
        try:
            flags, self.versions[name] = find()
            if flags is not None:
                self.flags[name] = flags
        except Missing as missing:
            self.missing[name] = str(missing)

    def compiled(self, source, name, folder, compile_with=None, options=()):
        """The program of `source` with the markers of `name`. Raises Missing."""
        if name not in self.flags:
            raise Missing(self.missing[name])
        program = pathlib.Path(folder) / f"{pathlib.Path(source).stem}_{name}"
        if not program.exists():
            run([compile_with or compiler(), "-O2", "-pthread", *options, HERE / "programs" / source, "-o", program,
                 *self.flags[name]])
        return program
