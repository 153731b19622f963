# SPDX-License-Identifier: BSD-3-Clause
"""outcomes.py {skipped|failed} LOG: of a ctest log, the skipped tests, each with the reason that it
printed; or the failed ones, each with the end of what it printed."""
import re
import sys

LINES = 25  # of a failed test
MOST = 20   # failed tests


def blocks(log):
    """Name and output of each test."""
    for block in re.split(r"\n(?=\d+/\d+ Testing: )", log):
        name = re.match(r"\d+/\d+ Testing: (\S+)", block)
        if name:
            yield name.group(1), block


def skipped(log):
    for name, block in blocks(log):
        if "SKIPPED" not in block and "SKIP:" not in block:
            continue
        reason = re.search(r": Skipped\n(.+)", block) or re.search(r"SKIP: (.+)", block)
        print(f"  {name}: {reason.group(1).strip() if reason else 'no reason given'}")


def failed(log):
    found = [(name, block) for name, block in blocks(log) if "\nTest Pass" not in block]
    for name, block in found[:MOST]:
        said = re.search(r"\nOutput:\n-+\n(.*?)\n?<end of output>", block, re.S)
        lines = said.group(1).splitlines() if said else ["no output"]
        # What GoogleTest says of a failure stands before its closing lines.
        end = max(0, len(lines) - LINES)
        first = next((at for at, line in enumerate(lines) if "Failure" in line), end)
        time = re.search(r"\nTest time = +(.+)", block)
        print(f"== {name}{', ' + time.group(1) if time else ''}")
        print("\n".join(lines[first:first + LINES]))
    if len(found) > MOST:
        print(f"== and {len(found) - MOST} more")


{"skipped": skipped, "failed": failed}[sys.argv[1]](open(sys.argv[2], errors="replace").read())
