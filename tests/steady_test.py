# SPDX-License-Identifier: BSD-3-Clause
"""steady_test.py ROOT: tests/steady with a ctest that is played. It passes, fails or waits as a file says."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))

# Its n-th run does what the n-th line of `plan` says, the last line for ever.
PLAYED = r'''#!/usr/bin/env python3
import os, pathlib, sys, time
here = pathlib.Path(__file__).parent
if "--print-labels" in sys.argv:
    print("All Labels:\n  fast-races")
    sys.exit(0)
calls = here / "calls"
with calls.open("a") as file:
    file.write(" ".join(sys.argv[1:-1]) + "\n")
plan = (here / "plan").read_text().splitlines()
todo = plan[min(len(calls.read_text().splitlines()), len(plan)) - 1]
if todo == "wait":
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "1000.25"])
    (here / "waits").touch()
    time.sleep(1000)
shards = {"pass": "[ RUN      ] A.B\n[       OK ] A.B (0 ms)\n",
          "fail": "[ RUN      ] A.A\n[       OK ] A.A (0 ms)\n[ RUN      ] A.B\nx.cc:3: Failure\nwrong\n"
                  "[  FAILED  ] A.B (0 ms)\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.B\n",
          "crash": "[ RUN      ] C.D\nhalf\n", "script": "no words of GoogleTest\n",
          "share": "[       OK ] E.E (0 ms)\ny.cc:4: Failure\nbad\n[  FAILED  ] E/E.F/0, where GetParam() = 8 (1 ms)\n"
                   "[       OK ] E.G (0 ms)\n[==========] 3 tests ran in 2 ms\n[  FAILED  ] E/E.F/0\n"}
bad = todo != "pass"
pathlib.Path(sys.argv[-1]).write_text(f"""<testsuite><testcase name="Shard" status="{'fail' if bad else 'run'}">
<system-out>{shards[todo]}</system-out></testcase>
<testcase name="other" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out/></testcase></testsuite>""")
sys.exit(8 if bad else 0)
'''


def busy_processes(folder):
    """Processes of this checkout's script, the script itself included."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = pathlib.Path("/proc", name, "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if f"{folder}/tests/steady" in command:
            found.append(int(name))
    return found


def is_alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except OSError:
        return False


class Steady(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.addCleanup(self.end_what_is_left)
        for name in ("tests", "bin", "build/dev"):
            (self.folder / name).mkdir(parents=True)
        script = (ROOT / "tests/steady").read_text()
        for does, rests in (("while True:\n        pass\n", "while True:\n        time.sleep(1)\n"),
                            ("            file.seek(0)\n", "            time.sleep(1)\n"), ("64 << 20", "1 << 20")):
            self.assertEqual(script.count(does), 1)
            script = script.replace(does, rests)  # the load is there, and takes no time from other tests
        (self.folder / "tests/steady").write_text(script)
        (self.folder / "tests/steady").chmod(0o755)
        (self.folder / "bin/ctest").write_text(PLAYED)
        (self.folder / "bin/ctest").chmod(0o755)

    def end_what_is_left(self):
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{name}/cwd") == str(self.folder):
                    os.kill(int(name), signal.SIGKILL)
            except OSError:
                continue  # it has ended, or is not ours

    def plan(self, *lines):
        (self.folder / "bin/plan").write_text("\n".join(lines))

    def begin(self, *arguments):
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return subprocess.Popen([self.folder / "tests/steady", *arguments], env={**os.environ, "PATH": path}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.folder)

    def execute(self, *arguments):
        process = self.begin(*arguments)
        output, _ = process.communicate()
        return process.returncode, output

    def calls(self):
        return (self.folder / "bin/calls").read_text().splitlines()

    def test_runs_are_counted_and_go_on_where_they_stopped(self):
        self.plan("pass")
        status, output = self.execute("2")
        self.assertEqual((status, len(self.calls())), (0, 2), output)
        self.assertIn("run 2 of 2", output)
        self.assertIn("2 tests in", output)
        self.assertIn("2 runs of unknown; 0 tests failed", output)
        self.assertEqual(self.execute("3")[0], 0)
        self.assertEqual(len(self.calls()), 3)
        self.assertEqual(self.execute("3", "--again")[0], 0)
        self.assertEqual(len(self.calls()), 6)
        self.assertRegex(self.calls()[0], r"^--preset dev -LE long\|exhaustive -j \d+ .*--output-junit$")

    def test_what_failed_once_is_listed_with_what_it_printed(self):
        self.plan("pass", "fail", "crash", "fail", "script", "share")
        status, output = self.execute("6")
        self.assertEqual(status, 1)
        self.assertIn("== A.B: failed 2 of 6 times; the first time it printed:\nx.cc:3: Failure\nwrong\n", output)
        self.assertIn("== C.D: failed 1 of 6 times; the first time it printed:\nhalf\n", output)
        self.assertIn("== E/E.F/0: failed 1 of 6 times; the first time it printed:\ny.cc:4: Failure\nbad\n", output)
        self.assertIn("4 tests in", output, "three in the share, and the other entry")
        self.assertIn("== Shard: failed 1 of 6 times", output)
        self.assertNotIn("A.A:", output)
        self.assertEqual(self.execute("6")[0], 1, "it stays known")

    def test_each_takes_a_label_or_names(self):
        self.plan("pass")
        for given, expected in (("races", "-L races"), ("Race.*", "-R Race.*")):
            self.assertEqual(self.execute("--each", "1", given)[0], 0)
            self.assertIn(f"--preset dev {expected} -j", self.calls()[-1])
        self.assertEqual(self.execute("1", "--only", "X")[0], 0)
        self.assertIn("-LE long|exhaustive -R X", self.calls()[-1])

    def wait_for_no_process(self, children):
        """The load, and what ctest started."""
        while any(map(is_alive, children)) or busy_processes(self.folder):
            time.sleep(0.05)

    def interrupted_by(self, number):
        self.plan("pass", "wait")
        process = self.begin("3")
        while not (self.folder / "bin/waits").exists():
            time.sleep(0.05)
        self.assertEqual(len(busy_processes(self.folder)), 8, "the script, six busy processes, and a writer")
        children = self.below(process.pid)
        self.assertGreaterEqual(len(children), 9)
        os.kill(process.pid, number)
        output, _ = process.communicate()
        return process.returncode, output, children

    def below(self, parent):
        """Processes under one, by /proc."""
        found, front = [], [parent]
        while front:
            one = front.pop()
            for tasks in pathlib.Path(f"/proc/{one}/task").glob("*/children"):
                some = [int(child) for child in tasks.read_text().split()]
                found += some
                front += some
        return found

    def test_an_interrupted_run_is_not_counted_and_leaves_nothing(self):
        for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            with self.subTest(number):
                (self.folder / "bin/calls").unlink(missing_ok=True)
                (self.folder / "bin/waits").unlink(missing_ok=True)
                shutil.rmtree(self.folder / "build/dev/steady", ignore_errors=True)
                returned, output, children = self.interrupted_by(number)
                self.assertEqual(returned, status, output)
                self.assertIn("1 runs of unknown", output)
                self.wait_for_no_process(children)
                lines = next((self.folder / "build/dev/steady").glob("*.jsonl")).read_text().splitlines()
                self.assertEqual([json.loads(line)["failed"] for line in lines], [{}])
                self.plan("pass")
                self.assertEqual(self.execute("2")[0], 0)
                self.assertEqual(len(self.calls()), 3, "one before, one that was interrupted, one after")

    def test_the_load_ends_with_a_script_that_is_killed(self):
        returned, _, children = self.interrupted_by(signal.SIGKILL)
        self.assertEqual(returned, -signal.SIGKILL)
        while len([pid for pid in children if is_alive(pid)]) > 1:
            time.sleep(0.05)
        self.assertEqual(busy_processes(self.folder), [], "what is left is a test, which ends by itself")


unittest.main()
