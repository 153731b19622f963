# SPDX-License-Identifier: BSD-3-Clause
"""notebook_test.py NOTEBOOK: its cells can be executed where it lies, and the outputs that are stored in it are those
of this execution, numbers and sentences aside. Jupyter is not needed.

ROOFMARK_TEST_WRITE_DOCS=1 writes the outputs anew.
"""
import importlib.util
import json
import os
import pathlib
import sys
import unittest

import notebook

CURE = "write them anew: ROOFMARK_TEST_WRITE_DOCS=1 ctest --preset dev -R PythonNotebook"


class Notebook(unittest.TestCase):
    maxDiff = None

    def test_outputs_are_those_of_the_cells(self):
        stored = json.loads(FILE.read_text(encoding="utf-8"))
        os.chdir(FILE.parent)
        executed = notebook.execute(stored)
        if os.environ.get("ROOFMARK_TEST_WRITE_DOCS"):
            FILE.write_text(json.dumps(executed, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            self.skipTest(f"{FILE} written anew")
        self.assertEqual(notebook.structure(stored), notebook.structure(executed), f"outputs of {FILE} are old: {CURE}")


class Executed(unittest.TestCase):
    """The executor, on a notebook of its own."""

    @staticmethod
    def outputs(*sources):
        cells = [{"cell_type": "code", "source": [source], "outputs": []} for source in sources]
        return [cell["outputs"] for cell in notebook.execute({"cells": cells})["cells"]]

    def test_a_cell_shows_its_last_value_and_what_it_prints(self):
        (first, second, third) = self.outputs("x = 2\nprint('a')\nx + 1", "x;", "y = x")
        self.assertEqual(first[0]["text"], ["a\n"])
        self.assertEqual(first[1]["data"], {"text/plain": ["3"]})
        self.assertEqual((second, third), ([], []))

    def test_an_error_ends_it(self):
        with self.assertRaises(ZeroDivisionError):
            self.outputs("1 / 0")

    def test_structure_is_that_of_cells_media_and_tables(self):
        def told(html, media="text/html"):
            output = {"output_type": "execute_result", "data": {media: [html]}}
            return notebook.structure({"cells": [{"cell_type": "code", "source": [], "outputs": [output]}]})

        table = "<th>time</th><th>share</th><th>0</th><td>{}</td>"
        self.assertEqual(told(table.format(1)), told(table.format(2)))
        self.assertEqual(told(table), told(table + "<th>1</th>"))
        self.assertNotEqual(told(table), told(table.replace("share", "limit")))
        self.assertNotEqual(told(table), told(table, "text/plain"))


if __name__ == "__main__":
    if importlib.util.find_spec("pandas") is None:
        print("skipped: python3-pandas is not installed")
        sys.exit(77)
    FILE = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=sys.argv[:1])
