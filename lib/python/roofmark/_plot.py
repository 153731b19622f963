# SPDX-License-Identifier: BSD-3-Clause
"""The roofline with matplotlib, from the analysis."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from ._command import RoofmarkError

if TYPE_CHECKING:
    import matplotlib.axes


def _axes() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise RoofmarkError("matplotlib is not installed (Debian: apt install python3-matplotlib)") from error
    return pyplot.subplots(figsize=(8, 5))[1]


def _value(path: Dict[str, Any], name: str) -> Optional[float]:
    number = path.get(name)
    return number["value"] if isinstance(number, dict) else None


def roofs(analysis: Dict[str, Any]) -> Tuple[Dict[str, float], float]:
    """GB/s of each memory level, and the highest compute ceiling in GFLOP/s (0: not known)."""
    slopes: Dict[str, float] = {}
    top = 0.0
    for path in analysis["paths"]:
        for ceiling in path["verdict"]["ceilings"]:
            if "level" in ceiling and ceiling.get("gbytes_per_s"):
                level = ceiling["level"]
                slopes[level] = max(slopes.get(level, 0.0), ceiling["gbytes_per_s"])
            elif ceiling.get("gflops"):
                top = max(top, ceiling["gflops"])
    return slopes, top


def _literal(text: str) -> str:
    """A $ begins mathematics for matplotlib."""
    return text.replace("$", r"\$")


def plot(analysis: Dict[str, Any], ax: Optional["matplotlib.axes.Axes"] = None) -> "matplotlib.axes.Axes":
    ax = _axes() if ax is None else ax
    dots: List[Tuple[float, float, str, bool]] = []
    for path in analysis["paths"]:
        x, y = _value(path, "intensity_dram"), _value(path, "gflops")
        if x and y:
            dots.append((x, y, path["path"], path.get("kind") == "found"))
    slopes, top = roofs(analysis)
    xs = [dot[0] for dot in dots] + [top / slope for slope in slopes.values() if top]
    low, high = min(xs, default=0.1) / 4, max(xs, default=10.0) * 4
    for level, slope in sorted(slopes.items(), key=lambda item: item[1]):
        end = min(high, top / slope) if top else high
        if end > low:
            ax.plot([low, end], [low * slope, end * slope], color="0.4", linewidth=1)
            ax.annotate(f"{level} {slope:.3g} GB/s", (low, low * slope), fontsize="small")
    if top:
        start = min(top / slope for slope in slopes.values()) if slopes else low
        ax.plot([max(low, start), high], [top, top], color="0.4", linewidth=1)
        ax.annotate(f"{top:.3g} GFLOP/s", (high, top), fontsize="small", ha="right", va="bottom")
    for x, y, name, found in dots:
        ax.plot([x], [y], marker="o", linestyle="none", fillstyle="none" if found else "full",
                label=_literal(name) if not name.startswith("_") else " " + _literal(name))
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("operational intensity, FLOP / byte of DRAM traffic")
    ax.set_ylabel("GFLOP/s")
    ax.set_title(_literal(analysis["name"]))
    if dots:
        ax.legend(fontsize="small")
    return ax
