#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""formats_test.py ROOFMARK SOURCE: files that released versions wrote (tests/formats/VERSION) stay
readable, with the values that were recorded: each is read by the command, keeps the rows of its CSV
that hold what was measured, and fits today's schema. `--record` writes the rows of a new folder.
Rows of the model are not kept: later versions may explain more, or better."""
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None
COMMAND, SOURCE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
MEASURED = ("timer", "counting", "declared", "perf_event", "papi")
SCHEMAS = {"roofline": "roofline", "part0": "roofline", "part1": "roofline", "machine": "machine", "samples": "samples",
           "executed": "executed", "nests": "nests"}


def command(*arguments, statuses=(0,)):
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in statuses, f"roofmark {' '.join(map(str, arguments))}: {done.returncode}: {done.stderr}"
    return done.stdout + (done.stderr if 0 not in statuses else "")


def measured(csv):
    header, *rows = csv.splitlines()
    kept = [row for row in rows if row.split(",")[3:4] and row.split(",")[3] in MEASURED and ",modelled," not in row]
    return [header] + [row for row in kept if not row.split(",")[1].startswith("gain_")]


def check(folder, scratch):
    found = {}
    found["roofline.csv"] = measured(command("report", folder / "roofline.json", "--csv", "-"))
    command("report", folder / "roofline.json", "--machine", folder / "machine.json", "--json", scratch / "analysis.json", "--force")
    assert json.loads((scratch / "analysis.json").read_text()), "no analysis"
    merged = scratch / "merged.json"
    command("merge", folder / "part0.json", folder / "part1.json", "-o", merged)
    found["parts.csv"] = measured(command("report", merged, "--csv", "-"))
    # What was executed is read; the program itself need not be there any more.
    said = command("nests", folder / "executed.json", "--samples", folder / "samples.json", statuses=(0, 1))
    assert "version" not in said and "format" not in said, said
    for name, rows in found.items():
        kept = folder / name
        if "--record" in sys.argv:
            kept.write_text("\n".join(rows) + "\n")
        missing = [row for row in kept.read_text().splitlines() if row not in rows]
        assert not missing and len(rows) > 10, f"{folder.name}/{name}: rows that were read otherwise once:\n" + "\n".join(missing)
    if jsonschema is None:
        print("python3-jsonschema is not installed: schemas were not checked")
        return
    for name, kind in SCHEMAS.items():
        schema = json.loads((SOURCE / f"docs/{kind}.schema.json").read_text())
        jsonschema.validate(json.loads((folder / f"{name}.json").read_text()), schema)


def main():
    import tempfile
    folders = sorted((SOURCE / "tests/formats").iterdir())
    assert folders
    for folder in folders:
        with tempfile.TemporaryDirectory(prefix="roofmark-formats-") as scratch:
            check(folder, pathlib.Path(scratch))
        print(f"ok: {folder.name}")


main()
