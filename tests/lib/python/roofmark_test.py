# SPDX-License-Identifier: BSD-3-Clause
"""roofmark_test.py COMMAND PROGRAM NOTEBOOK: the Python module on a file that PROGRAM leaves.

The cells of the notebook are executed one after the other in one namespace, as a kernel does; no
Jupyter is needed.
"""
import csv
import html
import importlib.util
import io
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

COMMAND, PROGRAM, NOTEBOOK = (os.path.abspath(argument) for argument in sys.argv[1:4])
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
        cls.hostile = cls.work / "<b>$x.json"
        cls.hostile.write_text(json.dumps(document))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def csv_of(self, file):
        text = subprocess.run([COMMAND, "report", file, "--csv", "-"], check=True, capture_output=True).stdout
        return list(csv.DictReader(io.StringIO(text.decode(), newline="")))

    def test_regions_are_the_csv_bit_by_bit(self):
        import pandas
        for file in (self.file, self.hostile):
            rows, frame = self.csv_of(file), roofmark.load(file).regions
            self.assertGreater(len(rows), 10)
            self.assertEqual({(r["path"], r["metric"]) for r in rows},
                             {(p, m) for p in frame.index for m in frame.columns if m != "kind"
                              and any(r["path"] == p and r["metric"] == m for r in rows)})
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
        self.assertEqual(run.regions.loc[path, "time_ns"], 30_000_000)
        told = next(each for each in run.analysis["paths"] if each["path"] == path)
        self.assertEqual(told["time_s"]["value"], 0.02)

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
        self.assertNotIn("flops_dp_add", run.regions)
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

    def analysis(self, name):
        number = lambda value: {"value": value, "status": "measured"}
        ceilings = [{"name": "DRAM", "type": "memory", "gbytes_per_s": 10.0, "level": "DRAM"},
                    {"name": "peak", "type": "compute", "gflops": 40.0}]
        return {"name": name, "paths": [{"path": name, "kind": "team", "intensity_dram": number(0.5),
                                         "gflops": number(2.0), "verdict": {"ceilings": ceilings}}]}

    @unittest.skipUnless(has("matplotlib"), "python3-matplotlib is not installed")
    def test_plot(self):
        from roofmark import _plot
        ax = _plot.plot(self.analysis(HOSTILE))
        lines = [(list(line.get_xdata()), list(line.get_ydata())) for line in ax.lines]
        self.assertIn(([0.5], [2.0]), lines)
        self.assertTrue(any(ys == [40.0, 40.0] and math.isclose(xs[0], 4.0) for xs, ys in lines))
        ax.figure.savefig(io.BytesIO(), format="svg")  # a $ in a name is no mathematics
        self.assertIsNotNone(roofmark.load(self.file).plot())

    @unittest.skipUnless(has("matplotlib"), "python3-matplotlib is not installed")
    def test_notebook(self):
        cells = json.loads(pathlib.Path(NOTEBOOK).read_text())["cells"]
        here, names = os.getcwd(), {}
        os.chdir(self.work)
        try:
            for cell in cells:
                if cell["cell_type"] == "code":
                    exec(compile("".join(cell["source"]), "regions.ipynb", "exec"), names)
        finally:
            os.chdir(here)
        self.assertIn("run", names)

    def test_errors(self):
        broken = self.work / "broken.json"
        for text, message in (("{", "is no JSON"), ("[]", "is no roofline file"), ('{"format": "x"}', "is no roofline")):
            broken.write_text(text)
            with self.assertRaisesRegex(roofmark.RoofmarkError, message):
                roofmark.load(broken)
        with self.assertRaises(FileNotFoundError):
            roofmark.load(self.work / "missing.json")
        broken.write_text('{"format": "roofmark-roofline", "version": 1}')
        with self.assertRaisesRegex(roofmark.RoofmarkError, "broken.json"):
            roofmark.load(broken).long

    def test_the_command_is_that_of_the_build(self):
        from roofmark._command import find_command
        self.assertTrue(os.path.samefile(find_command(), COMMAND))


if __name__ == "__main__":
    if not has("pandas"):
        print("skipped: python3-pandas is not installed")
        sys.exit(77)
    import roofmark
    unittest.main(argv=sys.argv[:1])
