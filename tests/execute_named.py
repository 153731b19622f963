# SPDX-License-Identifier: BSD-3-Clause
"""execute_named.py BUILD NAME: executes the tests whose name contains NAME, of all programs of tests below BUILD, and
the entries of ctest that are no such program and whose name does. NAME may be a filter of GoogleTest
(`Suite.Test`, `*a*:*b*`). Programs labelled `long` are left out. Exit status 0 if there are tests, and all
passed."""
import json
import os
import pathlib
import subprocess
import sys


def programs(build):
    """Path, seconds that a test may take, label, and variables of each test program."""
    for line in (build / "tests/programs.txt").read_text().splitlines():
        path, seconds, label, *variables = line.split()
        yield path, seconds, label, dict(each.split("=", 1) for each in variables)


def execute_programs(build, wanted):
    """How many programs have such tests, and of how many one failed."""
    ran = failed = 0
    for path, seconds, label, variables in programs(build):
        if label == "long" or not os.access(path, os.X_OK):
            continue
        environment = os.environ | variables
        listed = subprocess.run([path, "--gtest_list_tests", f"--gtest_filter={wanted}"], env=environment,
                                capture_output=True, text=True, check=True).stdout
        if not any(line.startswith("  ") for line in listed.splitlines()):
            continue
        print(f"{os.path.basename(path)}:", flush=True)
        ran += 1
        failed += subprocess.run([path, f"--seconds={seconds}", f"--gtest_filter={wanted}"],
                                 env=environment, cwd=build / "tests").returncode != 0
    return ran, failed


def execute_entries(build, name):
    """The same of ctest's other entries, taken together."""
    ctest = ["ctest", "--test-dir", str(build)]
    entries = json.loads(subprocess.run(ctest + ["--show-only=json-v1"], capture_output=True, check=True).stdout)
    own = {os.path.basename(path) for path, *_ in programs(build)}
    names = [each["name"] for each in entries["tests"]]
    names = [each for each in names if name in each and each.split(".")[0] not in own]
    if not names:
        return 0, 0
    chosen = "|".join(each.replace(".", "[.]") for each in names)
    return 1, subprocess.run(ctest + ["--output-on-failure", "-R", f"^({chosen})$"]).returncode != 0


def main():
    build, name = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    filters = name if set(name) & set("*?:") else f"*{name}*"
    ran, failed = map(sum, zip(execute_programs(build, filters), execute_entries(build, name)))
    if ran == 0:
        print(f"no test has {name} in its name")
    return 0 if ran and not failed else 1


sys.exit(main())
