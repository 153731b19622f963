# SPDX-License-Identifier: BSD-3-Clause
"""roofmark beside its peers: what is read from them, what is computed, and that none of them is required. Runs none
of them."""
import argparse
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "benchmarks/peers"))
import counted
import costs
import found
import others
import ratios

CSV = """path,metric,unit,origin,status,scope,ranks,sum
solve,flops_dp_256_add,flops,counting,measured,thread,3,2048
solve,flops_dp_256_mul,flops,counting,measured,thread,3,2048
solve,flops_dp,flops,counting,measured,thread,3,4096
solve,visits,count,timer,measured,process,3,30
extra,flops_dp_scalar_fma,flops,counting,measured,thread,1,7
extra,visits,count,timer,measured,process,1,1
(program),visits,count,timer,absent,process,3,
"""
CALIPER = """Path  Min time/rank Avg time/rank Calls/rank (min) Calls (total)
solve      0.025227      0.068892               10            30
extra      0.000150      0.000150                1             1
"""
PAPI = {"event_definitions": {"perf::TASK-CLOCK": {}},
        "threads": {"0": {"regions": {"0": {"name": "solve"}, "1": {"name": "solve"}}}, "1": {"regions": {}}}}
CACHEGRIND = """desc: D1 cache: 49152 B
events: Ir I1mr
fl=work.c
fn=sweep
19 150 0
20 92000 1
fl=work.c
fn=main
7 5 5
fn=sweep'2
20 1 0
summary: 92156 6
"""
LACKEY = """==6925==    Type        Loads       Stores       AluOps
==6925==    I64     7,821,309    3,632,279  108,821,026
==6925==    F64             0            0           16
==6925==    V256   15,799,768   15,386,789   31,496,399
"""
PERF = """ 1403/1403       55d4eb5a12d0 sweep
 1402/1417       557e2fba12d4 sweep
 1402/1417       557e2fba12d4 sweep
 1402/1402       7f00aa000010 main
"""


class Reading(unittest.TestCase):
    def test_flops_are_added_over_widths_and_kinds_without_their_sums(self):
        regions = counted.parse_roofmark(CSV)
        self.assertEqual(regions["solve"], {"flops": 4096, "visits": 30, "ranks": 3})
        self.assertEqual(regions["extra"], {"flops": 7, "visits": 1, "ranks": 1})
        self.assertEqual(counted.ratio_text(regions, {"solve": 8192, "extra": 7}), "solve: 0.5000, extra: 1.0000")

    def test_visits_of_caliper_and_papi(self):
        self.assertEqual(counted.parse_caliper(CALIPER), {"solve": 30, "extra": 1})
        self.assertEqual(counted.parse_papi([PAPI, PAPI]), ({"solve": 4}, 2, ["perf::TASK-CLOCK"]))

    def test_instructions_of_a_function_and_its_recursion(self):
        self.assertEqual(counted.parse_cachegrind(CACHEGRIND, "sweep"), 92151)

    def test_operations_and_samples(self):
        self.assertEqual(counted.parse_lackey(LACKEY), {"I64": 108821026, "F64": 16, "V256": 31496399})
        self.assertEqual(counted.parse_perf(PERF, "sweep"), (3, 2, 2))

    def test_complaint_is_the_line_that_tells(self):
        self.assertEqual(found.complaint("x\nCannot get access to MSRs.\n----\nmpirun noticed that\n----\n"),
                         "Cannot get access to MSRs.")
        self.assertEqual(found.complaint("first\nlast\n---\n"), "last")
        self.assertEqual(found.complaint(""), "")

    def test_program_that_ends_with_a_signal_is_missing(self):
        with self.assertRaisesRegex(found.Missing, "^sh ends with signal 11$"):
            found.run(["sh", "-c", "kill -SEGV $$"])


class Arithmetic(unittest.TestCase):
    def test_ratios_are_those_of_the_rounds(self):
        row = ratios.row("part", "what", {"a": [1, 4, 9], "b": [2, 2, 2]}, "a", "b", "ns")
        self.assertEqual(row.cells(), ["what", "b", "4 ns", "2 ns", "2", "0.5 – 4.5"])

    def test_ratio_is_of_what_is_above_the_bare_program(self):
        row = ratios.row("part", "what", {"a": [30, 50], "b": [20, 20], "n": [10, 10]}, "a", "b", "ms", less="n")
        self.assertEqual(row.ratios, [2, 4])

    def test_round_below_the_bare_program_makes_the_ratio_void(self):
        row = ratios.row("part", "what", {"a": [30, 9], "b": [20, 12], "n": [10, 10]}, "a", "b", "ms", less="n")
        self.assertEqual(row.cells()[-2:], ["–", "in 1 of 2 rounds not above n"])

    def test_bare_program_that_failed_gives_no_row(self):
        self.assertIsNone(ratios.row("part", "what", {"a": [30], "b": [20]}, "a", "b", "ms", less="n"))

    def test_row_without_a_valid_ratio_says_why(self):
        row = ratios.Row("part", "what", "1 G/s", "2 G/s", "peer", [0.5], "others used 60% of the machine")
        self.assertEqual(row.cells()[-2:], ["–", "others used 60% of the machine"])

    def test_series_that_is_not_there_gives_no_row(self):
        self.assertIsNone(ratios.row("part", "what", {"a": [1]}, "a", "b", "ns"))

    def test_measure_that_fails_is_left_out_with_the_reason(self):
        failed = {}
        measures = [ratios.Measure("good", ("echo", "ns 2.5")), ratios.Measure("bad", ("sh", "-c", "echo no luck >&2; exit 3")),
                    ratios.Measure("silent", ("true",))]
        self.assertEqual(ratios.interleave(measures, 2, failed), {"good": [2.5, 2.5]})
        self.assertEqual(failed, {"bad": "sh ends with 3: no luck", "silent": "silent: no figure in its output"})


class NonePeers:
    """As found.Peers where nothing is installed."""
    versions, flags, build = {}, {}, pathlib.Path("/no/such/build")
    missing = dict.fromkeys([*found.LIBRARIES, *found.PROGRAMS, "roofmark", "none"], "not found")
    compiled = found.Peers.compiled


class Absent(unittest.TestCase):
    def test_parts_without_any_peer_say_why_and_do_not_fail(self):
        arguments = argparse.Namespace(rounds=1, ranks=[2], regions=1, mpicc="no-such-mpicc", mpirun="no-such-mpirun",
                                       ceilings=".", ert=None)
        with tempfile.TemporaryDirectory() as folder:
            for part in (costs.markers, costs.counters, costs.merge, costs.sampling, others.counting, others.ceilings,
                         counted.rows):
                failed = {}
                rows = [row for row in part(NonePeers(), arguments, folder, failed) if row]
                self.assertEqual(rows, [], part)
                self.assertTrue(failed, part)

    def test_header_that_is_not_there(self):
        nowhere = found.Library("x", "X", "no/such/header.h", ("x",), "", "Debian: libx-dev")
        with self.assertRaisesRegex(found.Missing, "Debian: libx-dev"):
            found.find_library(nowhere, None)

    def test_prefix_reaches_the_compiler(self):
        flags = found.LIBRARIES["caliper"].flags("/opt/caliper")
        for flag in ("-DPEER_CALIPER", "-I/opt/caliper/include", "-L/opt/caliper/lib", "-lcaliper"):
            self.assertIn(flag, flags)


unittest.main()
