# SPDX-License-Identifier: BSD-3-Clause
"""Interleaved measurements, and the rows of ratios that follow from them."""
import dataclasses
import random
import re
import statistics
import sys

import found


@dataclasses.dataclass(frozen=True)
class Measure:
    """A program that prints its figure, as what `pattern` finds."""
    key: str
    command: tuple
    environment: dict = dataclasses.field(default_factory=dict)
    pattern: str = r"ns ([0-9.]+)"
    folder: object = None

    def once(self):
        text = found.run(self.command, self.environment, self.folder)
        figure = re.search(self.pattern, text)
        if figure is None:
            raise found.Missing(f"{self.key}: no figure in its output")
        return float(figure[1])


def interleave(measures, rounds, failed):
    """{key: [figure of each round]}. All of a round are measured one after the other, in random order. One that
    fails is left out from then on, and `failed[key]` says why."""
    series = {measure.key: [] for measure in measures}
    for round_ in range(rounds):
        for measure in random.sample(measures, len(measures)):
            if measure.key in failed:
                continue
            try:
                series[measure.key].append(measure.once())
            except found.Missing as missing:
                failed[measure.key] = str(missing)
                del series[measure.key]
        print(f"round {round_ + 1} of {rounds}", file=sys.stderr)
    return series


@dataclasses.dataclass
class Row:
    part: str
    what: str
    ours: str        # the figure with its unit; medians over the rounds
    peer: str
    peer_name: str
    ratios: list     # of each round, roofmark's over the peer's
    void: str = ""   # why there is no ratio although both were measured

    def cells(self):
        if self.void:
            return [self.what, self.peer_name, self.ours, self.peer, "–", self.void]
        if not self.ratios:
            return [self.what, self.peer_name, self.ours, self.peer, "–", "–"]
        spread = f"{min(self.ratios):.3g} – {max(self.ratios):.3g}" if len(self.ratios) > 1 else "one round"
        return [self.what, self.peer_name, self.ours, self.peer, f"{statistics.median(self.ratios):.3g}", spread]


def text_of(value, unit):
    return f"{value:.3g} {unit}" if value < 100 else f"{value:.0f} {unit}"


def row(part, what, series, ours, peer, unit, less=None):
    """The ratio of two series, round by round; where there is `less`, of what they are above that one. None if one
    of them is not there. A ratio needs that both are above `less` in each round: the rounds that are would be a
    choice."""
    if any(name not in series for name in (ours, peer, less) if name):
        return None
    base = series[less] if less else [0.0] * len(series[ours])
    pairs = [(o - b, p - b) for o, p, b in zip(series[ours], series[peer], base, strict=True)]
    below = sum(o <= 0 or p <= 0 for o, p in pairs)
    return Row(part, what, text_of(statistics.median(o for o, _ in pairs), unit),
               text_of(statistics.median(p for _, p in pairs), unit), peer,
               [] if below else [o / p for o, p in pairs],
               f"in {below} of {len(pairs)} rounds not above {less}" if below else "")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(cells) + " |" for cells in rows])
