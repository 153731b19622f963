# SPDX-License-Identifier: BSD-3-Clause
"""docs/event-to-dot.md: every value between the counted events of a region and its dot, computed from the roofline
file and the machine file alone, beside what `roofmark report` says.
"""
import csv
import io
import json
import math
import re

import pages

PAGE = pages.SOURCE / "docs/event-to-dot.md"
BLOCK = re.compile(r"(<!-- values -->\n)(.*?)(<!-- end -->)", re.S)
POINTS = 1198 * 1198  # that a sweep of docs/first/c.md computes


def load(name):
    (machine,) = pages.RECORDED.glob("machine-*.json")
    job = json.loads((pages.RECORDED / f"{name}.json").read_text(encoding="utf-8"))
    return job, json.loads(machine.read_text(encoding="utf-8"))


def on_one_core(ceiling):
    return next(point["value"] for point in ceiling["curve"] if point["cores"] == 1)


def highest(machine, prefix):
    """The highest traffic or rate on one core of the ceilings whose id begins so, and its id."""
    found = [(on_one_core(one) * one["counted_factor"], one) for one in machine["ceilings"]
             if one["id"].startswith(prefix) and any(point["cores"] == 1 for point in one["curve"])]
    return max(found, key=lambda pair: pair[0])


def dot_of(picture, region):
    """(x, y) of a region's dot, and of both axes the value at their beginning, its place, and px of a decade."""
    circle = re.search(rf'cx="([\d.]+)" cy="([\d.]+)" r="[\d.]+"><title>{region}:', picture)
    lines = [tuple(map(float, numbers)) for numbers in
             re.findall(r'class="decade" x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"', picture)]
    columns = sorted({x1 for x1, _, x2, _ in lines if x1 == x2})
    heights = sorted({y1 for _, y1, _, y2 in lines if y1 == y2}, reverse=True)
    first_x = re.search(rf'class="tick mid" x="{columns[0]}" y="[\d.]+">([\d.e+-]+)<', picture)[1]
    first_y = re.search(rf'class="tick end" x="[\d.]+" y="{heights[0] + 4:.1f}">([\d.e+-]+)<', picture)[1]
    return (float(circle[1]), float(circle[2]), (float(first_x), columns[0], columns[1] - columns[0]),
            (float(first_y), heights[0], heights[0] - heights[1]))


def steps(job, machine, picture):
    """(name, how, value, unit, name in the CSV or None) of each step."""
    (region,) = [path for path in job["paths"] if path["path"] == "sweep"]
    value = {name: cell["sum"] for name, cell in region["metrics"].items()}
    visits, adds, products = value["visits"], value["flops_dp_scalar_add"], value["flops_dp_scalar_mul"]
    flops, read, written = adds + products, value["dram_read_bytes"], value["dram_write_bytes"]
    seconds, intensity = value["time_ns"] / 1e9, flops / (read + written)
    bandwidth, source = highest(machine, "bandwidth.DRAM.")
    computing, compute = highest(machine, "compute.dp.muladd.")
    attainable = min(computing, bandwidth * intensity)
    _, _, (first_x, left, decade_x), (first_y, bottom, decade_y) = dot_of(picture, "sweep")
    return [
        ("visits", "entries of the region", visits, "", "visits"),
        ("additions", f"instructions `addsd`: 3 × 1198² × {visits}", adds, "FLOP", "flops_dp_scalar_add"),
        ("multiplications", f"instructions `mulsd`: 1198² × {visits}", products, "FLOP", "flops_dp_scalar_mul"),
        ("FLOPs", "the sum of both", flops, "FLOP", None),
        ("bytes read", "lines that the modelled last cache fetched", read, "byte", "dram_read_bytes"),
        ("bytes written", "lines that it wrote back", written, "byte", "dram_write_bytes"),
        ("time", "the clock, in the other execution", seconds, "s", "time_s"),
        ("intensity", "FLOPs over bytes read and written", intensity, "FLOP/byte", "intensity_dram"),
        ("performance", "FLOPs over time", flops / seconds / 1e9, "GFLOP/s", "gflops"),
        ("roof of DRAM", f"`{source['id']}`, one core, × {source['counted_factor']:.4g}", bandwidth, "GB/s", None),
        ("roof of computing", f"`{compute['id']}`: without FMA", computing, "GFLOP/s", None),
        ("ridge point", "roof of computing over roof of DRAM", computing / bandwidth, "FLOP/byte", None),
        ("attainable", "min(roof of computing, roof of DRAM × intensity)", attainable, "GFLOP/s", "attainable_gflops"),
        ("efficiency", "performance over attainable", flops / seconds / 1e9 / attainable, "", "efficiency"),
        ("dot, from the left", f"{left} + log10(intensity / {first_x:g}) × {decade_x:.1f}, a decade's width",
         left + math.log10(intensity / first_x) * decade_x, "px", None),
        ("dot, from the top", f"{bottom} - log10(performance / {first_y:g}) × {decade_y:.1f}, a decade's height",
         bottom - math.log10(flops / seconds / 1e9 / first_y) * decade_y, "px", None),
    ]


def shown(value):
    return f"{value:,}".replace(",", " ") if isinstance(value, int) else f"{value:.6g}"


def table(rows):
    lines = (f"| {name} | {how} | {shown(value)} {unit}".rstrip() + " |" for name, how, value, unit, _ in rows)
    return "\n".join(["| Step | How | Value |", "|---|---|---|", *lines])


def wrong(rows, report_csv, picture):
    """What differs from `roofmark report --csv`, from the program, and from the picture."""
    said = {row["metric"]: float(row["sum"] or row["mean"]) for row in csv.DictReader(io.StringIO(report_csv))
            if row["path"] == "sweep" and (row["sum"] or row["mean"])}
    of_name = {name: value for name, _, value, _, _ in rows}
    for name, _, value, _, metric in rows:
        if metric and not math.isclose(value, said.get(metric, math.nan), rel_tol=1e-12):
            yield f"{name}: {value} by the page, {said.get(metric)} by the report"
    if of_name["FLOPs"] != 4 * POINTS * of_name["visits"] or of_name["additions"] != 3 * of_name["multiplications"]:
        yield "the counted FLOPs are not those of the program"
    x, y, *_ = dot_of(picture, "sweep")
    if abs(x - of_name["dot, from the left"]) > 0.1 or abs(y - of_name["dot, from the top"]) > 0.1:
        yield f"the dot is at {x}, {y}"
