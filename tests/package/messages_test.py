#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""messages_test.py SOURCE: code uses each message of the tables in lib/core/messages, and only code that
the table is for. In folders that have a table no other sentence is said: none is handed to PassOn, and
none is made as a reason or as a warning of the file. That docs/troubleshooting.md is made of the tables
lib_input_tests checks."""
import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1])
TABLES = SOURCE / "lib/core/messages"
# Who says the messages of a table.
FOLDERS = {"recording": ("lib/profile/", "lib/spool/", "markers/"), "mpi": ("mpi/", "markers/runtime/"), "collectors": ("collectors/",),
           "command": ("command/",), "command_run": ("command/",)}
# A sentence that is made in code.
MADE = r"\s*(?:std::string\()?(?:fmt::format\(\s*)?\""
# What takes sentences, and where.
TAKES = {
    r"\bPassOn\(": ("lib/", "markers/", "mpi/", "collectors/", "command/"),
    r"\bwarnings\.push_back\(": ("markers/",),
    r"\bWritePart\([^;]*?,": ("markers/", "mpi/"),
    r"\b(?:Error\{|return)": ("mpi/command_job/", "mpi/library.cc", "mpi/reduce.cc", "mpi/rendezvous.cc", "mpi/session.cc",
                             "mpi/ranks_file/", "collectors/counting/valgrind/reexec.cc", "collectors/counting/limits.cc",
                             "collectors/counting/host_caches.cc", "collectors/counting/native/engine.cc"),
}


def code():
    """{name: text without comments} of the product's files."""
    folders = {folder.split("/")[0] for folders in FOLDERS.values() for folder in folders}
    files = [file for folder in sorted(folders) for ending in ("*.cc", "*.h")
             for file in sorted((SOURCE / folder).rglob(ending)) if TABLES not in file.parents]
    return {str(file.relative_to(SOURCE)): re.sub(r"^\s*//.*$", "", file.read_text(), flags=re.M) for file in files}


def problems_of_tables(files):
    says = {file: set(re.findall(r"\bmessage::(\w+)", text)) for file, text in files.items()}
    for table, folders in FOLDERS.items():
        for name in re.findall(r"^ROOFMARK_MESSAGE\((\w+),", (TABLES / f"{table}.inc").read_text(), re.M):
            users = [file for file, names in says.items() if name in names]
            if not users:
                yield f"{table}.inc: nothing says {name}"
            for user in users:
                if not user.startswith(folders):
                    yield f"{user} says {name} of {table}.inc, which is for {', '.join(folders)}"


def problems_of_sentences(files):
    for file, text in files.items():
        made = [call for call, places in TAKES.items() if file.startswith(places)]
        if re.search(r"\bMessage(?: \w+)?\{", text):
            yield f"{file}: a message that is in no table"
        for match in re.finditer("|".join(f"(?:{call}){MADE}([^\"\\n]*[a-z]{{2}} [^\"\\n]+)\"" for call in made), text) if made else ():
            line = text[:match.start()].count("\n") + 1
            yield f"{file}:{line}: a sentence that is in no table: {next(filter(None, match.groups()))}"


def main():
    files = code()
    problems = [*problems_of_tables(files), *problems_of_sentences(files)]
    print("\n".join(problems) or "ok")
    return 1 if problems else 0


sys.exit(main())
