# SPDX-License-Identifier: BSD-3-Clause
"""marking_test.py SOURCE: markers of benchmarks/realcodes stand in the bodies of functions, and nowhere else."""
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(sys.argv.pop(1)) / "benchmarks/realcodes"))
from codes import CODES  # noqa: E402
from marking import put_markers  # noqa: E402

TEXT = """int solve(int n);
int again() { return solve(1) + resolve(2); }
int resolve(int n) { return n; }
template <typename T>
int
  solve(T n,
        int (*call)(int))
{
  return call(n);
}
struct Sum {
void operator()(int n)
{
}
};
"""


def marked(marks, text=TEXT):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "code.cc"
        file.write_text(text)
        put_markers(SimpleNamespace(header="roofmark/roofmark.hpp", marks={"code.cc": marks}), Path(folder))
        return file.read_text()


class Marking(unittest.TestCase):
    def test_body_and_not_declaration_nor_call(self):
        self.assertEqual(marked(["solve"]), "#include <roofmark/roofmark.hpp>\n" + TEXT.replace(
            "call)(int))\n{", "call)(int))\n{ ROOF_FUNCTION; "))

    def test_region_of_another_name(self):
        self.assertIn('{ ROOF_REGION_SCOPE("sum"); \n}', marked([(r"struct Sum \{\s*void operator\(\)", "sum")]))

    def test_name_inside_another(self):
        self.assertIn("int resolve(int n) { ROOF_FUNCTION;  return n; }", marked(["resolve", "solve"]))

    def test_missing_function_is_said(self):
        with self.assertRaisesRegex(SystemExit, "code.cc has no function absent"):
            marked(["absent"])

    def test_no_function_is_listed_twice(self):
        for code in CODES.values():
            for marks in code.marks.values():
                self.assertEqual(len(marks), len(set(marks)), code.name)


unittest.main()
