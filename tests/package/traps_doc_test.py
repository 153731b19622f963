# SPDX-License-Identifier: BSD-3-Clause
"""traps_doc_test.py SOURCE: each test that docs/counters.md names exists, and each trap names one."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
tests = set()
for path in (source / "tests").rglob("*_test.cc"):
    tests.update(re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", path.read_text(), re.MULTILINE))
traps = re.split(r"^### ", (source / "docs/counters.md").read_text(), flags=re.MULTILINE)[1:]
failures = []
for trap in traps:
    named = re.findall(r"`(\w+)\.(\w+)`", trap)
    if not named:
        failures.append(f"no test is named for: {trap.splitlines()[0]}")
    failures += [f"{suite}.{name} is no test" for suite, name in named
                 if (suite, name) not in tests]
print("\n".join(failures) if failures else f"{len(traps)} traps have tests")
sys.exit(1 if failures or len(traps) < 15 else 0)
