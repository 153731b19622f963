# SPDX-License-Identifier: BSD-3-Clause
"""tests/gpu/run itself, on a machine that is imitated: nvidia-smi, nvcc and roofmark are scripts. And what it holds
ceilings against. Without a device."""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import ceilings
import ert

RUN = pathlib.Path(__file__).resolve().parent / "run"


def ceiling(name, value, unit="GFLOP/s", sheet=0):
    points = [{"warps": warps, "value": value * share, "ghz": 1.9, "watts": 600} for warps, share in ((4, 0.5), (64, 1))]
    return {"id": name, "unit": unit, "data_sheet": sheet, "curve": points}


GPU = {"name": "NVIDIA Imitated", "uuid": "GPU-7", "driver": "580.1", "power_limit_watts": 700, "warnings": ["no cuBLAS"],
       "ceilings": [ceiling("compute.dp.fma", 60, sheet=67), ceiling("compute.dp.fma.cublas", 64, sheet=67),
                    ceiling("compute.dp.fma_4_chains", 55), ceiling("bandwidth.DRAM.read", 3000, "GB/s", 3350),
                    ceiling("latency.L2", 200, "ns"), ceiling("latency.DRAM", 600, "ns")]}


def changed(name, value):
    gpu = copy.deepcopy(GPU)
    for each in gpu["ceilings"]:
        if each["id"] == name:
            each["curve"] = ceiling(name, value)["curve"]
    return gpu


class Ceilings(unittest.TestCase):
    def test_what_is_right_is_not_blamed(self):
        self.assertEqual(ceilings.wrong(GPU), [])

    def test_nothing_is_above_the_data_sheet(self):
        self.assertEqual(len(ceilings.wrong(changed("bandwidth.DRAM.read", 3500))), 1)
        self.assertIn("above the data sheet", ceilings.wrong(changed("bandwidth.DRAM.read", 3500))[0])

    def test_what_must_be_faster_is(self):
        self.assertEqual(ceilings.wrong(changed("compute.dp.fma_4_chains", 66)),
                         ["compute.dp.fma is worse than compute.dp.fma_4_chains"])
        self.assertEqual(ceilings.wrong(changed("latency.L2", 700)), ["latency.L2 is worse than latency.DRAM"])

    def test_wrong_results_are_blamed(self):
        self.assertEqual(len(ceilings.wrong({**GPU, "warnings": ["compute.dp.add: 5 threads have a wrong result"]})), 1)

    def test_every_ceiling_has_a_line(self):
        lines = ceilings.table(GPU)
        self.assertEqual(len(lines), len(GPU["ceilings"]))
        self.assertRegex(lines[0], r"compute.dp.fma +60.00 GFLOP/s +67.0 +89.6% +1.90 GHz +600 W")
        self.assertRegex(lines[4], r"latency.L2 +100.00 ns +- ")

    def test_ert_may_not_be_faster(self):
        lines, low = ert.compare({"DRAM": 3100, "double": 66}, GPU)
        self.assertEqual(low, 0, lines)
        lines, low = ert.compare({"DRAM": 3200, "double": 70}, GPU)
        self.assertEqual((low, lines[1].split()[-1]), (2, "WRONG"))
        self.assertEqual(ert.compare({"DRAM": 1, "double": 1}, {"ceilings": []})[1], 2)


ROOFMARK = """#!{python}
import json, pathlib, sys
if sys.argv[1] == "machine":
    pathlib.Path(sys.argv[-1]).write_text(json.dumps({{"gpus": [{gpu!r}]}}))
elif sys.argv[1] == "doctor":
    print("counters of GPUs: cannot be read")
else:
    program = sys.argv[sys.argv.index("--") + 1].rsplit("/", 1)[1]
    print("known", program, "kernels 10 0")
    path = {{"path": program, "lost": 0, "values": {{"kernels": {kernels}}}}}
    pathlib.Path(sys.argv[sys.argv.index("-o") + 1]).write_text(json.dumps({{"devices": [{{"metrics": {{}}, "paths": [path]}}]}}))
"""


class Whole(unittest.TestCase):
    """The runner from end to end."""

    def run_with(self, *options, gpu=None, kernels=10, gpus_there=True):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "bin").mkdir()
            scripts = {"nvcc": "#!/bin/sh\necho release 13.0\n", "cuda/bin/nvcc": "#!/bin/sh\necho release 13.0\n",
                       "bin/roofmark": ROOFMARK.format(python=sys.executable, gpu=gpu or GPU, kernels=kernels)}
            if gpus_there:
                scripts["nvidia-smi"] = "#!/bin/sh\necho NVIDIA Imitated, GPU-7, 580.1\n"
            for file, text in scripts.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_text(text, encoding="utf-8")
                (folder / file).chmod(0o755)
            environment = {**os.environ, "PATH": f"{folder}:/usr/bin:/bin", "CUDA_HOME": str(folder / "cuda")}
            record = folder / "record"
            ended = subprocess.run([sys.executable, str(RUN), "--build", name, "--record", str(record), *options],
                                   capture_output=True, text=True, check=False, env=environment)
            said = record.read_text(encoding="utf-8") if record.exists() else ""
            return ended.returncode, ended.stdout + ended.stderr, said

    def test_what_is_right_ends_well_and_names_the_device(self):
        status, output, record = self.run_with()
        self.assertEqual(status, 0, output)
        for text in ("NVIDIA Imitated, GPU-7, 580.1", "release 13.0", "counters of GPUs: cannot be read",
                     "compute.dp.fma", "triad", "warning: no cuBLAS", "all right"):
            self.assertIn(text, record)
        self.assertNotIn("WRONG", record)

    def test_wrong_counts_are_found(self):
        status, output, record = self.run_with("--only", "programs", kernels=11)
        self.assertEqual(status, 1, output)
        self.assertIn("WRONG", record)
        self.assertNotIn("compute.dp.fma", record)

    def test_wrong_ceilings_are_found(self):
        status, output, record = self.run_with("--only", "machine", gpu=changed("compute.dp.fma", 70))
        self.assertEqual(status, 1, output)
        self.assertIn("WRONG: compute.dp.fma is above the data sheet", record)
        self.assertNotIn("triad", record)

    def test_without_ert_the_programs_go_on(self):
        status, _, record = self.run_with("--ert", "/nowhere")
        self.assertEqual(status, 1)
        self.assertIn("WRONG: machine: no Drivers/driver1.c in /nowhere", record)
        self.assertIn("triad", record)

    def test_without_a_gpu_it_is_skipped(self):
        status, output, _ = self.run_with(gpus_there=False)
        self.assertEqual((status, output), (77, "skipped: there is no NVIDIA GPU here (nvidia-smi lists none)\n"))


if __name__ == "__main__":
    unittest.main()
