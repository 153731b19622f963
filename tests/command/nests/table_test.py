#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""table_test.py ROOFMARK LIBRARY [--table] NAME=PROGRAM:SOURCE[,SOURCE]...: loops that `roofmark nests` finds.

Each program is executed under the counting engine. Its sources carry the marks `loop NAME` (tests/lib/loops/samples_c.c
says how) in functions whose names begin with `kernel_`. Each mark has to be found with file and line. Fails if that is
not so for nine of ten loops of a program and 28 of 30 of all, or if a loop is found at a line of a kernel that has
none: that would be silently wrong. --table prints all rows as Markdown.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

# The debug information has no lines of these loops; their bodies of one line are named. docs/architecture.md says so.
LINE_OF_BODY = {"simd_sum", "concurrent"}
# Which section follows which is a loop that the compiler makes; it may never go back.
NO_LOOP_OF_THE_SOURCE = {"omp_sections"}
MARK = re.compile(r"(?:/\*|!) loop (\w+)(?: in (\w+)| (\w+))?")
ROW = re.compile(r" *[\d.]+ +[\d.]+  ([^ :]+:\d+) in (?:[^ (<]*::)?(\w+)")


def marks_of(source):
    """file:line, or the function of a library that has the loop -> (name, how often it is to be found)."""
    marks = {}
    for number, line in enumerate(Path(source).read_text().splitlines(), 1):
        if mark := MARK.search(line):
            name, function, more = mark.groups()
            place = function or f"{Path(source).name}:{number + (name in LINE_OF_BODY)}"
            marks[place] = name, 2 if more == "twice" else 1
    return marks


def found_in(program, roofmark, library, folder):
    """file:line of kernels, and functions of libraries -> how many loops are there, by the command."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ROOFMARK")}
    environment.update(LD_PRELOAD=library, ROOFMARK_COLLECTOR="counting", ROOFMARK_COUNT="flops", OMP_NUM_THREADS="1",
                       ROOFMARK_EXECUTED="on", ROOFMARK_OUTPUT=f"{folder}/run.json")
    subprocess.run([program], env=environment, check=True, capture_output=True)
    shown = subprocess.run([roofmark, "nests", f"{folder}/run.executed0.json", "--least", "0.000001", "--most", "9999"],
                           check=True, capture_output=True, text=True).stdout
    rows = [row for row in map(ROW.match, shown.splitlines()) if row]
    own = Counter(row[1] for row in rows if row[2].startswith(("kernel", "inlined")))
    return own + Counter(row[2] for row in rows if not row[1].startswith("samples_"))


def compare(name, marks, found):
    """Rows of the table, how many are right, and what is wrong without anybody seeing it."""
    rows, right = [], 0
    for place, (loop, expected) in marks.items():
        if loop in NO_LOOP_OF_THE_SOURCE:
            continue
        good = found[place] == expected
        right += good
        said = "right" if good else f"found {found[place]} times, not {expected}" if found[place] else "not found"
        rows.append(f"| {name} | {loop} | {place} | {said} |")
    wrong = [place for place in found if place.startswith("samples_") and place not in marks]
    return rows, right, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roofmark")
    parser.add_argument("library")
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    loops, all_right, failed = 0, 0, False
    if arguments.table:
        print("| program | loop | line of the source | found |\n|---|---|---|---|")
    for program in arguments.programs:
        name, rest = program.rsplit("=", 1)
        path, sources = rest.split(":", 1)
        marks = {place: mark for source in sources.split(",") for place, mark in marks_of(source).items()}
        with tempfile.TemporaryDirectory() as folder:
            rows, right, wrong = compare(name, marks, found_in(path, arguments.roofmark, arguments.library, folder))
        loops, all_right = loops + len(rows), all_right + right
        for row in rows:
            if arguments.table or not row.endswith("| right |"):
                print(row)
        if wrong or right < 0.9 * len(rows):
            failed = True
        print(f"{name}: {right} of {len(rows)} loops right" + (f"; no loop is at {', '.join(wrong)}" if wrong else ""))
    print(f"{all_right} of {loops} loops are found with file and line")
    sys.exit(1 if failed or not loops or all_right * 30 < 28 * loops else 0)


if __name__ == "__main__":
    main()
