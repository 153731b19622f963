# SPDX-License-Identifier: BSD-3-Clause
"""list_test.py ROOT: the list of mutants fits today's sources."""
import collections
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tests/mutants"))
import mutants

ALL = mutants.read_list(mutants.LIST.read_text())


class List(unittest.TestCase):
    def test_each_applies_exactly_once(self):
        for mutant in ALL:
            with self.subTest(mutant.name):
                text = (ROOT / mutant.file).read_text()
                self.assertNotEqual(mutant.changed(text), text)

    def test_five_of_each_layer_in_as_many_files(self):
        layers = collections.Counter(mutant.layer for mutant in ALL)
        self.assertEqual(layers, {layer: 5 for layer in mutants.LAYERS})
        self.assertEqual(len({mutant.file for mutant in ALL}), len(ALL))
        self.assertEqual(len({mutant.name for mutant in ALL}), len(ALL))


unittest.main()
