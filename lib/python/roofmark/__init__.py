# SPDX-License-Identifier: BSD-3-Clause
"""Roofline files as pandas frames.

    import roofmark
    run = roofmark.load("app.roofline.json")
    run.regions           # a row for each region, a column for each figure
    run.plot()            # its roofline, with matplotlib

All numbers are those of `roofmark report --csv`: nothing is computed here. Importing this package
imports nothing beyond the standard library; pandas, matplotlib and h5py are imported where a
property needs them.
"""
from ._run import Run, RoofmarkError, load

__all__ = ["Run", "RoofmarkError", "load"]
