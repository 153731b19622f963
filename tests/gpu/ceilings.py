# SPDX-License-Identifier: BSD-3-Clause
"""What holds of the ceilings of any GPU (the member `gpus` of a machine file), whatever it reaches."""
import re

# Clocks that the driver tells as the highest are held to so much.
ABOVE_SHEET = 1.02
# The first is at least as fast as the second; of times, as short.
IN_ORDER = [
    ("compute.dp.fma", "compute.dp.fma_4_chains"), ("compute.dp.fma_4_chains", "compute.dp.fma_1_chain"),
    ("compute.sp.fma", "compute.sp.fma_4_chains"), ("compute.sp.fma_4_chains", "compute.sp.fma_1_chain"),
    ("compute.dp.fma", "compute.dp.muladd"), ("compute.sp.fma", "compute.sp.muladd"),
    ("compute.dp.add", "compute.dp.div"), ("compute.sp.add", "compute.sp.sqrt"),
    ("divergence.sp.1_ways", "divergence.sp.8_ways"), ("divergence.sp.8_ways", "divergence.sp.32_ways"),
    ("bandwidth.L1.read", "bandwidth.L2.read"), ("bandwidth.L2.read", "bandwidth.DRAM.read"),
    ("shared.stride_1", "shared.stride_8"), ("shared.stride_8", "shared.stride_32"),
    ("bandwidth.DRAM.read", "sectors.random"), ("atomics.int", "atomics.int_one"), ("atomics.dp", "atomics.dp_one"),
    ("bandwidth.DRAM.copy", "copy.to_device"), ("latency.shared", "latency.L2"), ("latency.L1", "latency.L2"),
    ("latency.L2", "latency.DRAM"), ("latency.launch", "latency.launch_and_wait"),
]
# Two that are one where it cannot be told.
NOISE = 1.05
WRONG = re.compile(r"wrong|blocks ended|same time|not measured from there on|interrupted")


def best(ceiling):
    """Its best point."""
    return (min if ceiling["unit"] == "ns" else max)(ceiling["curve"], key=lambda point: point["value"])


def table(gpu):
    """A line for each ceiling: its best point, the data sheet, and the clock and power that it was reached at."""
    lines = []
    for ceiling in gpu["ceilings"]:
        point, sheet = best(ceiling), ceiling.get("data_sheet") or 0
        beside = f"{sheet:12.1f} {point['value'] / sheet:6.1%}" if sheet > 0 else f"{'-':>12} {'-':>6}"
        lines.append(f"{ceiling['id']:28} {point['value']:12.2f} {ceiling['unit']:8} {beside} "
                     f"{point.get('ghz') or 0:6.2f} GHz {point.get('watts') or 0:5.0f} W")
    return lines


def wrong(gpu):
    """What cannot be: a sentence each."""
    found = [f"it says: {warning}" for warning in gpu["warnings"] if WRONG.search(warning)]
    by_id = {ceiling["id"]: ceiling for ceiling in gpu["ceilings"]}
    for name, ceiling in by_id.items():
        value, sheet = best(ceiling)["value"], ceiling.get("data_sheet") or 0
        if sheet > 0 and value > ABOVE_SHEET * sheet:
            found.append(f"{name} is above the data sheet: {value:.1f} of {sheet:.1f} {ceiling['unit']}")
    for first, second in IN_ORDER:
        if first not in by_id or second not in by_id:
            continue
        faster, slower = best(by_id[first])["value"], best(by_id[second])["value"]
        if by_id[first]["unit"] == "ns":
            faster, slower = slower, faster
        if faster * NOISE < slower:
            found.append(f"{first} is worse than {second}")
    return found
