# SPDX-License-Identifier: BSD-3-Clause
"""Kernels of `roofmark machine --gpu` in the machine code of compute capability 9.0: those of tensor cores by
asynchronous instructions have just as many of these as they claim (benchmarks/machine/gpu/kernel_table.cc), one after
the other. Needs nvcc and no device."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import programs
import sass

SOURCE = programs.ROOT / "benchmarks" / "machine" / "gpu" / "kernels.cu"
PRODUCTS = {"wgmma_hp": "HGMMA", "wgmma_bf16": "HGMMA", "wgmma_tf32": "HGMMA", "wgmma_fp8": "QGMMA",
            "wgmma_int8": "IGMMA"}
OTHERS = {"dp_fma_8": {"DFMA": 128}, "sp_muladd": {"FMUL": 64, "FADD": 64}}
CLAIMED = 16
NVCC = programs.find_nvcc()


class MachineCode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cubin = pathlib.Path(folder) / "kernels.cubin"
            ended = subprocess.run([NVCC, "-std=c++17", "-O3", "-cubin", "-arch=sm_90a", str(SOURCE), "-o", str(cubin)],
                                   capture_output=True, text=True, check=True)
            cls.said = ended.stderr
            cls.kernels = sass.kernels(cubin.read_bytes())

    def test_products_are_as_many_as_claimed(self):
        for kernel, instruction in PRODUCTS.items():
            with self.subTest(kernel=kernel):
                self.assertEqual(sass.products(self.kernels[kernel]), {instruction: CLAIMED})

    def test_no_product_waits_for_the_one_before(self):
        """The compiler says so where it makes them wait."""
        self.assertNotRegex(self.said, "serialized|injected")

    def test_arithmetic_is_as_much_as_claimed(self):
        for kernel, claimed in OTHERS.items():
            with self.subTest(kernel=kernel):
                self.assertEqual(sass.arithmetic(self.kernels[kernel]), (claimed, 0))

    def test_other_kernels_have_no_products(self):
        self.assertEqual({name for name, code in self.kernels.items() if sass.products(code)}, set(PRODUCTS))


if __name__ == "__main__":
    if NVCC is None:
        print("skipped: there is no nvcc")
        sys.exit(77)
    unittest.main()
