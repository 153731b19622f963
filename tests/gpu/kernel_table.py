# SPDX-License-Identifier: BSD-3-Clause
"""The table of arithmetic kernels of `roofmark machine --gpu`, as its C++ source has it."""
import dataclasses
import re

import programs

SOURCE = programs.ROOT / "benchmarks" / "machine" / "gpu" / "kernel_table.cc"


@dataclasses.dataclass
class Row:
    kernel: str
    first: str  # PTX
    second: str  # or empty
    instructions: int  # of each
    least_capability: int
    alone: bool  # of this capability: newer ones do not have it

    def is_there(self, architecture):
        capability = int(architecture.rstrip("a"))
        return capability == self.least_capability if self.alone else capability >= self.least_capability


def fields(row):
    """Of the text between its braces."""
    return [field.strip().strip('"') for field in re.split(r',(?=(?:[^"]*"[^"]*")*[^"]*$)', re.sub(r"\(.*?\)", "", row))]


def rows():
    text = SOURCE.read_text(encoding="utf-8")
    numbers = {name: int(value) for name, value in re.findall(r"(k\w+) = (\d+)", text)}
    table = re.sub(r"//.*", "", text[text.index("kArithmetic[] = {"):])
    found = []
    for row in re.findall(r'^    \{(".*?)\},$', table, re.DOTALL | re.MULTILINE):
        kernel, _, _, _, first, second, instructions, _, _, _, _, *rest = fields(row)
        count = numbers[instructions] if instructions in numbers else int(instructions)
        found.append(Row(kernel, first, second, count, int(rest[0]) if rest else 80, rest[3:] == ["true"]))
    return found
