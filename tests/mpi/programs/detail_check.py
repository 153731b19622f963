"""detail_check.py RUN.json DETAIL.h5: the detail of each rank holds what the roofline file says.

Reads the file with h5py alone. Every cell of the roofline file is computed again from the ranks'
values: ranks present, sum, least and most with their lowest ranks.
"""
import json
import sys

import h5py

job = json.load(open(sys.argv[1]))
detail = h5py.File(sys.argv[2], "r")
paths = [text.decode() for text in detail["paths"]]
metrics = [text.decode() for text in detail["metrics"]]
units = [text.decode() for text in detail["values"].attrs["units"]]
states = [text.decode() for text in detail["status"].attrs["names"]]
values, status = detail["values"], detail["status"]
assert values.dtype == "uint64" and values.shape == status.shape, (values, status)
assert values.shape == (job["run"]["ranks_merged"], len(paths), len(metrics)), values.shape
assert len(detail["hosts"]) == values.shape[0] and all(detail["hosts"]), list(detail["hosts"])
assert units[metrics.index("time_ns")] == "ns", units
assert [p["path"] for p in job["paths"]] == paths

absent = states.index("absent")
agree = 0
for p, row in enumerate(job["paths"]):
    stored = {name: cell for name, cell in row["metrics"].items() if cell.get("sum") is not None}
    assert set(stored) <= set(metrics), set(stored) - set(metrics)
    for name, cell in stored.items():
        m = metrics.index(name)
        own = [(int(values[r, p, m]), r) for r in range(values.shape[0])
               if status[r, p, m] != absent]
        assert len(own) == cell.get("ranks", len(own)), (row["path"], name, own, cell)
        assert sum(v for v, _ in own) == cell["sum"], (row["path"], name, own, cell)
        least, most = min(own), max(own, key=lambda entry: (entry[0], -entry[1]))
        assert least == (cell["min"], cell["min_rank"]), (row["path"], name, least, cell)
        assert most == (cell["max"], cell["max_rank"]), (row["path"], name, most, cell)
        agree += 1
assert agree > 0
print(agree, "cells agree")
