# SPDX-License-Identifier: BSD-3-Clause
"""One roofline file."""
from __future__ import annotations

import functools
import html
import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

from . import _detail, _frames, _picture, _regions
from ._command import RoofmarkError, ask

if TYPE_CHECKING:
    import pandas

_GIVE = "give a file that `roofmark run` or ROOFMARK_OUTPUT wrote"
_MOST_ROWS = 40  # of a run that shows itself


class Run:
    """What a roofline file says. Frames are made when they are asked for, and kept."""

    def __init__(self, file: Union[str, "os.PathLike[str]"], command: Optional[str] = None) -> None:
        self.file = pathlib.Path(file)
        self._command = command
        with open(self.file, encoding="utf-8") as source:
            try:
                self.document: Dict[str, Any] = json.load(source)
            except ValueError as error:
                raise RoofmarkError(f"{self.file} is no JSON ({error}): {_GIVE}") from error
        found = self.document.get("format") if isinstance(self.document, dict) else None
        if found != "roofmark-roofline":
            raise RoofmarkError(f"{self.file} is no roofline file (its format is {found!r}): {_GIVE}")

    def _ask(self, *options: str) -> str:
        # A name that begins with - must not be taken for an option.
        name = str(self.file)
        return ask(self._command, "report", name if not name.startswith("-") else f"./{name}", *options)

    @functools.cached_property
    def _csv(self) -> str:
        return self._ask("--csv", "-")

    @functools.cached_property
    def analysis(self) -> Dict[str, Any]:
        """The job of `roofmark report --json`: verdicts, ceilings, advice."""
        return json.loads(self._ask("--json", "-"))["jobs"][0]

    @functools.cached_property
    def long(self) -> "pandas.DataFrame":
        """A row for each region and metric: the CSV with its columns."""
        return _frames.long_frame(self._csv)

    @functools.cached_property
    def all(self) -> "pandas.DataFrame":
        """A row for each region, indexed by path, the longest first; (outside) and (program) are the last rows, and
        have no `kind`. The columns of `regions`, then each metric of the CSV and the `source` (file:line): a derived
        value (time_s, gflops) is that of the report, a stored metric (time_ns, instructions) is the sum over the
        ranks. Integers stay integers; what is missing is NaN or NA."""
        return _regions.all_frame(self._csv, self.analysis, self.document)

    @property
    def regions(self) -> "pandas.DataFrame":
        """The headline of `all`, as in the report's table: time_s (of the slowest rank), time_share (of the run),
        gflops (FLOPs of all ranks over time_s), dram_gbytes_per_s, intensity_dram, attainable_gflops, efficiency,
        limit, advice (the first for this region), saves_s (what that is expected to save), imbalance, kind (empty of
        what is no region)."""
        return self.all[_regions.HEADLINE].copy()

    @functools.cached_property
    def advice(self) -> "pandas.DataFrame":
        """What to do first: a row for each piece of advice, the most useful first. saves_s is what is expected of an
        interval."""
        return _regions.advice_frame(self.analysis)

    @functools.cached_property
    def devices(self) -> "pandas.DataFrame":
        """A row for each device and region, indexed by its UUID and the path. Empty where nothing was
        counted on a device."""
        return _frames.devices_frame(self._csv)

    @functools.cached_property
    def ranks(self) -> "pandas.DataFrame":
        """A row for each rank and region, from the HDF5 file of all ranks."""
        return _detail.ranks_frame(_detail.detail_file(self.file, self.document))

    @functools.cached_property
    def threads(self) -> "pandas.DataFrame":
        """A row for each thread and region, from the same file (ROOFMARK_DETAIL=threads)."""
        return _detail.threads_frame(_detail.detail_file(self.file, self.document))

    @functools.cached_property
    def machine(self) -> "pandas.DataFrame":
        """The machine files in this file: a row for each ceiling and number of cores; `kind` counts
        the files. Empty where there are none."""
        pandas = _frames.pandas_module()
        machines = self.document.get("machines") or [self.document.get("machine")]
        rows: List[Dict[str, Any]] = []
        for kind, machine in enumerate(filter(None, machines)):
            for ceiling in machine["ceilings"]:
                about = {"kind": kind, **{key: ceiling.get(key) for key in ("id", "label", "unit", "counted_factor")}}
                rows += [{**about, **point} for point in ceiling["curve"]]
        columns = ["kind", "id", "label", "unit", "counted_factor", "cores", "packages", "value"]
        return pandas.DataFrame(rows) if rows else pandas.DataFrame(columns=columns)

    def plot(self, chart: str = "roofline", theme: str = "light", width_mm: Optional[float] = None) -> _picture.Picture:
        """The picture of `roofmark report --svg`. `chart`: roofline, hierarchical (a dot for each memory level) or
        cache-aware; `theme`: light or dark; `width_mm`: 85 is one of two columns of a paper."""
        width = [] if width_mm is None else ["--width", f"{width_mm}mm"]
        svg = self._ask("--svg", "-", "--chart", chart, "--theme", theme, *width)
        return _picture.Picture(svg, self.file.name)

    def _repr_html_(self) -> str:
        title = f"<h4>{html.escape(self.file.name)}</h4>"
        try:
            frame = self.regions
        except RoofmarkError as error:
            return f"{title}<p>{html.escape(str(error))}</p>"
        return title + frame.to_html(escape=True, na_rep="-", max_rows=_MOST_ROWS, float_format="{:.4g}".format)

    def __repr__(self) -> str:
        return f"roofmark.load({str(self.file)!r})"


def load(file: Union[str, "os.PathLike[str]"], command: Optional[str] = None) -> Run:
    """The roofline file `file`. `command`: the command roofmark, if it is neither in this package's
    build or prefix nor in PATH."""
    return Run(file, command)
