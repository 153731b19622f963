# SPDX-License-Identifier: BSD-3-Clause
"""The frame of regions: the figures that a report shows first, then all others."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

from . import _frames

if TYPE_CHECKING:
    import pandas

# In the order of the report's table.
_NUMBERS = ["time_s", "time_share", "gflops", "dram_gbytes_per_s", "intensity_dram", "attainable_gflops", "efficiency"]
HEADLINE = [*_NUMBERS, "limit", "advice", "saves_s", "imbalance", "kind"]


def advice_frame(analysis: Dict[str, Any]) -> "pandas.DataFrame":
    """A row for each piece of advice, the most useful first."""
    pandas = _frames.pandas_module()
    columns = ["path", "advice", "place", "saves_s", "saves_s_least", "saves_s_most", "sentence"]
    return pandas.DataFrame(
        [(each["path"], each["deed"], each.get("place", ""), each["expected_s"], each["saves_s"]["least"],
          each["saves_s"]["most"], each["sentence"]) for each in analysis["advice"]], columns=columns)


def _sources(document: Dict[str, Any]) -> Dict[str, str]:
    """File and line of the marker, of regions that have one."""
    return {path["path"]: f"{path['file']}:{path['line']}" for path in document["paths"] if path.get("file")}


def all_frame(csv: str, analysis: Dict[str, Any], document: Dict[str, Any]) -> "pandas.DataFrame":
    """A row for each region, the longest first, then (outside) and (program); the headline's columns, then all of
    the CSV. Regions have their names in the CSV."""
    pandas = _frames.pandas_module()
    frame = _frames.wide_frame(csv)
    # The same regions in the same order; names here are those of the file.
    told: List[Dict[str, Any]] = [*analysis["paths"], *analysis.get("whole", [])]
    first = {each["path"]: each for each in reversed(analysis["advice"])}
    source = _sources(document)

    def texts(values: Any) -> "pandas.Series":
        return pandas.Series(list(values), index=frame.index, dtype="object")

    frame["limit"] = texts(each["limit"] for each in told)
    frame["advice"] = texts(first.get(each["path"], {}).get("deed", "") for each in told)
    frame["saves_s"] = [first.get(each["path"], {}).get("expected_s", float("nan")) for each in told]
    frame["source"] = texts(source.get(each["path"], "") for each in told)
    frame = frame.reindex(columns=[*HEADLINE, *(name for name in frame if name not in HEADLINE)])
    # Of the same type in all runs, also where a number is whole in each region, or missing.
    frame = frame.astype({name: "float64" for name in [*_NUMBERS, "imbalance"]})
    regions = len(analysis["paths"])
    times = frame["time_s"].iloc[:regions].reset_index(drop=True)
    return frame.iloc[[*times.sort_values(ascending=False, kind="stable").index, *range(regions, len(frame))]]
