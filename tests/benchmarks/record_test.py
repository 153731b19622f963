# SPDX-License-Identifier: BSD-3-Clause
"""record_test.py SOURCE: what benchmarks/record.py writes, and where."""
import contextlib
import datetime
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "benchmarks"))
import record

CPUINFO = """processor\t: 0
vendor_id\t: AuthenticAMD
cpu family\t: 26
model\t\t: 2
model name\t: AMD EPYC 9755 128-Core Processor
flags\t\t: fpu hypervisor

processor\t: 1
model name\t: another
"""
NOVEMBER = datetime.datetime(2026, 11, 21, 7, 5, tzinfo=datetime.timezone.utc)


class Names(unittest.TestCase):
    def test_the_machine_is_named_by_its_first_processor(self):
        facts = record.cpu_facts(CPUINFO)
        self.assertEqual(record.machine_text(facts, 2), "AMD EPYC 9755 128-Core Processor (family 26, model 2), "
                         "2 CPUs, virtual machine")
        self.assertEqual(record.folder_name(facts, 2, NOVEMBER),
                         "amd-epyc-9755-128-core-family-26-2-cpus-2026-11")

    def test_marks_of_intel_names_are_left_out(self):
        facts = {"vendor_id": "GenuineIntel", "model name": "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz"}
        self.assertEqual(record.folder_name(facts, 40, NOVEMBER), "intel-xeon-gold-6148-40-cpus-2026-11")


class Pages(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def page(self, name):
        (path,) = self.folder.glob(f"*/{name}.md")
        return path.read_text()

    def record(self, body):
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(io.StringIO()):
            try:
                with record.Recorder(self.folder, "table"):
                    body()
            except SystemExit:
                pass
        return shown.getvalue()

    def test_output_is_shown_and_written(self):
        self.assertEqual(self.record(lambda: print("| a |\n|---|\n| 1 |")), "| a |\n|---|\n| 1 |\n")
        self.assertTrue(self.page("table").startswith("# table\n\n- Command: `"))
        self.assertTrue(self.page("table").endswith("\n\n| a |\n|---|\n| 1 |\n"))
        self.assertIn("- Exit status: 0\n", self.page("table"))

    def test_a_failure_is_written_with_its_status(self):
        self.record(lambda: sys.exit(3))
        self.assertIn("- Exit status: 3\n", self.page("table"))
        self.record(lambda: sys.exit("a reason"))
        self.assertIn("- Exit status: 1\n", self.page("table"))

    def test_without_a_folder_nothing_is_written(self):
        with record.Recorder(None, "table"):
            pass
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_any_command_can_be_recorded(self):
        done = subprocess.run([sys.executable, ROOT / "benchmarks/record.py", "--into", self.folder, "shell", "--",
                               "sh", "-c", "echo plain text; exit 4"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (4, "plain text\n"))
        self.assertIn("- Command: `sh -c 'echo plain text; exit 4'`\n- Exit status: 4\n", self.page("shell"))
        self.assertTrue(self.page("shell").endswith("```\nplain text\n```\n"))


if __name__ == "__main__":
    unittest.main()
