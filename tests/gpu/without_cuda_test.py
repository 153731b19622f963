# SPDX-License-Identifier: BSD-3-Clause
"""without_cuda_test.py SOURCES BUILD FILE...: nothing of CUDA is needed to build, link or load roofmark. No source
includes its headers, no compiler is told where they are, none of these files is linked with it, and where nvcc is not
found CMake says so and goes on."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCES, BUILD = map(pathlib.Path, sys.argv[1:3])
FILES = sys.argv[3:]
INCLUDED = re.compile(r'^\s*#\s*include\s*[<"](cuda|cupti|cublas|cufft|nvml|nvperf|driver_types|nvToolsExt)', re.MULTILINE)
OF_CUDA = re.compile(r"libcuda|libcupti|libcublas|libcufft|libnvperf|libnvidia")
# Programs for nvcc, and tests that hold our interface against NVIDIA's headers, where these are.
FOLDERS = ["include", "lib", "collectors", "markers", "mpi", "command", "benchmarks"]


class WithoutCuda(unittest.TestCase):
    def test_no_source_includes_its_headers(self):
        sources = [file for folder in FOLDERS for file in (SOURCES / folder).rglob("*")
                   if file.suffix in (".cc", ".h", ".c", ".inc")]
        self.assertGreater(len(sources), 500)
        self.assertEqual([str(file) for file in sources if INCLUDED.search(file.read_text(encoding="utf-8"))], [])

    def test_no_compiler_is_told_where_it_is(self):
        if not (BUILD / "compile_commands.json").exists():
            self.skipTest("this build exports no commands of the compiler")
        commands = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
        self.assertGreater(len(commands), 100)
        told = [each["file"] for each in commands if re.search(r"-(I|isystem) ?\S*cuda", each["command"])]
        self.assertEqual([file for file in told if "/tests/" not in file], [])

    def test_nothing_is_linked_with_it(self):
        for file in FILES:
            dynamic = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
            needed = [line for line in dynamic.splitlines() if "NEEDED" in line]
            self.assertTrue(needed, file)
            self.assertEqual([line for line in needed if OF_CUDA.search(line)], [], file)

    def test_cmake_goes_on_without_nvcc(self):
        with tempfile.TemporaryDirectory() as folder:
            ended = subprocess.run(["cmake", "-S", str(SOURCES), "-B", folder, "-G", "Ninja", "-DROOFMARK_TESTS=OFF",
                                    "-DROOFMARK_NVCC=OFF"], capture_output=True, text=True, check=False)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertIn("no kernels for GPUs (roofmark machine --gpu): nvcc was not found", ended.stdout)
            text = (pathlib.Path(folder) / "build.ninja").read_text(encoding="utf-8")
            self.assertNotIn("nvcc", text)
            self.assertIn("collectors/cupti", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
