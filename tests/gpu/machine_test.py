# SPDX-License-Identifier: BSD-3-Clause
"""Arithmetic kernels of `roofmark machine --gpu` in machine code (TEST_ARCHITECTURES="80 90a": of these): each has just
the instructions that its row claims (benchmarks/machine/gpu/kernel_table.cc), in each thread. PTX has them even where
the assembler then makes others of them, or does some once for a whole warp or once for all iterations. Needs nvcc and
no device."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import kernel_table
import programs
import sass

SOURCE = programs.ROOT / "benchmarks" / "machine" / "gpu" / "kernels.cu"
ARCHITECTURES = os.environ.get("TEST_ARCHITECTURES", "80 89 90a 100").split()
NVCC = programs.find_nvcc()

# What machine code makes of PTX's instructions, by a part of their names: all of these together are as
# many. HFMA2 also sets registers, and addresses and counts of iterations are integers.
FAMILIES = [
    ("fma.rn.f64", ["DFMA"]), ("add.rn.f64", ["DADD"]), ("mul.rn.f64", ["DMUL"]),
    ("fma.rn.f32", ["FFMA"]), ("add.rn.f32", ["FADD"]), ("mul.rn.f32", ["FMUL"]),
    ("f16x2", ["HADD2", "HMUL2", "HFMA2", "HFMA2.MMA"]), ("mad.lo.u32", ["IMAD"]), ("add.u32", ["IADD3", "IADD"]),
    ("xor.b32", ["LOP3"]), ("m8n8k4", ["DMMA"]), ("mma.sync.aligned.m16n8k8", ["HMMA"]),
    ("mma.sync.aligned.m16n8k16", ["HMMA"]), ("mma.sync.aligned.m16n8k32.row.col.f32", ["QMMA"]),
    ("mma.sync.aligned.m16n8k32.row.col.s32", ["IMMA"]), ("wgmma.mma_async.sync.aligned.m64n128k8", ["HGMMA"]),
    ("wgmma.mma_async.sync.aligned.m64n128k16", ["HGMMA"]), ("m64n128k32.f32", ["QGMMA"]), ("m64n128k32.s32", ["IGMMA"]),
]
BESIDE = {"HFMA2": 2, "IMAD": 32, "IADD": 8, "LOP3": 2}
# Many instructions each: PTX claims these.
SUBROUTINES = ("div.rn.", "sqrt.rn.")


def family(instruction):
    instruction = instruction.replace("bf16x2", "f16x2")
    return next(names for part, names in FAMILIES if part in instruction)


class MachineCode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernels, cls.said = {}, {}
        for architecture in ARCHITECTURES:
            with tempfile.TemporaryDirectory() as folder:
                cubin = pathlib.Path(folder) / "kernels.cubin"
                ended = subprocess.run([NVCC, "-std=c++17", "-O3", "-cubin", f"-arch=sm_{architecture}", str(SOURCE), "-o",
                                        str(cubin)], capture_output=True, text=True, check=True)
                cls.said[architecture] = ended.stderr
                cls.kernels[architecture] = sass.kernels(cubin.read_bytes())

    def for_each(self, check):
        """check(row, machine code or None, whether it must be there), of each architecture."""
        for architecture in ARCHITECTURES:
            for row in kernel_table.rows():
                with self.subTest(architecture=architecture, kernel=row.kernel):
                    check(row, self.kernels[architecture].get(row.kernel), row.is_there(architecture))

    def test_kernels_are_there_where_they_are_measured(self):
        self.for_each(lambda _, code, is_there: self.assertEqual(code is not None, is_there))

    def test_each_has_what_it_claims(self):
        def check(row, code, is_there):
            if is_there and not row.first.startswith(SUBROUTINES):
                self.check(row, sass.all_counts(code))
                self.assertEqual(sass.arithmetic(code)[1], 0, "it is predicated")
        self.for_each(check)

    def check(self, row, counts):
        claimed = {}
        for instruction in (row.first, row.second):
            if instruction:
                names = tuple(family(instruction))
                claimed[names] = claimed.get(names, 0) + row.instructions
        for names, count in claimed.items():
            there = sum(counts[name] for name in names)
            self.assertGreaterEqual(there, count, names)
            self.assertLessEqual(there, count + max(BESIDE.get(name, 0) for name in names), names)
        of_no_claim = [*sass.OPCODES.values(), *sass.PRODUCTS.values(), "HMMA", "DMMA", "IMMA", "QMMA"]
        others = {name: counts[name] for name in of_no_claim
                  if counts[name] and not any(name in names for names in claimed)}
        self.assertEqual(others, {})

    def test_no_product_waits_for_the_one_before(self):
        """The compiler says so where it makes them wait."""
        for said in self.said.values():
            self.assertNotRegex(said, "serialized|injected")

    def test_the_table_is_read_whole(self):
        rows = {row.kernel: row for row in kernel_table.rows()}
        text = kernel_table.SOURCE.read_text(encoding="utf-8")
        self.assertEqual(len(rows), text[text.index("kArithmetic[] = {"):].count('    {"'))
        self.assertEqual(rows["sp_muladd"], kernel_table.Row("sp_muladd", "mul.rn.f32", "add.rn.f32", 64, 80, False))
        self.assertEqual((rows["wgmma_hp"].least_capability, rows["wgmma_hp"].alone), (90, True))


if __name__ == "__main__":
    if NVCC is None:
        print("skipped: there is no nvcc")
        sys.exit(77)
    unittest.main()
