#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""each_file.py CHECK BUILD [FOLDER ...]: has another compiler read every file of BUILD's compile_commands.json.

CHECK is `clang` (warnings of clang, the same as of GCC) or `tidy` (clang-tidy with .clang-tidy). FOLDERs, relative
to the root, select files. Files that were changed last are read first. `clang` first reads each layer as one
translation unit, as the presets of the sanitizers compile it: there two files must not give one name to two things.
With ROOFMARK_GATES=short all layers are read, but no file is begun after a minute, except that eight are read however
slow the machine is; the last line says how many were read. Exits with 1 if there is a finding, and prints it.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHORT_S = 60
LEAST_FILES = 8
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
# What clang does not know of GCC's options, and what says where the output goes.
GCC_ONLY = {"-Wno-restrict", "-fno-tree-loop-distribute-patterns", "--param=ggc-min-heapsize=500000",
            "-fno-align-loops", "-fno-align-jumps"}
PRECOMPILED = re.compile(r" -Winvalid-pch -include \S+/cmake_pch\.hxx")


def single(entry):
    """The entry without precompiled headers, or one for each source that it compiles with others (ROOFMARK_UNITY)."""
    entry = dict(entry, command=PRECOMPILED.sub("", entry["command"]))
    if "/Unity/unity_" in entry["file"]:
        sources = re.findall(r'^#include "(.*)"', Path(entry["file"]).read_text(), re.MULTILINE)
    elif "/tests/together/" in entry["file"]:
        sources = Path(entry["file"] + ".sources").read_text().split()
    else:
        return [entry]
    return [dict(entry, file=source, command=entry["command"].replace(entry["file"], source)) for source in sources]


def layers(database, folder):
    """For each target that compiles its sources together, an entry for a source in FOLDER that includes all of them."""
    targets = {}
    for entry in database:
        if "/Unity/unity_" in entry["file"]:
            targets.setdefault(Path(entry["file"]).parent, []).append(entry)
    found = {}
    for place, entries in targets.items():
        entries.sort(key=lambda entry: int(re.search(r"unity_(\d+)", entry["file"])[1]))
        sources = [Path(source["file"]) for entry in entries for source in single(entry)]
        file = Path(folder) / f"{place.parent.stem}.cc"
        file.write_text("".join(f'#include "{source}"\n' for source in sources))
        first = entries[0]
        found[file] = dict(first, file=str(file), command=first["command"].replace(first["file"], str(file)))
    return found


def commands(database, build, folders):
    """The compile commands of own files, each file once, without generated ones."""
    wanted = [ROOT / folder for folder in folders]
    found = {}
    for entry in (each for together in database for each in single(together)):
        file = Path(entry["file"])
        own = file.is_relative_to(ROOT) and not file.is_relative_to(build)
        if own and file.suffix in (".c", ".cc") and (not wanted or any(map(file.is_relative_to, wanted))):
            found.setdefault(file, entry)
    return found


def last_changed_first(files):
    log = subprocess.run(["git", "-C", ROOT, "log", "--format=", "--name-only", "-n", "300"],
                         capture_output=True, text=True, check=False).stdout
    order = {}
    for name in log.split("\n"):
        order.setdefault(ROOT / name, len(order))
    return sorted(files, key=lambda file: (order.get(file, len(order)), file))


def clang(entry):
    words = shlex.split(entry["command"])
    first = next(i for i, word in enumerate(words) if not word.endswith("ccache"))
    is_cpp = entry["file"].endswith(".cc")
    command = ["clang++" if is_cpp else "clang"]
    skip = False
    for word in words[first + 1:]:
        if skip or word in ("-o", "-c") or word in GCC_ONLY:
            skip = word == "-o"
        else:
            command.append(word)
    return command + WARNINGS + (["-Wno-sign-conversion"] if is_cpp else []) + ["-fsyntax-only"]


def tidy(entry, database):
    return ["clang-tidy", "--quiet", "--warnings-as-errors=*", "-p", database,
            "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-ignored-optimization-argument",
            entry["file"]]


def write_database(entries, folder):
    """compile_commands.json without what only GCC knows."""
    known = [dict(entry, command=shlex.join(word for word in shlex.split(entry["command"]) if word not in GCC_ONLY))
             for entry in entries.values()]
    (Path(folder) / "compile_commands.json").write_text(json.dumps(known))


def main():
    with tempfile.TemporaryDirectory() as folder:
        return check_files(folder)


def check_files(folder):
    check, build, folders = sys.argv[1], Path(sys.argv[2]).resolve(), sys.argv[3:]
    database = json.loads((build / "compile_commands.json").read_text())
    whole = layers(database, folder) if check == "clang" and not folders else {}
    entries = commands(database, build, folders)
    write_database(entries, folder)
    files = last_changed_first(entries)
    entries |= whole
    short = os.environ.get("ROOFMARK_GATES") == "short"
    begin = time.monotonic()
    read = bad = 0

    def read_file(numbered):
        number, file = numbered
        if short and number >= len(whole) + LEAST_FILES and time.monotonic() - begin > SHORT_S:
            return file, None
        entry = entries[file]
        command = clang(entry) if check == "clang" else tidy(entry, folder)
        return file, subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True, check=False)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
        for file, ended in workers.map(read_file, enumerate([*whole, *files])):
            if ended is None:
                continue
            read += 1
            if ended.returncode:
                bad += 1
                name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else f"{file.stem}, as one unit"
                print(f"== {name}\n{ended.stdout}{ended.stderr if check == 'clang' else ''}")
    print(f"{check}: {len(whole)} layers and {read - len(whole)} of {len(files)} files read, {bad} with findings, "
          f"{time.monotonic() - begin:.0f} s")
    return 1 if bad or not read else 0


if __name__ == "__main__":
    sys.exit(main())
