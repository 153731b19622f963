# SPDX-License-Identifier: BSD-3-Clause
"""run_test.py ROOT: tests/mutants/run on a checkout of one file, with a cmake and a test program that are played."""
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
SOURCE = "one\n  two\nthree\nfour\n"

# Builds all of a source but the word `broken`, and never ends at `endless`.
CMAKE = r'''#!/bin/sh
echo "$*" >>builds
if grep -q broken lib/model/a.cc; then echo "a.cc: error"; exit 1; fi
if grep -q endless lib/model/a.cc; then touch waits; exec sleep 1000; fi
cp lib/model/a.cc built
'''

# A.B looks at `one`, A.C at `two`.
PROGRAM = r'''#!/bin/sh
if [ "$1" = --gtest_list_tests ]; then printf 'A.  # T = int\n  B\n  C  # GetParam() = 7\n'; exit 0; fi
status=0
grep -q one built || { echo "[  FAILED  ] A.B (0 ms)"; status=1; }
grep -q two built || { echo "[  FAILED  ] A.C (0 ms)"; status=1; }
exit $status
'''


def entry(name, before, after, tests="A.*"):
    return f"{name}\nlib/model/a.cc\n- {before}\n+ {after}\nwhy: it matters\ntest: {tests}\n\n"


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.addCleanup(self.end_what_is_left)
        for name in ("tests/mutants", "bin", "build/dev/tests", "lib/model"):
            (self.folder / name).mkdir(parents=True)
        for name in ("run", "mutants.py"):
            shutil.copy(ROOT / "tests/mutants" / name, self.folder / "tests/mutants" / name)
        self.source = self.folder / "lib/model/a.cc"
        self.source.write_text(SOURCE)
        for name, text in (("bin/cmake", CMAKE), ("build/dev/tests/one_test", PROGRAM)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def begin(self, entries, *arguments):
        (self.folder / "tests/mutants/list.txt").write_text("# why\n\n" + "".join(entries))
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return subprocess.Popen([self.folder / "tests/mutants/run", *arguments], env={**os.environ, "PATH": path},
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def execute(self, entries, *arguments):
        process = self.begin(entries, *arguments)
        output, _ = process.communicate()
        self.assertEqual(self.source.read_text(), SOURCE)
        return process.returncode, output

    def builds(self):
        return len((self.folder / "builds").read_text().splitlines())

    def test_found_ones_are_not_tried_again(self):
        some = [entry("first", "one", "1"), entry("second", "two", "2")]
        status, output = self.execute(some)
        self.assertEqual(status, 0, output)
        self.assertIn("| first | `lib/model/a.cc` | found | A.B |", output)
        self.assertIn("| second | `lib/model/a.cc` | found | A.C |", output)
        self.assertIn("2 of 2 mutants were found", output)
        builds = self.builds()
        self.assertEqual(self.execute(some)[0], 0)
        self.assertEqual(self.builds(), builds)
        self.assertEqual(self.execute(some, "--again", "second")[0], 0)
        self.assertEqual(self.builds(), builds + 3, "before, with it, and after")

    def test_what_no_test_finds_is_said(self):
        status, output = self.execute([entry("first", "one", "1"), entry("third", "three", "3")])
        self.assertEqual(status, 1)
        self.assertIn("| third | `lib/model/a.cc` | **not found** |", output)
        self.assertIn("1 of 2 mutants were found", output)

    def test_faults_of_the_list_are_no_findings(self):
        for wrong, reason in ((entry("x", "one", "broken"), "does not compile"), (entry("x", "five", "5"), "0 times"),
                              (entry("x", "one", "1", "Z.*"), "no program"), ("x\n\n", "not name, file")):
            status, output = self.execute([wrong])
            self.assertEqual(status, 2, output)
            self.assertIn(reason, output)

    def test_a_test_that_is_red_anyway_finds_nothing(self):
        (self.folder / "build/dev/tests/one_test").write_text(PROGRAM.replace("grep -q one", "grep -q never"))
        status, output = self.execute([entry("first", "one", "1")])
        self.assertEqual(status, 2)
        self.assertIn("red without it: A.B", output)

    def test_the_file_is_put_back_whatever_ends_the_script(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            with self.subTest(number):
                (self.folder / "waits").unlink(missing_ok=True)
                process = self.begin([entry("first", "one", "endless")], "--again")
                while not (self.folder / "waits").exists():
                    time.sleep(0.02)
                self.assertNotEqual(self.source.read_text(), SOURCE)
                os.kill(process.pid, number)
                process.wait()
                while self.source.read_text() != SOURCE:
                    self.assertEqual(number, signal.SIGKILL, "else it is back before the end")
                    time.sleep(0.02)
                process.stdout.close()

    def end_what_is_left(self):
        """The played compiler of a script that was killed."""
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{name}/cwd") == str(self.folder):
                    os.kill(int(name), signal.SIGKILL)
            except OSError:
                continue  # it has ended, or is not ours


unittest.main()
