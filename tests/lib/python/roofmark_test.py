# SPDX-License-Identifier: BSD-3-Clause
"""roofmark_test.py COMMAND PROGRAM RECORDED: the Python module on a file that PROGRAM leaves, and on recorded ones."""
import base64
import csv
import html
import importlib.util
import io
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

COMMAND, PROGRAM, RECORDED = (os.path.abspath(argument) for argument in sys.argv[1:4])
HPCG = os.path.join(RECORDED, "hpcg.json")  # of two ranks
HOSTILE = "=<script>alert('x')</script>,\"$x_$\n|"


def has(module):
    return importlib.util.find_spec(module) is not None


def same_bits(text, value):
    """Whether the value of a frame is what the CSV's text says, to the last bit."""
    try:
        return int(text) == value
    except ValueError:
        return struct.pack("d", float(text)) == struct.pack("d", value)


class Module(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)
        cls.file = cls.work / "app.roofline.json"
        subprocess.run([PROGRAM, "nested"], check=True, capture_output=True, env={
            **os.environ, "ROOFMARK_COLLECTOR": "timer", "ROOFMARK_QUIET": "1", "ROOFMARK_OUTPUT": str(cls.file)})
        document = json.loads(cls.file.read_text())
        # Beyond 2^53, which no float holds.
        document["paths"][0]["metrics"]["visits"].update(sum=2**63 + 1, max=2**63 + 1)
        cls.file.write_text(json.dumps(document))
        document["paths"][0]["path"] = HOSTILE.replace("/", "\\/").replace("\n", "\\x0A")
        document["paths"] = document["paths"][:1]
        cls.hpcg = roofmark.load(HPCG)
        cls.hostile = cls.work / "<b>$x.json"
        cls.hostile.write_text(json.dumps(document))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def csv_of(self, file):
        text = subprocess.run([COMMAND, "report", file, "--csv", "-"], check=True, capture_output=True).stdout
        return list(csv.DictReader(io.StringIO(text.decode(), newline="")))

    def test_all_is_the_csv_bit_by_bit(self):
        import pandas
        for file in (self.file, self.hostile):
            rows, frame = self.csv_of(file), roofmark.load(file).all
            self.assertGreater(len(rows), 10)
            self.assertEqual({(r["path"], r["metric"]) for r in rows},
                             {(p, m) for p in frame.index for m in frame.columns
                              if any(r["path"] == p and r["metric"] == m for r in rows)})
            for row in rows:
                value = frame.loc[row["path"], row["metric"]]
                if row["sum"] == "":
                    self.assertTrue(pandas.isna(value), row)
                else:
                    self.assertTrue(same_bits(row["sum"], value), (row, value))
                self.assertEqual(frame.loc[row["path"], "kind"], row["kind"])

    def test_time_is_that_of_the_slowest_rank(self):
        document = json.loads(self.file.read_text())
        document["run"].update(ranks=2, ranks_merged=2)
        document["paths"][0]["metrics"]["time_ns"].update(ranks=2, sum=30_000_000, min=10_000_000, max=20_000_000)
        file = self.work / "two_ranks.json"
        file.write_text(json.dumps(document))
        run = roofmark.load(file)
        path = document["paths"][0]["path"]
        self.assertEqual(run.regions.loc[path, "time_s"], 0.02)
        self.assertEqual(run.all.loc[path, "time_ns"], 30_000_000)
        told = next(each for each in run.analysis["paths"] if each["path"] == path)
        self.assertEqual(told["time_s"]["value"], 0.02)

    def test_regions_are_the_table_of_the_report(self):
        run = self.hpcg
        self.assertEqual(list(run.regions), [
            "time_s", "time_share", "gflops", "dram_gbytes_per_s", "intensity_dram", "attainable_gflops", "efficiency",
            "limit", "advice", "saves_s", "imbalance", "kind"])
        report = subprocess.run([COMMAND, "report", HPCG, "--all", "--width", "200"], check=True, capture_output=True)
        told = {match[1]: (match[2], match[3]) for match in re.finditer(
            r"^..? +([\w/()]+) +([\d.]+ [mun]?s) +[<\d.]+ % [^\w]*([\d.]+) ", report.stdout.decode(), re.MULTILINE)}
        self.assertGreater(len(told), 20, report.stdout.decode())
        for path, (time, gflops) in told.items():
            region = run.regions.loc[path]
            seconds = float(time.split()[0]) * {"s": 1, "ms": 1e-3, "us": 1e-6}[time.split()[1]]
            self.assertAlmostEqual(region.time_s / seconds, 1, delta=0.006, msg=path)
            self.assertAlmostEqual(region.gflops, float(gflops), delta=0.006 * region.gflops + 0.0005, msg=path)

    def test_nothing_is_over_the_sum_of_times(self):
        run = self.hpcg
        long = run.long[run.long.metric == "time_ns"].set_index("path")
        for path, region in run.all.iterrows():
            self.assertEqual(region.time_s, long.loc[path, "max"] * 1e-9, path)
            for name, amount in (("gflops", region.flops), ("dram_gbytes_per_s", region.dram_bytes)):
                self.assertAlmostEqual(region[name] * region.time_s * 1e9, float(amount), delta=1e-9 * amount, msg=path)

    def test_the_longest_is_first_and_the_program_last(self):
        for name in ("regions", "all"):
            frame = getattr(self.hpcg, name)
            self.assertEqual(list(frame.index[-2:]), ["(outside)", "(program)"])
            self.assertEqual(list(frame.kind[-2:]), ["", ""])
            times = list(frame.time_s[:-2])
            self.assertEqual(times, sorted(times, reverse=True))
            self.assertEqual(frame.index[0], "CG")

    def test_a_region_has_its_limit_its_first_advice_and_its_source(self):
        run = self.hpcg
        first = run.analysis["advice"][0]
        self.assertEqual(run.advice.loc[0, ["path", "advice", "saves_s"]].tolist(),
                         [first["path"], first["deed"], first["expected_s"]])
        self.assertEqual(run.regions.loc[first["path"], ["advice", "saves_s"]].tolist(),
                         [first["deed"], first["expected_s"]])
        told = {each["path"]: each["limit"] for each in run.analysis["paths"] + run.analysis["whole"]}
        self.assertEqual(run.regions.limit.to_dict(), told)
        self.assertGreater(len(set(told.values())), 2)
        self.assertEqual(run.all.loc["CG", "source"], "src/CG.cpp:62")
        self.assertEqual(run.regions.loc["(program)", "advice"], "")

    def test_of_several_pieces_of_advice_the_first_counts(self):
        run = roofmark.load(HPCG)
        one = {**run.analysis["advice"][0], "path": "CG"}
        run.analysis["advice"] = [{**one, "deed": "First"}, {**one, "deed": "Second"}]
        self.assertEqual(run.regions.loc["CG", "advice"], "First")
        self.assertEqual(list(run.advice.advice), ["First", "Second"])

    def test_columns_have_the_same_type_in_all_runs(self):
        types = [run.regions.dtypes.astype(str).to_dict()
                 for run in (self.hpcg, roofmark.load(self.file), roofmark.load(self.hostile))]
        self.assertEqual(types[0], types[1])
        self.assertEqual(types[0], types[2])

    def test_two_regions_of_one_name_in_the_csv_stay_two(self):
        document = json.loads(self.file.read_text())
        one = json.dumps(document["paths"][0])
        document["paths"] = [json.loads(one), json.loads(one)]
        for path, name, visits in zip(document["paths"], ("'=a", "=a"), (4, 5)):
            path.update(path=name, name=name)
            path["metrics"]["visits"].update(sum=visits, max=visits)
        file = self.work / "names.json"
        file.write_text(json.dumps(document))
        frame = roofmark.load(file).all
        self.assertEqual(list(frame.index)[:2], ["'=a", "'=a"])
        self.assertEqual(list(frame.visits[:2]), [4, 5])

    def test_devices_are_apart(self):
        document = json.loads(self.file.read_text())
        paths = [path["path"] for path in document["paths"][:2]]
        document["devices"] = [{
            "host": "n", "uuid": uuid, "name": "", "chip": "", "processes": 1,
            "metrics": {"flops_dp_add": {"unit": "flops", "status": "measured", "counted": 1}},
            "paths": [{"path": path, "ranges": 1, "lost": 0, "values": {"flops_dp_add": 2**60 + 1}}
                      for path in paths]} for uuid in ("GPU-1", "GPU-2")]
        file = self.work / "devices.json"
        file.write_text(json.dumps(document))
        run = roofmark.load(file)
        self.assertEqual(list(run.devices.index), [(uuid, path) for uuid in ("GPU-1", "GPU-2") for path in paths])
        self.assertEqual(run.devices.loc[("GPU-2", paths[1]), "flops_dp_add"], 2**60 + 1)
        self.assertNotIn("flops_dp_add", run.all)
        self.assertEqual(len(run.regions), len(roofmark.load(self.file).regions))
        self.assertEqual(len(roofmark.load(self.file).devices), 0)

    def test_long_is_the_csv(self):
        import pandas
        rows, frame = self.csv_of(self.file), roofmark.load(self.file).long
        self.assertEqual(len(rows), len(frame))
        self.assertEqual(list(rows[0]), list(frame.columns))
        for at, row in enumerate(rows):
            for name, text in row.items():
                value = frame[name].iloc[at]
                if name not in ("ranks", "sum", "mean", "min", "min_rank", "max", "max_rank", "stddev"):
                    self.assertEqual(value, text)
                elif text == "":
                    self.assertTrue(pandas.isna(value))
                else:
                    self.assertTrue(same_bits(text, value), (name, text, value))

    def test_columns_hold_every_bit(self):
        from roofmark._frames import column
        for values in ([1, None, 2**62], [2**64 - 1, 1], [0.1, 2, None], [2**63 + 1, None, 3], [2**63 + 1, 0.5], [2**70, 1], [-1, 2**63]):
            for value, held in zip(values, column(values)):
                if value is not None:
                    self.assertEqual(value, held)

    def test_machine(self):
        self.assertEqual(len(roofmark.load(self.file).machine), 0)
        document = json.loads(self.file.read_text())
        point = {"cores": 2, "packages": 1, "value": 36.5, "median": 36, "min": 35, "max": 37, "samples": 3}
        document["machine"] = {"ceilings": [{"id": "bandwidth.DRAM.read", "label": "DRAM", "unit": "GB/s",
                                             "counted_factor": 1, "curve": [point]}]}
        file = self.work / "machine.json"
        file.write_text(json.dumps(document))
        machine = roofmark.load(file).machine
        self.assertEqual(machine.loc[0, ["id", "cores", "value"]].tolist(), ["bandwidth.DRAM.read", 2, 36.5])

    @unittest.skipUnless(has("h5py"), "python3-h5py is not installed")
    def test_ranks_and_threads(self):
        import h5py
        import numpy
        import pandas
        document = json.loads(self.file.read_text())
        document["run"]["passes"][0].setdefault("facts", {})["detail"] = "/elsewhere/run.ranks.h5"
        file = self.work / "detail.json"
        file.write_text(json.dumps(document))
        with self.assertRaisesRegex(roofmark.RoofmarkError, "neither there nor beside it"):
            roofmark.load(file).ranks
        names = numpy.array([b"measured", b"absent"])
        with h5py.File(self.work / "run.ranks.h5", "w") as data:
            data["paths"] = numpy.array([b"solve", b"wait"])
            data["metrics"] = numpy.array([b"time_ns", b"visits"])
            data["hosts"] = numpy.array([b"n1", b"n2\0\0"])
            data["values"] = numpy.array([[[5, 1], [0, 0]], [[2**64 - 1, 2], [7, 3]]], dtype="u8")
            data["status"] = numpy.array([[[0, 0], [1, 1]], [[0, 0], [0, 0]]], dtype="u1")
            data["status"].attrs["names"] = names
            data["thread_rank"] = numpy.array([1], dtype="u4")
            data["thread_number"] = numpy.array([3], dtype="u4")
            data["thread_kind"] = numpy.array([1], dtype="u4")
            data["thread_kind"].attrs["names"] = numpy.array([b"marked", b"counted"])
            data["thread_values"] = numpy.array([[[4, 0], [6, 0]]], dtype="u8")
            data["thread_status"] = numpy.array([[[0, 1], [0, 1]]], dtype="u1")
            data["thread_status"].attrs["names"] = names
        run = roofmark.load(file)
        self.assertEqual(run.ranks.loc[(1, "solve"), "time_ns"], 2**64 - 1)
        self.assertTrue(pandas.isna(run.ranks.loc[(0, "wait"), "time_ns"]))
        self.assertEqual(run.ranks.loc[(1, "wait"), "host"], "n2")
        self.assertEqual(run.threads.loc[(1, 3, "counted", "wait"), "time_ns"], 6)
        self.assertNotIn("visits", run.threads)  # no thread has it
        with self.assertRaisesRegex(roofmark.RoofmarkError, "ROOFMARK_DETAIL"):
            roofmark.load(self.file).ranks

    def test_names_are_text_in_html(self):
        page = roofmark.load(self.hostile)._repr_html_()
        self.assertNotIn("<script", page)
        self.assertNotIn("<b>", page)
        self.assertIn("&lt;script&gt;", page)
        self.assertIn(html.escape("<b>$x.json"), page)

    def test_plot_is_the_picture_of_the_command(self):
        for words, options in (([], {}), (["--chart", "hierarchical", "--theme", "dark", "--width", "85mm"],
                                          {"chart": "hierarchical", "theme": "dark", "width_mm": 85})):
            drawn = subprocess.run([COMMAND, "report", HPCG, "--svg", "-", *words], check=True, capture_output=True)
            self.assertEqual(self.hpcg.plot(**options)._repr_svg_(), drawn.stdout.decode())
        with self.assertRaisesRegex(roofmark.RoofmarkError, "pie"):
            self.hpcg.plot(chart="pie")

    def test_a_picture_is_an_image_of_its_own(self):
        picture = roofmark.load(self.hostile).plot()
        page = re.fullmatch('<img alt="([^"<>]*)" src="data:image/svg[+]xml;base64,([^"]*)">', picture._repr_html_())
        self.assertEqual(html.unescape(page[1]), "Roofline of <b>$x.json")
        self.assertEqual(base64.b64decode(page[2]).decode(), picture.svg)

    def test_a_picture_is_saved_as_svg(self):
        picture, file = roofmark.load(self.file).plot(), self.work / "picture.svg"
        for _ in range(2):  # the cell of a notebook is executed again
            picture.save(file)
            self.assertEqual(file.read_text(encoding="utf-8"), picture.svg)
        with self.assertRaisesRegex(roofmark.RoofmarkError, "picture.png: .* ends in .svg"):
            picture.save(self.work / "picture.png")

    def test_errors(self):
        broken = self.work / "broken.json"
        for text, message in (("{", "is no JSON"), ("[]", "is no roofline file"),
                              ('{"format": "x"}', "its format is 'x'")):
            broken.write_text(text)
            with self.assertRaisesRegex(roofmark.RoofmarkError, f"broken.json .*{message}.*: give a file that"):
                roofmark.load(broken)
        with self.assertRaises(FileNotFoundError):
            roofmark.load(self.work / "missing.json")
        broken.write_text('{"format": "roofmark-roofline", "version": 1}')
        with self.assertRaisesRegex(roofmark.RoofmarkError, "broken.json"):
            roofmark.load(broken).long

    def test_a_command_that_is_not_there_is_named(self):
        with self.assertRaisesRegex(roofmark.RoofmarkError, "/no/roofmark cannot be executed"):
            roofmark.load(self.file, command="/no/roofmark").regions

    def test_the_command_is_that_of_the_build(self):
        from roofmark._command import find_command
        self.assertTrue(os.path.samefile(find_command(), COMMAND))


if __name__ == "__main__":
    if not has("pandas"):
        print("skipped: python3-pandas is not installed")
        sys.exit(77)
    import roofmark
    unittest.main(argv=sys.argv[:1])
