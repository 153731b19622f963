# SPDX-License-Identifier: BSD-3-Clause
"""The pages of docs/first: their programs, commands and outputs, for whoever executes, records or draws them.

A page has programs (a line that begins with the name, as `heat.c`, and ends with a colon, then the block), commands
(blocks `sh`, executed from top to bottom in one folder) and outputs of recorded files:

    <!-- report heat: do, table, sweep -->
    ```text
    ...
    ```

Such a block is what `roofmark report heat.json` prints, but only the named sections: `What to do first`, `table`, and
for every other name the details of that region. `...` stands for what is left out.
"""
import os
import pathlib
import re
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FIRST = SOURCE / "docs/first"
RECORDED = SOURCE / "docs/recorded"
PICTURES = SOURCE / "docs/pictures"
NAMES = ["README", "c", "cxx", "fortran", "openmp", "mpi", "cmake", "makefile"]
OUTPUT = re.compile(r"(<!-- report ([\w-]+): ([^\n]*) -->\n```text\n)(.*?)(```)", re.S)
COLUMNS = 100


def text_of(name):
    return (FIRST / f"{name}.md").read_text(encoding="utf-8")


def programs(text):
    """Name -> text of each file of a page."""
    return dict(re.findall(r"^`([\w.]+)`[^\n]*:\n\n```\w+\n(.*?)^```", text, re.S | re.M))


def commands(text):
    """The lines of all shell blocks, in order; a line that ends with a backslash goes on."""
    lines = "".join(re.findall(r"^```sh\n(.*?)^```", text, re.S | re.M)).replace("\\\n", " ").splitlines()
    without_comments = (re.sub(r"\s+#\s.*", "", line).strip() for line in lines)
    return [line for line in without_comments if line and not line.startswith("#")]


def is_setup(command):
    return command.startswith(("export ", "roofmark machine"))


def install(build, prefix):
    subprocess.run(["cmake", "--install", str(build), "--prefix", str(prefix)], check=True, stdout=subprocess.DEVNULL)


def environment(prefix, cache):
    """Of somebody who has nothing of roofmark but what is installed in `prefix`."""
    known = {k: v for k, v in os.environ.items() if not k.startswith("ROOFMARK") and k != "LD_LIBRARY_PATH"}
    tools = pathlib.Path(cache) / "tools"
    # Open MPI's: of two launchers beside each other the one that ends may remove that of the one that begins.
    launcher = pathlib.Path(cache) / "openmpi"
    for folder in (tools, launcher):
        folder.mkdir(parents=True, exist_ok=True)
    # One MPI, whatever the system's choice is. Open MPI refuses more ranks than there are cores.
    mpi, more = (".openmpi", "--oversubscribe") if shutil.which("mpicc.openmpi") else (".mpich", "")
    for tool in ("mpicc", "mpirun"):
        wrapper = tools / tool
        wrapper.write_text(f'#!/bin/sh\nexec {tool}{mpi} {more if tool == "mpirun" else ""} "$@"\n')
        wrapper.chmod(0o755)
    return {**known, "PREFIX": str(prefix), "XDG_CACHE_HOME": str(cache), "OMP_NUM_THREADS": "2",
            "PATH": f"{tools}:{known['PATH']}", "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_orte_tmpdir_base": str(launcher)}


def setup():
    return [command for command in commands(text_of("README")) if command.startswith("export ")]


def execute(name, folder, variables, change=lambda command: command):
    """All commands of a page in `folder`. Ends at the first that fails; returns what was printed, and the status."""
    folder.mkdir()
    for file, text in programs(text_of(name)).items():
        (folder / file).write_text(text, encoding="utf-8")
    typed = [change(command) for command in commands(text_of(name)) if not is_setup(command)]
    script = "\n".join(["set -e", *setup(), *(f"echo '$' {quoted(c)}\n{c}" for c in typed)])
    ended = subprocess.run(["bash", "-c", script], cwd=folder, env=variables, text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=500)
    return ended.stdout, ended.returncode


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def sections(report):
    """(title, lines) of a report, in its order, without its header."""
    found, in_table = [], False
    for line in report.splitlines()[1:]:
        if re.match(r"\s+region\s", line):
            in_table = True
            found.append(("table", []))
        elif in_table and not line:
            in_table = False
        elif line == "GFLOP/s":
            break  # the chart: pages have a picture
        elif line and not in_table and not re.match(r"\s|[\d?]+ ", line):
            found.append((line, []))
        if line and found:
            found[-1][1].append(line)
    return found


def is_named(title, name):
    return title == name or title.startswith(name + " ") or title[2:] == name


def shorten(report, wanted):
    """The sections with these names; what is left out is marked."""
    all_sections, names, out = sections(report), [name.strip() for name in wanted.split(",")], []
    for name in names:
        if not any(is_named(title, name) for title, _ in all_sections):
            raise ValueError(f"the report has no section '{name}', only {[title for title, _ in all_sections]}")
    gap = False
    for title, lines in all_sections:
        if any(is_named(title, name) for name in names):
            out += (["..."] if gap else []) + (["", *lines, ""] if title == "table" else lines)
        gap = not any(is_named(title, name) for name in names)
    return "\n".join([*out, "..."]).strip("\n") + "\n"
