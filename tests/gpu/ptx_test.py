# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the programs of benchmarks/gpu for each architecture, and counts the floating-point
instructions of their kernels: the FLOPs that they claim follow from them. Needs nvcc and no device."""
import collections
import pathlib
import re
import sys
import tempfile
import unittest

import programs

ARCHITECTURES = ("80", "90", "100")
# add, sub, mul, fma, div, sqrt and others, with what they round to, of any floating-point type.
INSTRUCTION = re.compile(r"^\s*(?:@!?%\w+\s+)?((?:add|sub|mul|fma|mad|div|rcp|sqrt|rsqrt|neg|abs|min|max)"
                         r"(?:\.\w+)*\.(?:f64|f32|f16x2|f16|bf16x2|bf16))\s", re.MULTILINE)
NVCC = programs.find_nvcc()


class Ptx(unittest.TestCase):
    def compiled(self, program):
        """Compiles the whole program, and returns the folder with what was made on the way."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        architectures = [f"-gencode=arch=compute_{one},code=sm_{one}" for one in ARCHITECTURES]
        programs.compile_with(NVCC, program, pathlib.Path(folder.name) / "whole.o", "-c", "--keep", "--keep-dir",
                              folder.name, *architectures)
        return pathlib.Path(folder.name)

    def test_kernels_do_what_they_claim(self):
        for program, wanted in programs.ARITHMETIC.items():
            folder = self.compiled(program)
            self.assertEqual(len(list(folder.glob("*.cubin"))), len(ARCHITECTURES))
            texts = [file.read_text(encoding="utf-8") for file in folder.glob("*.ptx")]
            self.assertEqual(len(texts), len(ARCHITECTURES))
            for text in texts:
                with self.subTest(program=program, target=re.search(r"^\.target.*", text, re.MULTILINE)[0]):
                    self.assertEqual(dict(collections.Counter(INSTRUCTION.findall(text))), wanted)

    def test_every_program_is_in_the_table(self):
        self.assertEqual({source.stem for source in programs.SOURCES.glob("*.cu")}, set(programs.ARITHMETIC))


if __name__ == "__main__":
    if NVCC is None:
        print("skipped: there is no nvcc (PATH, CUDA_HOME, /usr/local/cuda)")
        sys.exit(77)
    unittest.main()
