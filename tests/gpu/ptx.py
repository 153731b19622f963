# SPDX-License-Identifier: BSD-3-Clause
"""Floating-point instructions of kernels, as PTX has them."""
import collections
import re

ENTRY = re.compile(r"^(?:\.visible )?\.entry (\w+)\(", re.MULTILINE)
# add, sub, mul, fma, div, sqrt and others, with what they round to, of any floating-point type. Signs
# are no FLOPs: machine code has them as parts of operands.
INSTRUCTION = re.compile(r"^(@!?%\w+\s+)?((?:add|sub|mul|fma|mad|div|rcp|sqrt|rsqrt|min|max)(?:\.\w+)*"
                         r"\.(?:f64|f32|f16x2|f16|bf16x2|bf16))\s")
LABEL = re.compile(r"^(\$\w+):")
BRANCH = re.compile(r"\bbra(?:\.uni)?\s+(\$\w+)")
# Executed by another unit than FLOPs are, and counted by none of their counters.
ESTIMATES = {"rcp.approx.ftz.f64"}


def kernels(text):
    """The lines of each kernel by its mangled name."""
    starts = list(ENTRY.finditer(text))
    found = {}
    for i, start in enumerate(starts):
        end = starts[i + 1].start() if i + 1 < len(starts) else len(text)
        body = text[text.index("{", start.end()):end]
        found[start[1]] = [line.strip() for line in body[:body.index("\n}")].splitlines()]
    return found


def loops(lines):
    """The first and the last line of each loop: from a label to the last branch back to it."""
    labels = {match[1]: at for at, line in enumerate(lines) if (match := LABEL.match(line))}
    ends = {}
    for at, line in enumerate(lines):
        branch = BRANCH.search(line)
        if branch and labels.get(branch[1], at) < at:
            ends[labels[branch[1]]] = at
    return list(ends.items())


def arithmetic(lines):
    """How many there are of each instruction and number of loops around it; those that are predicated."""
    counts, predicated = collections.Counter(), []
    around = loops(lines)
    for at, line in enumerate(lines):
        match = INSTRUCTION.match(line)
        if not match or match[2] in ESTIMATES:
            continue
        counts[match[2], sum(first < at <= last for first, last in around)] += 1
        if match[1]:
            predicated.append(line)
    return dict(counts), predicated
