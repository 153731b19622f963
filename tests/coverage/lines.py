# SPDX-License-Identifier: BSD-3-Clause
"""Lines that tests executed, by folder and by file, from what gcov says of a build.

lines.py BUILD SOURCE [--uncovered]

A line counts once, however many objects have it, and is executed if it is in one of them. Files that no test loads
count with all of their lines. Why a file is below the bar is read from reasons.txt beside this script, where it is
known. Exit status 1 if a folder is below its bar.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

BARS = {"markers": 90, "collectors": 90, "mpi": 90, "lib": 90}
REASONS = pathlib.Path(__file__).with_name("reasons.txt")
# No test can count them with gcov, which needs libc: a static program under Valgrind's core.
OUTSIDE = ("collectors/counting/valgrind/tool/",)


def documents_of(gcov, notes):
    """What gcov says of one object; {} if it cannot read it."""
    done = subprocess.run([gcov, "--json-format", "--stdout", notes.name], cwd=notes.parent, capture_output=True,
                          text=True, check=False)
    decoder, found, text = json.JSONDecoder(), [], done.stdout.strip()
    while text:
        document, end = decoder.raw_decode(text)
        found.append(document)
        text = text[end:].lstrip()
    return found


def add(document, root, executed):
    """Adds a document to {file: {line: times}}; of files below `root` that have a bar."""
    for file in document["files"]:
        path = os.path.normpath(os.path.join(document["current_working_directory"], file["file"]))
        if not path.startswith(root + os.sep):
            continue
        name = os.path.relpath(path, root)
        if name.split(os.sep)[0] not in BARS or name.startswith(OUTSIDE):
            continue
        lines = executed[name]
        for line in file["lines"]:
            number = line["line_number"]
            lines[number] = lines.get(number, 0) + line["count"]


def share(lines):
    """(executed, all) of {line: times}."""
    return sum(1 for times in lines.values() if times > 0), len(lines)


def percent(executed, lines):
    return 100 * executed / lines if lines else 100.0


def ranges(lines):
    """Lines that were not executed, as '3-5 9'; neighbours are those beside each other among lines with code."""
    runs, last = [], None
    for number in sorted(lines):
        if lines[number] == 0:
            if last is not None and runs:
                runs[-1][1] = number
            else:
                runs.append([number, number])
            last = number
        else:
            last = None
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def reasons_of(text):
    """{file or folder: reason}, from lines 'PATH: reason'; # begins a comment."""
    found = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            path, _, reason = line.partition(": ")
            found[path] = reason.strip()
    return found


def reason_of(name, reasons):
    """That of the file, or of the innermost folder around it that has one; None if there is none."""
    path = pathlib.PurePosixPath(name)
    return next((reasons[str(at)] for at in (path, *path.parents) if str(at) in reasons), None)


def sums_by(executed, key):
    """{key(file): (executed, all)}."""
    sums = collections.defaultdict(lambda: (0, 0))
    for name, lines in executed.items():
        hit, total = share(lines)
        sums[key(name)] = (sums[key(name)][0] + hit, sums[key(name)][1] + total)
    return sums


def report_folders(executed):
    """Prints the table of folders with a bar, and that of all folders; does every bar hold?"""
    holds, sums = True, sums_by(executed, lambda name: name.split("/")[0])
    print("| folder | lines | executed | % | bar |\n|---|---|---|---|---|")
    for folder, bar in BARS.items():
        hit, total = sums[folder]
        good = total > 0 and percent(hit, total) >= bar
        holds = holds and good
        print(f"| {folder} | {total} | {hit} | {percent(hit, total):.1f} | {bar}{'' if good else ', **not held**'} |")
    print("\n| each folder | lines | executed | % |\n|---|---|---|---|")
    for folder, (hit, total) in sorted(sums_by(executed, os.path.dirname).items()):
        print(f"| `{folder}` | {total} | {hit} | {percent(hit, total):.1f} |")
    return holds


def report(executed, with_ranges, reasons):
    """Prints all tables; does every folder hold its bar?"""
    holds, below = report_folders(executed), []
    for name, lines in executed.items():
        hit, total = share(lines)
        if percent(hit, total) < BARS[name.split("/")[0]]:
            below.append((total - hit, percent(hit, total), name))
    print(f"\n{len(below)} of {len(executed)} files are below it:\n")
    print("| file | % | lines not executed | why |\n|---|---|---|---|")
    for missed, value, name in sorted(below, reverse=True):
        reason = reason_of(name, reasons)
        which = ranges(executed[name]) if with_ranges else str(missed)
        print(f"| `{name}` | {value:.0f} | {which} | {reason or '–'} |")
    return holds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--uncovered", action="store_true", help="name the lines, not only how many they are")
    arguments = parser.parse_args()
    gcov, root = shutil.which("gcov"), str(arguments.source.resolve())
    if gcov is None:
        sys.exit("lines.py: gcov not found (it comes with gcc)")
    notes = [path for folder in BARS for path in (arguments.build / folder).rglob("*.gcno")]
    if not notes:
        sys.exit(f"lines.py: {arguments.build} has no build for gcov (preset coverage)")
    executed = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for documents in pool.map(lambda path: documents_of(gcov, path.resolve()), notes):
            for document in documents:
                add(document, root, executed)
    return 0 if report(executed, arguments.uncovered, reasons_of(REASONS.read_text())) else 1


if __name__ == "__main__":
    sys.exit(main())
