# SPDX-License-Identifier: BSD-3-Clause
"""verdict.py PLAN CONSOLE: judges what a guest printed.

Exits 0 only if every program of the plan said that it ended well after at least one test passed,
the guest reached its end, and its kernel did not complain. With one argument prints the plan as the
guest's list: a line for each program, its filter behind it.
"""
import re
import sys

COMPLAINTS = r"BUG:|Oops|WARNING: CPU|Kernel panic|general protection fault"


def read_plan(path):
    """[(program, pattern to run, [(pattern to skip, reason)])]"""
    plan = []
    for line in open(path):
        words = line.split(maxsplit=2)
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "run":
            plan.append([words[1], "*", []])
        elif words[0] == "only":
            plan[-1][1] = words[1]
        else:
            plan[-1][2].append((words[1], words[2].strip()))
    return plan


def judge(plan, text):
    problems = [f"the kernel says: {line.strip()}" for line in text.splitlines()
                if re.search(COMPLAINTS, line)]
    if "kernel-test: end after" not in text:
        problems.append("the guest did not reach its end")
    tests = 0
    # In the order of the plan, which may name a program several times.
    blocks = re.finditer(r"kernel-test: start (\S+)\n(.*?)kernel-test: \1 exit (\d+)", text, re.S)
    for program, _, skips in plan:
        block = next(blocks, None)
        passed = block and re.search(r"\[  PASSED  \] (\d+) test", block[2])
        if not block or block[1] != program:
            problems.append(f"{program} was not run to its end")
        elif block[3] != "0" or not passed or passed[1] == "0":
            problems.append(f"{program} failed (exit {block[3]})")
        else:
            tests += int(passed[1])
            print(f"{program}: {passed[1]} tests passed")
            skipped = re.findall(r"\[ RUN      \] (\S+)\n.*: Skipped\n(.+)", block[2])
            for name, reason in skipped:
                print(f"  left out: {name}: {reason}")
        for pattern, reason in skips:
            print(f"  left out: {pattern}: {reason}")
    return problems, tests


def failures(text):
    """What each failed test printed."""
    tests = [test.split("[----------]")[0] for test in text.split("[ RUN      ] ")[1:]]
    return "\n".join(test.split("[  FAILED  ]")[0][:2000] for test in tests
                     if "[  FAILED  ]" in test)


def main():
    plan = read_plan(sys.argv[1])
    if len(sys.argv) == 2:
        for program, only, skips in plan:
            print(program, f"--here --gtest_filter={only}-" + ":".join(pattern for pattern, _ in skips))
        return
    text = open(sys.argv[2], errors="replace").read().replace("\r", "")
    problems, tests = judge(plan, text)
    for line in re.findall(r"kernel-test: (\S+ up after .*|end after .*)", text):
        print(line)
    if problems:
        print(text[-6000:] if tests == 0 else failures(text))
        sys.exit("FAILED: " + "; ".join(problems))
    print(f"all {tests} tests passed in the guest")


main()
