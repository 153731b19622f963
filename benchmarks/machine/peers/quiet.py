# SPDX-License-Identifier: BSD-3-Clause
"""How much of the machine other programs use meanwhile. roofmark drops samples that are disturbed, which
a peer's mean cannot do: side by side both must be measured on a quiet machine."""
import os
import time

# Share of all cores' time that others may use beside a measurement.
MOST_FOREIGN = 0.03


def busy_seconds(stat):
    """Time that all CPUs together worked or were taken away, from the text of /proc/stat."""
    user, nice, system, _, _, irq, softirq, steal = map(int, stat.split(maxsplit=9)[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def now():
    """(seconds of the clock, busy seconds, CPU seconds of this program and what it has run)"""
    with open("/proc/stat", encoding="ascii") as file:
        busy = busy_seconds(file.read())
    return time.monotonic(), busy, sum(os.times()[:4])


def foreign_share(before, after, cpus):
    clock, busy, own = (b - a for a, b in zip(before, after))
    return max(0.0, busy - own) / (clock * cpus)


def quietly(work, tries):
    """(what `work` returned, foreign share of that time): the quietest of `tries`, the first one
    that is quiet enough ends them."""
    best = None
    for _ in range(tries):
        before = now()
        result = work()
        share = foreign_share(before, now(), os.cpu_count())
        if best is None or share < best[1]:
            best = result, share
        if share <= MOST_FOREIGN:
            break
    return best
