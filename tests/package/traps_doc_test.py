# SPDX-License-Identifier: BSD-3-Clause
"""traps_doc_test.py SOURCE: each test that docs/counters.md names exists."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
tests = set()
for path in (source / "tests").rglob("*_test.cc"):
    tests.update(re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", path.read_text(), re.MULTILINE))
rows = [row for row in (source / "docs/counters.md").read_text().splitlines()
        if row.startswith("| ") and not row.startswith("| Trap")]
failures = []
for row in rows:
    named = re.findall(r"`(\w+)\.(\w+)`", row)
    if not named:
        failures.append(f"no test is named for: {row.split('|')[1].strip()}")
    failures += [f"{suite}.{name} is no test" for suite, name in named
                 if (suite, name) not in tests]
print("\n".join(failures) if failures else f"{len(rows)} traps have tests")
sys.exit(1 if failures or len(rows) < 15 else 0)
