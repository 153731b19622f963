# SPDX-License-Identifier: BSD-3-Clause
"""What the sandwich table concludes from an analysis. Runs no kernel."""
import json
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "benchmarks/kernels"))
import table4
from table4 import Variant, judge


def ceiling(name, allows, fit="open", kind="compute", proof=""):
    rate = {"gflops": allows} if kind == "compute" else {"gbytes_per_s": allows * 4, "level": "DRAM"}
    return {"name": name, "type": kind, "allows_gflops": allows, "fit": fit, "proof": proof, **rate}


def path(gflops, *ceilings):
    number = lambda value: {"value": value, "status": "measured"}
    return {"gflops": number(gflops), "intensity_dram": number(0.25),
            "attainable_by_mix": number(8.0),
            "verdict": {"ceilings": [ceiling("peak", 100), ceiling("DRAM", 10, kind="memory"), *ceilings]}}


COPY = ceiling("DRAM copy", 9, kind="memory")
SCALAR = ceiling("+ILP", 4, "passed", proof="4.0 lanes used")
STREAM = Variant("s", "s", "s", 0.5)


class Judging(unittest.TestCase):
    def test_between_two_ceilings_it_holds(self):
        row = judge(path(6, COPY, SCALAR), STREAM, 100, 100)
        self.assertEqual((row.upper["name"], row.lower["name"]), ("DRAM copy", "+ILP"))
        self.assertAlmostEqual(row.share, 6 / 9)
        self.assertTrue(row.holds)
        self.assertIn("DRAM copy (memory, 36.0 GB/s)", table4.markdown(row))
        self.assertTrue(table4.markdown(row).endswith("| 4.0 lanes used | yes |"))

    def test_the_roof_is_no_upper_ceiling(self):
        row = judge(path(6, SCALAR, ceiling("DRAM triad", 9.95, kind="memory")), STREAM, 100, 100)
        self.assertIsNone(row.upper)
        self.assertFalse(row.holds)

    def test_what_it_has_passed_does_not_limit_it(self):
        row = judge(path(3, COPY, SCALAR, ceiling("DRAM", 2, kind="memory")), STREAM, 100, 100)
        self.assertNotEqual((row.upper or {}).get("name"), "+ILP")

    def test_a_lower_ceiling_needs_proof(self):
        unproven = ceiling("+ILP", 4)
        row = judge(path(6, COPY, unproven), STREAM, 100, 100)
        self.assertIsNone(row.lower)
        self.assertFalse(row.holds)

    def test_whole_lines_prove_that_it_is_not_sparse(self):
        strided = ceiling("DRAM strided", 5, kind="memory")
        self.assertEqual(judge(path(6, COPY, strided), STREAM, 100, 105).lower["name"], "DRAM strided")
        self.assertIsNone(judge(path(6, COPY, strided), STREAM, 100, 150).lower)
        jumps = Variant("j", "j", "j", 0.5, streams=False)
        self.assertIsNone(judge(path(6, COPY, strided), jumps, 100, 100).lower)

    def test_too_far_below_does_not_hold(self):
        self.assertFalse(judge(path(4.4, COPY, SCALAR), STREAM, 100, 100).holds)

    def test_above_the_roof_does_not_hold(self):
        row = judge(path(11, COPY, SCALAR, ceiling("no limit", 50)), STREAM, 100, 100)
        self.assertTrue(row.above_roof)
        self.assertFalse(row.holds)

    def test_foreign_ceilings_do_not_count(self):
        row = judge(path(6, COPY, SCALAR, ceiling("divisions alone", 7, "foreign"),
                         ceiling("roots alone", 5, "foreign")), STREAM, 100, 100)
        self.assertEqual((row.upper["name"], row.lower["name"]), ("DRAM copy", "+ILP"))

    def test_the_analysis_has_what_is_read(self):
        jobs = json.loads((ROOT / "tests/golden/report.json").read_text())["jobs"]
        stencil = next(p for p in jobs[0]["paths"] if p["path"].startswith("solve/stencil"))
        row = judge(stencil, STREAM, 1, 1)
        self.assertAlmostEqual(row.gflops, 3.2)
        self.assertTrue(row.upper["allows_gflops"] > 3.2 > row.lower["allows_gflops"])


if __name__ == "__main__":
    unittest.main()
