# SPDX-License-Identifier: BSD-3-Clause
"""Roofline files as pandas frames.

    import roofmark
    run = roofmark.load("app.roofline.json")
    run.regions           # a row for each region: time, GFLOP/s, what limits it, what to do first
    run.all               # the same rows with all figures
    run.plot()            # its roofline

All numbers and pictures are those of `roofmark report`: nothing is computed here. Importing this
package imports nothing beyond the standard library; pandas and h5py are imported where a property
needs them.
"""
from ._run import Run, RoofmarkError, load

__all__ = ["Run", "RoofmarkError", "load"]
