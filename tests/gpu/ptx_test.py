# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the programs of benchmarks/gpu for each architecture (TEST_ARCHITECTURES="80 90": for these), and counts the
floating-point instructions of their kernels in PTX and in machine code: the FLOPs that they claim follow from them.
Needs nvcc and no device."""
import collections
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

import programs
import ptx
import sass

ARCHITECTURES = os.environ.get("TEST_ARCHITECTURES", "80 90 100").split()
# What machine code makes of PTX's instructions: a subtraction is an addition.
MACHINE = {programs.ADD: "DADD", programs.SUB: "DADD", programs.MUL: "DMUL", programs.FMA: "DFMA"}
# Of each instruction as many as no other one, so that no two can be mistaken for each other.
TRIED = """

__global__ void Tried(double* d, float* f) {
  double x = d[threadIdx.x]; float y = f[threadIdx.x];
  for (int i = 0; i < 1; ++i) x = __dadd_rn(x, d[1]);
  for (int i = 0; i < 2; ++i) x = __dmul_rn(x, d[2]);
  for (int i = 0; i < 3; ++i) x = __fma_rn(x, d[3], d[4]);
  for (int i = 0; i < 4; ++i) y = __fadd_rn(y, f[1]);
  for (int i = 0; i < 5; ++i) y = __fmul_rn(y, f[2]);
  for (int i = 0; i < 6; ++i) y = __fmaf_rn(y, f[3], f[4]);
  d[threadIdx.x] = x; f[threadIdx.x] = y;
}
"""
NVCC = programs.find_nvcc()


def on_machine(claimed):
    """Of all loops."""
    counts = collections.Counter()
    for (instruction, _), count in claimed.items():
        counts[MACHINE[instruction]] += count
    return dict(counts)


class Claims(unittest.TestCase):
    def compiled(self, program, source=None):
        """Compiles it, and returns the folder with what was made on the way."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        architectures = [f"-gencode=arch=compute_{one},code=sm_{one}" for one in ARCHITECTURES]
        programs.compile_with(NVCC, source or program, pathlib.Path(folder.name) / "whole.o", "-c", "--threads", "2",
                              "--keep", "--keep-dir", folder.name, *architectures)
        cubins, texts = (sorted(pathlib.Path(folder.name).glob(f"*.{kind}")) for kind in ("cubin", "ptx"))
        self.assertEqual((len(cubins), len(texts)), (len(ARCHITECTURES), len(ARCHITECTURES)))
        return texts, cubins

    def claimed(self, claims, kernel):
        names = [name for name in claims if name in kernel]
        self.assertEqual(len(names), 1, f"{kernel} is in no claim, or in several")
        return claims[names[0]]

    def check_ptx(self, claims, file):
        found = ptx.kernels(file.read_text(encoding="utf-8"))
        self.assertEqual(len(found), len(claims))
        for kernel, lines in found.items():
            with self.subTest(file=file.name, kernel=kernel):
                counts, predicated = ptx.arithmetic(lines)
                self.assertEqual(counts, self.claimed(claims, kernel))
                self.assertEqual(predicated, [])

    def check_sass(self, claims, file):
        found = sass.kernels(file.read_bytes())
        self.assertEqual(len(found), len(claims))
        for kernel, code in found.items():
            with self.subTest(file=file.name, kernel=kernel):
                counts, _ = sass.arithmetic(code)
                self.assertEqual(counts, on_machine(self.claimed(claims, kernel)))

    def test_kernels_do_what_they_claim(self):
        for program, claims in programs.ARITHMETIC.items():
            if programs.lacks(NVCC, program):
                print(f"{program}: left out, {programs.lacks(NVCC, program)} is not beside nvcc")
                continue
            texts, cubins = self.compiled(program)
            for text in texts:
                self.check_ptx(claims, text)
            for cubin in cubins:
                self.check_sass(claims, cubin)

    def test_machine_code_is_read_as_it_is_written(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        source = pathlib.Path(folder.name) / "tried"
        source.with_suffix(".cu").write_text(TRIED, encoding="utf-8")
        _, cubins = self.compiled("tried", source)
        for cubin in cubins:
            (code,) = sass.kernels(cubin.read_bytes()).values()
            counts, predicated = sass.arithmetic(code)
            self.assertEqual(counts, {"DADD": 1, "DMUL": 2, "DFMA": 3, "FADD": 4, "FMUL": 5, "FFMA": 6}, cubin.name)
            self.assertEqual(predicated, 0)

    def test_every_program_is_in_the_table(self):
        self.assertEqual({source.stem for source in programs.SOURCES.glob("*.cu")}, set(programs.ARITHMETIC))

    def test_programs_are_jobs_with_each_mpi(self):
        compilers = [name for name in programs.MPI_COMPILERS if shutil.which(name)]
        if not compilers:
            self.skipTest("there is no mpicxx")
        for compiler in compilers:
            with self.subTest(compiler=compiler), tempfile.TemporaryDirectory() as folder:
                programs.compile_with(NVCC, "triad", pathlib.Path(folder) / "triad.o", "-c", "-arch=sm_80",
                                      *programs.with_mpi(compiler))


class Reading(unittest.TestCase):
    """What is read of PTX, without a compiler."""
    TEXT = """
.visible .entry _Z1kv(
)
{
\tmul.rn.f64 \t%fd1, %fd2, %fd3;
$L__BB0_1:
\tadd.rn.f64 \t%fd1, %fd2, %fd3;
$L__BB0_2:
\t@%p1 fma.rn.f64 \t%fd1, %fd2, %fd3, %fd4;
\tneg.f64 \t%fd1, %fd2;
\t@%p2 bra \t$L__BB0_2;
\tbra.uni \t$L__BB0_1;
}
"""

    def test_loops_and_predicates(self):
        counts, predicated = ptx.arithmetic(ptx.kernels(self.TEXT)["_Z1kv"])
        self.assertEqual(counts, {("mul.rn.f64", 0): 1, ("add.rn.f64", 1): 1, ("fma.rn.f64", 2): 1})
        self.assertEqual(len(predicated), 1)
        self.assertTrue(re.match("@%p1 fma", predicated[0]))


if __name__ == "__main__":
    if NVCC is None:
        print("skipped: there is no nvcc (PATH, CUDA_HOME, /usr/local/cuda)")
        sys.exit(77)
    unittest.main()
