# SPDX-License-Identifier: BSD-3-Clause
"""Frames made of what the command prints, so that no bit of a number is lost."""
from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Union

from ._command import RoofmarkError

if TYPE_CHECKING:
    import pandas

NUMBERS = ("ranks", "sum", "mean", "min", "min_rank", "max", "max_rank", "stddev")
_INT64, _UINT64 = 2**63, 2**64
Number = Union[int, float]


def pandas_module() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise RoofmarkError("pandas is missing: pip install pandas (Debian: apt install python3-pandas)") from error
    return pandas


def number(text: str) -> Optional[Number]:
    """An int where the text is one: floats have 53 bits, counters up to 64."""
    if text == "":
        return None
    try:
        return int(text)
    except ValueError:
        return float(text)


def _integers(values: List[Optional[Number]], kind: str) -> "pandas.Series":
    """pandas itself makes floats of a list with a gap in it, on the way."""
    pandas = pandas_module()
    import numpy  # pandas needs it
    held = numpy.array([0 if value is None else value for value in values], dtype=kind)
    return pandas.Series(pandas.arrays.IntegerArray(held, numpy.array([value is None for value in values])))


def column(values: Iterable[Optional[Number]]) -> "pandas.Series":
    """A column that holds each of the values exactly, in the simplest type that can."""
    pandas = pandas_module()
    values = list(values)
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, int) for value in known):
        if all(-_INT64 <= value < _INT64 for value in known):
            return _integers(values, "int64")
        if all(0 <= value < _UINT64 for value in known):
            return _integers(values, "uint64")
    if all(float(value) == value for value in known):
        return pandas.Series([float("nan") if value is None else float(value) for value in values],
                             dtype="float64")
    return pandas.Series(values, dtype="object")


def rows_of(text: str) -> List[List[str]]:
    """Fields of CSV as they stand, after RFC 4180."""
    return list(csv.reader(io.StringIO(text, newline="")))


def long_frame(text: str) -> "pandas.DataFrame":
    """A row for each region and metric, as the CSV."""
    pandas = pandas_module()
    head, *rows = rows_of(text)
    columns = {}
    for index, name in enumerate(head):
        texts = [row[index] for row in rows]
        columns[name] = column(map(number, texts)) if name in NUMBERS else pandas.Series(texts, dtype="object")
    return pandas.DataFrame(columns, columns=head)


def _device(scope: str) -> str:
    """The UUID of the accelerator that a line belongs to; empty: it is the host's."""
    word, _, uuid = scope.partition(" ")
    return uuid if word == "device" else ""


def _groups(head: List[str], rows: List[List[str]]) -> List[Dict[str, List[str]]]:
    """The lines of each region by metric, in the order of the CSV. Two regions may have one name there: one that has
    an apostrophe, and one that got it."""
    path, metric = head.index("path"), head.index("metric")
    groups: List[Dict[str, List[str]]] = []
    last = None
    for row in rows:
        if row[path] != last or row[metric] in groups[-1]:
            groups.append({})
        last = row[path]
        groups[-1][row[metric]] = row
    return groups


def wide_frame(text: str) -> "pandas.DataFrame":
    """A row for each region, in the order of the CSV; a column for each metric. A derived value
    (time_s, gflops) is that of the report; a stored metric (time_ns, instructions) is the sum over the
    ranks. `kind` is empty of what is no region. What devices did is not in it."""
    pandas = pandas_module()
    head, *rows = rows_of(text)
    path, value, kind = (head.index(name) for name in ("path", "sum", "kind"))
    groups = _groups(head, [row for row in rows if not _device(row[head.index("scope")])])
    firsts = [next(iter(group.values())) for group in groups]
    columns = {"kind": pandas.Series([row[kind] for row in firsts], dtype="object")}
    for name in dict.fromkeys(metric for group in groups for metric in group):
        columns[name] = column(number(group[name][value]) if name in group else None for group in groups)
    frame = pandas.DataFrame(columns)
    frame.index = pandas.Index([row[path] for row in firsts], name="path", dtype="object")
    return frame


def devices_frame(text: str) -> "pandas.DataFrame":
    """A row for each device and region, in the order of the CSV; a column for each metric."""
    pandas = pandas_module()
    head, *rows = rows_of(text)
    scope, path, metric, value = (head.index(name) for name in ("scope", "path", "metric", "sum"))
    rows = [row for row in rows if _device(row[scope])]
    keys = list(dict.fromkeys((_device(row[scope]), row[path]) for row in rows))
    metrics = list(dict.fromkeys(row[metric] for row in rows))
    at = {(_device(row[scope]), row[path], row[metric]): number(row[value]) for row in rows}
    frame = pandas.DataFrame({name: column(at.get((*key, name)) for key in keys) for name in metrics},
                             columns=metrics)
    frame.index = pandas.MultiIndex.from_tuples(keys, names=["device", "path"])
    return frame
