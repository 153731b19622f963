# SPDX-License-Identifier: BSD-3-Clause
"""outcomes.py {skipped|failed|count|times} LOG...: of logs of ctest (LastTest.log): the skipped tests, each
with the reason that it printed; the failed ones, each with what it printed; how many tests there were; the
dearest twenty. An entry of ctest is a script, or a share of a program with many tests (tests/support/runner.h),
which prints a line for each."""
import re
import sys

LINES = 25   # of a failed test
MOST = 20    # failed tests
DEAREST = 20
ENDED = re.compile(r"^\[ *(OK|SKIPPED|FAILED) *\] (\S+) \((\d+) ms\)$")


class Test:
    """A test: name, passed, skipped or failed, seconds, and the lines that it printed."""

    def __init__(self, name, outcome, seconds, lines):
        self.name, self.outcome, self.seconds, self.lines = name, outcome, seconds, lines

    def reason(self):
        text = "\n".join(self.lines)
        found = re.search(r": Skipped\n(.+)", text) or re.search(r"SKIP: (.+)", text)
        return found.group(1).strip() if found else "no reason given"

    def shown(self):
        """What GoogleTest says of a failure stands before its closing lines."""
        end = max(0, len(self.lines) - LINES)
        first = next((at for at, line in enumerate(self.lines) if "Failure" in line), end)
        return self.lines[first:first + LINES] or ["no output"]


def tests_of(name, block):
    """Of one entry of ctest."""
    said = re.search(r"\nOutput:\n-+\n(.*?)\n?<end of output>", block, re.S)
    lines, tests, own = said.group(1).splitlines() if said else [], [], []
    for line in lines:
        ended = ENDED.match(line)
        if ended:
            outcome = {"OK": "passed", "SKIPPED": "skipped", "FAILED": "failed"}[ended.group(1)]
            tests.append(Test(ended.group(2), outcome, int(ended.group(3)) / 1000, own))
            own = []
        else:
            own.append(line)
    passed = "\nTest Pass" in block
    skipped = not tests and ("SKIP:" in block or "\nTest Skipped" in block or "***Skipped" in block)
    if not tests or (not passed and all(each.outcome != "failed" for each in tests)):
        time = re.search(r"\nTest time = +([\d.]+)", block)
        outcome = "skipped" if skipped else "passed" if passed else "failed"
        tests.append(Test(name, outcome, float(time.group(1)) if time else 0, own))
    return tests


def read(logs):
    tests = []
    for log in logs:
        text = open(log, errors="replace").read()
        for block in re.split(r"\n(?=\d+/\d+ Testing: )", text):
            name = re.match(r"\d+/\d+ Testing: (\S+)", block)
            if name:
                tests += tests_of(name.group(1), block)
    return tests


def skipped(tests):
    for test in tests:
        if test.outcome == "skipped":
            print(f"  {test.name}: {test.reason()}")


def failed(tests):
    found = [test for test in tests if test.outcome == "failed"]
    for test in found[:MOST]:
        print(f"== {test.name}, {test.seconds:.2f} s")
        print("\n".join(test.shown()))
    if len(found) > MOST:
        print(f"== and {len(found) - MOST} more")


def count(tests):
    number = {outcome: sum(test.outcome == outcome for test in tests) for outcome in ("passed", "skipped", "failed")}
    print(f"{len(tests)} tests: " + ", ".join(f"{number[each]} {each}" for each in number))


def times(tests):
    for test in sorted(tests, key=lambda each: -each.seconds)[:DEAREST]:
        print(f"{test.seconds:8.2f} s  {test.name}")


if __name__ == "__main__":
    {"skipped": skipped, "failed": failed, "count": count, "times": times}[sys.argv[1]](read(sys.argv[2:]))
