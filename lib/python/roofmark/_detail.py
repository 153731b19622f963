# SPDX-License-Identifier: BSD-3-Clause
"""The HDF5 file of all ranks (ROOFMARK_DETAIL), as frames."""
from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Any, Dict, List

from ._command import RoofmarkError
from ._frames import pandas_module

if TYPE_CHECKING:
    import pandas


def detail_file(roofline: pathlib.Path, document: Dict[str, Any]) -> pathlib.Path:
    """The file that a pass names, where it is or beside the roofline file."""
    names = [run_pass.get("facts", {}).get("detail") for run_pass in document["run"]["passes"]]
    names = [name for name in names if name]
    if not names:
        raise RoofmarkError(f"{roofline} has no file of all ranks: record with ROOFMARK_DETAIL=ranks or threads")
    for place in (pathlib.Path(names[0]), roofline.parent / pathlib.Path(names[0]).name):
        if place.is_file():
            return place
    raise RoofmarkError(f"{names[0]}, the file of all ranks of {roofline}, is neither there nor beside it")


def _h5py() -> Any:
    try:
        import h5py
    except ImportError as error:
        raise RoofmarkError("h5py is missing: pip install h5py (Debian: apt install python3-h5py)") from error
    return h5py


def _texts(values: Any) -> List[str]:
    return [bytes(value).rstrip(b"\0").decode("utf-8", "replace") for value in values]


def _frame(values: Any, status: Any, names: List[str], columns: List[str], index: Any) -> "pandas.DataFrame":
    """A column for each metric that any row has; what is absent is missing."""
    pandas = pandas_module()
    absent = names.index("absent")
    flat = values.reshape(-1, len(columns))
    missing = (status == absent).reshape(-1, len(columns))
    frame = {}
    for at, name in enumerate(columns):
        if not missing[:, at].all():
            frame[name] = pandas.arrays.IntegerArray(flat[:, at].copy(), missing[:, at].copy())
    return pandas.DataFrame(frame, index=index)


def ranks_frame(file: pathlib.Path) -> "pandas.DataFrame":
    """A row for each rank and region."""
    pandas = pandas_module()
    with _h5py().File(file, "r") as data:
        paths, metrics = _texts(data["paths"][()]), _texts(data["metrics"][()])
        names = _texts(data["status"].attrs["names"])
        values, hosts = data["values"][()], _texts(data["hosts"][()])
        index = pandas.MultiIndex.from_product([range(len(values)), paths], names=["rank", "path"])
        frame = _frame(values, data["status"][()], names, metrics, index)
    frame.insert(0, "host", [hosts[rank] for rank in index.get_level_values("rank")])
    return frame


def threads_frame(file: pathlib.Path) -> "pandas.DataFrame":
    """A row for each thread and region. Threads that entered regions are `marked`, those that were
    counted `counted`; both number their threads themselves."""
    pandas = pandas_module()
    with _h5py().File(file, "r") as data:
        if "thread_values" not in data:
            raise RoofmarkError(f"{file} has ranks, and no threads: record with ROOFMARK_DETAIL=threads")
        paths, metrics = _texts(data["paths"][()]), _texts(data["metrics"][()])
        kinds = _texts(data["thread_kind"].attrs["names"])
        names = _texts(data["thread_status"].attrs["names"])
        rows = zip(data["thread_rank"][()], data["thread_number"][()], data["thread_kind"][()])
        keys = [(int(rank), int(thread), kinds[int(kind)], path)
                for rank, thread, kind in rows for path in paths]
        index = pandas.MultiIndex.from_tuples(keys, names=["rank", "thread", "kind", "path"])
        return _frame(data["thread_values"][()], data["thread_status"][()], names, metrics, index)
