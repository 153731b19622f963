# SPDX-License-Identifier: BSD-3-Clause
"""Executes the programs of benchmarks/gpu on the host (host/cuda_runtime.h) in small sizes: their results
are right, and the FLOPs and kernels that they executed are those that they claim."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import compare
import programs

HOST = pathlib.Path(__file__).resolve().parent / "host"
LAUNCH = re.compile(r"(\w+)<<<(.*?)>>>\((.*?)\);", re.DOTALL)
GPP = ["16384", "2"]
# Small ones, of all variants. Libraries have no stand-ins, and copies do nothing else.
SIZES = {
    "triad": [["1000", "3"]],
    "gemm": [["48", "2"]],
    "reduction": [["300000", "1"]],
    "stencil": [["32", "3"]],
    "spmv": [["9", "2"]],
    "gpp": [[str(nw), fma, divide, "1", *GPP] for nw in (1, 3, 6) for fma in "01" for divide in "01"] +
           [["2", "1", "1", stride, *GPP] for stride in ("2", "4", "8", "16")],
}
LEFT_OUT = {"copies", "fft", "dgemm"}


def build(program, folder):
    text = (programs.SOURCES / f"{program}.cu").read_text(encoding="utf-8")
    text, launches = LAUNCH.subn(r"emulated::Launch(\2, [&] { \1(\3); });", text)
    assert launches > 0, program
    source = folder / f"{program}.cc"
    source.write_text(text, encoding="utf-8")
    fibers = ["-DEMULATE_FIBERS"] if "__syncthreads" in text else []
    subprocess.run([os.environ.get("CXX", "c++"), "-O2", "-std=c++17", "-ffp-contract=off", "-w", *fibers,
                    "-DROOFMARK_DISABLE", "-I", str(HOST), "-I", str(programs.SOURCES), "-I",
                    str(programs.ROOT / "include"), str(source), "-o", str(folder / program)], check=True)
    return folder / program


def executed(text):
    """The lines `executed METRIC VALUE`."""
    return {row.split()[1]: float(row.split()[2]) for row in text.splitlines() if row.startswith("executed ")}


class Emulated(unittest.TestCase):
    def test_results_and_claims(self):
        with tempfile.TemporaryDirectory() as folder:
            for program, sizes in SIZES.items():
                command = str(build(program, pathlib.Path(folder)))
                for arguments in sizes:
                    with self.subTest(program=program, arguments=arguments):
                        self.check([command, *arguments])

    def check(self, command):
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        done, known = executed(ended.stdout), compare.parse(ended.stdout)
        claims = {row.metric: row.value for row in known if row.metric in done}
        self.assertIn("flops_dp_fma", claims)
        self.assertEqual(claims, {metric: done[metric] for metric in claims})
        # What a program says nothing of, it does not do.
        self.assertTrue(all(value == 0 for metric, value in done.items() if metric not in claims), done)

    def test_every_program_is_executed_or_left_out(self):
        self.assertEqual(set(SIZES) | LEFT_OUT, set(programs.ARITHMETIC))


if __name__ == "__main__":
    unittest.main()
