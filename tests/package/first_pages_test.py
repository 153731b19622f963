#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""first_pages_test.py BUILD SHORT|WHOLE: everything on the pages of docs/first works as it is written there.

Installs BUILD into a temporary folder, and for each page writes its programs, executes its commands from top to bottom
in an empty folder, and compares: the status, the regions that the page shows, and FLOPs that its text states. SHORT
lets the programs do less and measures no machine; WHOLE changes nothing but `roofmark machine`, which is quick.
"""
import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "benchmarks/pages"))
import pages  # noqa: E402

# Page: what its program is called with, for less work.
LESS = {"README": ("heat", 8), "c": ("heat", 1), "cxx": ("cg", 2), "fortran": ("product", 64), "openmp": ("charges", 1),
        "mpi": ("halo", 2), "cmake": ("fractal", 64), "makefile": ("stream", 1)}
# FLOPs of one visit that follow from the sources.
POINTS = 1198 * 1198
PER_VISIT = {
    "c": {"sweep": 4 * POINTS, "change": 3 * POINTS},
    "cxx": {"solve/Dot": 2 * 600 * 600, "solve/Add": 2 * 600 * 600, "solve/Multiply": 2 * 5 * 600 * 600 - 4 * 2 * 600},
    "openmp": {"move": 9 * 3000},
    "makefile": {"scale": 4_000_000, "add": 4_000_000, "triad": 8_000_000},
}


def change(name, short):
    """What is typed in place of a command of the page."""
    program, argument = LESS[name]

    def typed(command):
        if not short:
            return command
        command = re.sub(rf"((?:\./|build/){program})$", rf"\1 {argument}", command)
        return command.replace("roofmark run ", "roofmark run --no-machine ")
    return typed


def shown_regions(text):
    """The names in the tables that a page shows."""
    for _, _, wanted, block, _ in pages.OUTPUT.findall(text):
        lines = block.splitlines()
        table = [i for i, line in enumerate(lines) if re.match(r"\s+region\s", line)]
        for line in lines[table[0] + 1:] if table else []:
            row = re.match(r"(?:[A-Z0] | {2})\s*(\S.*?)(?: {2,}| \d| +-)", line)
            if row is None or line == "...":
                break
            if not row[1].startswith(("the same", "(elsewhere)", "(outside)")):
                yield row[1]
            if row[1] == "(program)":  # the last one: what marks mean follows
                break


def rows(folder, program, variables):
    script = "\n".join([*pages.setup(), f"roofmark report {program}.roofline.json --csv -"])
    ended = subprocess.run(["bash", "-c", script], cwd=folder, env=variables, text=True, capture_output=True)
    return list(csv.DictReader(io.StringIO(ended.stdout)))


def wrong_flops(name, table, short):
    expected_of = dict(PER_VISIT.get(name, {}))
    if name == "fortran":
        n = LESS[name][1] if short else 320
        expected_of = {path: 2 * n ** 3 for path in ("by rows", "by columns")}
    for path, expected in expected_of.items():
        of_path = {row["metric"]: float(row["sum"]) for row in table if row["path"] == path and row["sum"]}
        flops = sum(value for metric, value in of_path.items() if metric.startswith("flops_dp_"))
        counted = flops / max(of_path.get("visits", 0), 1)
        if counted != expected:
            yield f"{path}: {counted} FLOPs a visit, {expected} by its source"


def failures(name, place, variables, short):
    if not pages.programs(pages.text_of(name)):
        return [f"{name}: no program was found on the page"]
    printed, status = pages.execute(name, place / name, variables, change(name, short))
    if status != 0:
        return [f"{name}: status {status}\n{printed}"]
    wrong = [f"{name}: {region} is shown on the page, but not printed\n{printed}"
             for region in shown_regions(pages.text_of(name)) if region not in printed]
    if not list(shown_regions(pages.text_of(name))):
        wrong.append(f"{name}: the page shows no region")
    table = rows(place / name, LESS[name][0], variables)
    return wrong + [f"{name}: {text}" for text in wrong_flops(name, table, short)]


def main():
    build, short = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2] == "SHORT"
    if not short and os.environ.get("ROOFMARK_GATES") == "short":
        print("skipped: the short form is the test FirstPages")
        sys.exit(77)
    unknown = {page.stem for page in pages.FIRST.glob("*.md")} ^ set(pages.NAMES)
    wrong = [f"pages.py does not list exactly the pages that there are: {unknown}"] if unknown else []
    with tempfile.TemporaryDirectory(prefix="roofmark-first-") as folder:
        place = pathlib.Path(folder)
        pages.install(build, place / "prefix")
        variables = pages.environment(place / "prefix", place / "cache")
        if not short:
            subprocess.run([place / "prefix/bin/roofmark", "machine", "--quick", "--quiet"], env=variables, check=True)
        for name in pages.NAMES:
            found = failures(name, place, variables, short)
            print(f"{'FAILED' if found else 'ok'}  docs/first/{name}.md", flush=True)
            wrong += found
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


main()
