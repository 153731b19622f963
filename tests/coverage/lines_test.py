# SPDX-License-Identifier: BSD-3-Clause
"""tests/coverage/lines.py on what gcov says, and on a small program if gcc and gcov are here."""
import collections
import contextlib
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tests/coverage"))
import lines


def document(name, counts):
    return {"current_working_directory": "/src/build",
            "files": [{"file": name, "lines": [{"line_number": n, "count": c} for n, c in counts.items()]}]}


class Sums(unittest.TestCase):
    def test_lines_of_several_objects_are_one(self):
        executed = collections.defaultdict(dict)
        lines.add(document("../lib/a.h", {1: 0, 2: 3}), "/src", executed)
        lines.add(document("/src/lib/a.h", {1: 1, 3: 0}), "/src", executed)
        self.assertEqual(executed, {"lib/a.h": {1: 1, 2: 3, 3: 0}})
        self.assertEqual(lines.share(executed["lib/a.h"]), (2, 3))

    def test_what_has_no_bar_is_left_out(self):
        executed = collections.defaultdict(dict)
        for name in ("/usr/include/c++/vector", "/src/tests/a.cc", "/src/command/main.cc",
                     "/src/collectors/counting/valgrind/tool/main.c"):
            lines.add(document(name, {1: 1}), "/src", executed)
        self.assertEqual(executed, {})

    def test_neighbours_among_lines_with_code_are_one_range(self):
        self.assertEqual(lines.ranges({1: 1, 3: 0, 7: 0, 9: 2, 12: 0}), "3-7 12")
        self.assertEqual(lines.ranges({1: 1}), "")

    def report(self, executed, with_ranges=False, reasons=None):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            holds = lines.report(executed, with_ranges, reasons or {})
        return holds, text.getvalue()

    def test_folder_without_any_line_does_not_hold(self):
        self.assertFalse(self.report({"lib/a.cc": {1: 1}})[0])

    def test_bar_and_files_below_it(self):
        good = {f"{folder}/a.cc": {n: 1 for n in range(10)} for folder in lines.BARS}
        self.assertTrue(self.report(good)[0])
        good["lib/x/b.cc"] = {1: 1, 2: 0, 4: 0}
        holds, text = self.report(good, with_ranges=True, reasons={"lib": "rare"})
        self.assertFalse(holds)
        self.assertIn("| lib | 13 | 11 | 84.6 | 90, **not held** |", text)
        self.assertIn("| `lib/x` | 3 | 1 | 33.3 |", text)
        self.assertIn("| `lib/x/b.cc` | 33 | 2-4 | rare |", text)

    def test_file_without_a_reason_is_shown_as_such(self):
        good = {f"{folder}/a.cc": {n: 1 for n in range(100)} for folder in lines.BARS}
        good["lib/b.cc"] = {1: 0}
        holds, text = self.report(good)
        self.assertTrue(holds)
        self.assertIn("| `lib/b.cc` | 0 | 1 | – |", text)


class Reasons(unittest.TestCase):
    def test_innermost_folder_wins(self):
        reasons = lines.reasons_of("# why\n\nlib/x: a: b\nlib: c\n")
        self.assertEqual(reasons, {"lib/x": "a: b", "lib": "c"})
        self.assertEqual(lines.reason_of("lib/x/y.cc", reasons), "a: b")
        self.assertEqual(lines.reason_of("lib/z.cc", reasons), "c")
        self.assertIsNone(lines.reason_of("mpi/z.cc", reasons))

    def test_each_is_given_for_something_that_exists(self):
        for path, reason in lines.reasons_of(lines.REASONS.read_text()).items():
            self.assertTrue((ROOT / path).exists(), path)
            self.assertGreater(len(reason), 10, path)


@unittest.skipUnless(shutil.which("gcc") and shutil.which("gcov"), "needs gcc and gcov")
class Program(unittest.TestCase):
    def test_executed_and_other_lines_of_a_program(self):
        with tempfile.TemporaryDirectory() as folder:
            source, build = pathlib.Path(folder).resolve() / "source", pathlib.Path(folder).resolve() / "build"
            (source / "lib").mkdir(parents=True)
            (build / "lib").mkdir(parents=True)
            (source / "lib/a.c").write_text("int main(int n, char** v) {\n  if (n > 1)\n    return 3;\n  return 0;\n}\n")
            subprocess.run(["gcc", "--coverage", "-c", source / "lib/a.c", "-o", "a.o"], cwd=build / "lib", check=True)
            subprocess.run(["gcc", "--coverage", "a.o", "-o", "a"], cwd=build / "lib", check=True)
            subprocess.run([build / "lib/a"], cwd=build / "lib", check=True)
            notes = next(build.rglob("*.gcno"))
            executed = collections.defaultdict(dict)
            for found in lines.documents_of(shutil.which("gcov"), notes):
                lines.add(found, str(source), executed)
            counts = executed["lib/a.c"]
            self.assertEqual((counts[2], counts[3], counts[4]), (1, 0, 1))


unittest.main()
