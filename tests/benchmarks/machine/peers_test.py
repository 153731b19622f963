# SPDX-License-Identifier: BSD-3-Clause
"""The comparison with peers: what it reads from them and what it computes. Runs none of them."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(sys.argv.pop(1)) / "benchmarks/machine/peers"))
import peers
import quiet
import rows

LIKWID = """Warning: Sanitizing vector length to a multiple of the loop stride 32
CPU Clock:\t\t2596074532
Time:\t\t\t1.5e-01 sec
Iterations:\t\t100
MFlops/s:\t\t126606.97
MByte/s:\t\t471799.29
"""
STREAM = """Function    Best Rate MB/s  Avg time     Min time     Max time
Copy:           23500.0     0.020000     0.010000     0.030000
Scale:          15000.0     0.040000     0.030000     0.050000
Add:            15100.0     0.060000     0.050000     0.070000
Triad:          15200.0     0.030000     0.020000     0.040000
"""


class Reading(unittest.TestCase):
    def test_likwid(self):
        seconds, gflops, gbytes = peers.parse_likwid(LIKWID)
        self.assertEqual(seconds, 0.15)
        self.assertAlmostEqual(gflops, 126.60697)
        self.assertAlmostEqual(gbytes, 471.79929)

    def test_stream_gives_the_mean_of_each_kernel(self):
        rates = peers.parse_stream(STREAM, 10_000_000)
        self.assertEqual({name: round(rate, 6) for name, rate in rates.items()},
                         {"STREAM Copy": 8, "STREAM Scale": 4, "STREAM Add": 4, "STREAM Triad": 8})

    def test_ert_gives_the_longest_run_of_the_size_next_to_each_level(self):
        text = ("  8192  1  10.0  16384  1024\n  8192  4  8.0  65536  4096\n  9000  1  0.000  18000  1\n"
                "  1000000 1 100.0 2000000 125000\n\nMETA_DATA\nFLOPS          1\n")
        bandwidths, gflops = peers.parse_ert(text, {"L1": 8000, "DRAM": 2_000_000})
        self.assertEqual(bandwidths, {"L1": 65536 / 8 / 1000, "DRAM": 20})
        self.assertEqual(gflops, 1.25)

    def test_a_compiler_is_asked_for_an_option_that_others_lack(self):
        self.assertTrue(peers.knows("gcc", peers.AS_WRITTEN))
        self.assertFalse(peers.knows("gcc", "-fno-such-option-anywhere"))

    def test_program_that_is_not_there_is_missing(self):
        with self.assertRaisesRegex(peers.Missing, "no_such_program"):
            peers.run(["/no/such/no_such_program"])

    def test_program_that_fails_is_missing_with_its_last_line(self):
        with self.assertRaisesRegex(peers.Missing, "sh: no luck"):
            peers.run(["sh", "-c", "echo first >&2; echo no luck >&2; exit 3"])

    def test_busy_time_is_all_but_idle_and_waiting(self):
        stat = "cpu  100 200 300 9999 9999 5 6 7 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"
        self.assertAlmostEqual(quiet.busy_seconds(stat) * quiet.os.sysconf("SC_CLK_TCK"), 618)

    def test_others_share_leaves_our_own_work_out(self):
        self.assertAlmostEqual(quiet.foreign_share((0, 10, 1), (2, 13, 3), cpus=2), 0.25)
        self.assertEqual(quiet.foreign_share((0, 10, 1), (2, 12, 3.01), cpus=2), 0)


class Arithmetic(unittest.TestCase):
    def test_tests_of_likwid(self):
        self.assertEqual(rows.peak_test("dp", "fma", "512"), "peakflops_avx512_fma")
        self.assertEqual(rows.peak_test("sp", "fma", "256"), "peakflops_sp_avx_fma")
        self.assertEqual(rows.peak_test("sp", "muladd", "scalar"), "peakflops_sp")
        self.assertEqual(rows.peak_test("dp", "muladd", "128"), "peakflops_sse")
        self.assertIsNone(rows.peak_test("dp", "fma", "128"))

    def test_traffic_of_a_kernel_is_its_bytes_times_a_factor(self):
        series = {"L2": [1, 2], "L2, p95": [3, 4], "ERT L2": [5, 6]}
        self.assertEqual(rows.scaled(series, "L2", 1.5), {"L2": [1.5, 3], "L2, p95": [4.5, 6], "ERT L2": [5, 6]})

    def test_working_sets_fit_their_level_and_are_whole_blocks(self):
        caches = [{"level": 1, "bytes": 32 << 10, "shared_by_cores": 1},
                  {"level": 2, "bytes": 2 << 20, "shared_by_cores": 2},
                  {"level": 3, "bytes": 32 << 20, "shared_by_cores": 8}]
        self.assertEqual(rows.working_sets(caches, 1, 384 << 20),
                         {"L1": 15360, "L2": 786432, "DRAM": 384 << 20})
        self.assertEqual(rows.working_sets(caches, 4, 384 << 20)["L2"], 393216)

    def test_pipes_are_those_that_the_rate_fills(self):
        self.assertEqual(rows.count_pipes([99, 98, 60], [50, 50, 50]), 2)
        self.assertEqual(rows.count_pipes([10], [50]), 1)

    def test_contenders_are_the_best_three(self):
        self.assertEqual(rows.contenders({"a": 96, "b": 94, "c": 100, "d": 95}), ["c", "a", "d"])
        self.assertEqual(rows.contenders({}), [])
        self.assertEqual(rows.best_of({"a": [1, 100, 2], "b": [3, 3, 3]}), "b")

    def test_ratio_is_the_median_of_the_rounds_ratios(self):
        series = {"ours": [10, 20, 90], "ours, p95": [11, 21, 91]}
        row = rows.make_row("L1", "read", series, "ours", "load", [10, 40, 60], 0.98)
        self.assertEqual((row.ours, row.p95, row.peer, row.ratio), (20, 21, 40, 1))
        self.assertTrue(row.holds)
        self.assertFalse(rows.make_row("L1", "read", series, "ours", "load", [11, 21, 94],
                                       0.98).holds)

    def test_copy_by_memcpy_saves_traffic_only_if_it_is_faster(self):
        self.assertFalse(rows.copy_allocates(23.5, 15, by_call=True))
        self.assertTrue(rows.copy_allocates(15.5, 15, by_call=True))
        self.assertTrue(rows.copy_allocates(23.5, 15, by_call=False))

    def test_geometric_mean(self):
        self.assertAlmostEqual(rows.geometric_mean([0.5, 8]), 2)


unittest.main()
