# SPDX-License-Identifier: BSD-3-Clause
"""What a program knows of its work against what a roofline file says that its devices did."""
import dataclasses
from typing import List, Optional


@dataclasses.dataclass
class Known:
    region: str
    metric: str
    value: float
    tolerance: float  # relative; 0: exact


@dataclasses.dataclass
class Compared:
    known: Known
    counted: Optional[float]  # None: `reason`
    reason: str = ""

    @property
    def ratio(self):
        if self.counted is None or self.known.value == 0:
            return None
        return self.counted / self.known.value

    @property
    def right(self):
        if self.counted is None:
            return False
        return abs(self.counted - self.known.value) <= self.known.tolerance * self.known.value


def parse(text: str) -> List[Known]:
    """The lines `known REGION METRIC VALUE TOLERANCE` of a program's output. METRIC may be a sum (A+B) of which some
    devices do not have all."""
    rows = [line.split() for line in text.splitlines() if line.startswith("known ")]
    return [Known(region, metric, float(value), float(tolerance)) for _, region, metric, value, tolerance in rows]


def compare(known: List[Known], devices: List[dict]) -> List[Compared]:
    """`devices`: of the roofline file. Of several devices the sum is compared."""
    return [_one(row, devices) for row in known]


def _one(row: Known, devices: List[dict]) -> Compared:
    counted, found = 0.0, False
    for device in devices:
        for path in device["paths"]:
            if path["path"] != row.region:
                continue
            found = True
            values = [path["values"].get(metric) for metric in row.metric.split("+")]
            if all(value is None for value in values):
                lost = f"counts were lost {path['lost']} times" if path["lost"] else "nobody counted it"
                first = row.metric.split("+", maxsplit=1)[0]
                return Compared(row, None, device["metrics"].get(first, {}).get("reason", lost))
            counted += sum(value for value in values if value is not None)
    return Compared(row, counted) if found else Compared(row, None, "no device has this region")
