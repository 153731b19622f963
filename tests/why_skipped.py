# SPDX-License-Identifier: BSD-3-Clause
"""Lists the skipped tests of a ctest log, each with the reason that it printed."""
import re
import sys

log = open(sys.argv[1], errors="replace").read()
for block in re.split(r"\n(?=\d+/\d+ Testing: )", log):
    name = re.match(r"\d+/\d+ Testing: (\S+)", block)
    if not name or "SKIPPED" not in block and "SKIP:" not in block:
        continue
    reason = re.search(r": Skipped\n(.+)", block) or re.search(r"SKIP: (.+)", block)
    print(f"  {name.group(1)}: {reason.group(1).strip() if reason else 'no reason given'}")
