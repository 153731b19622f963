# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons that are commands of their own: the machine's ceilings, and what counting slows down."""
import json
import pathlib
import statistics
import subprocess
import sys

import found
sys.path.append(str(found.ROOT / "benchmarks/machine/peers"))
from quiet import MOST_FOREIGN
from ratios import Row, text_of

CEILINGS = found.ROOT / "benchmarks/machine/peers/compare"
SLOWDOWN = found.ROOT / "benchmarks/overhead/counting/slowdown"
KERNELS = ("triad", "spmv", "dgemm")
# roofmark's tool, and the peers that count something like it.
HELD = (("flops", ("lackey", "cachegrind")), ("cache", ("cachegrind", "callgrind")))
WHAT = {"flops": "FLOPs by region", "cache": "FLOPs and three cache levels by region"}


def json_of(command, folder):
    """What `command` writes by --json. Its status only says whether its bars hold."""
    path = pathlib.Path(folder) / "figures.json"
    path.unlink(missing_ok=True)
    done = subprocess.run([*map(str, command), "--json", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, check=False)
    if not path.exists():
        lines = done.stderr.strip().splitlines()
        raise found.Missing(lines[-1] if lines else f"{command[0]} ends with {done.returncode}")
    return json.loads(path.read_text(encoding="utf-8"))


def ceilings(peers, arguments, folder, failed):
    command = [sys.executable, CEILINGS, "--build", peers.build, "--rounds", arguments.rounds, "--tries", 2,
               "--only", arguments.ceilings, *(["--ert", arguments.ert] if arguments.ert else [])]
    try:
        figures = json_of(command, folder)
    except found.Missing as missing:
        failed["ceilings"] = str(missing)
        return []
    if not arguments.ert:
        failed["ceilings by ERT"] = "give its checkout by --ert"
    if figures["left_out"]:
        failed["parts of the ceilings"] = "; ".join(figures["left_out"])
    rows = []
    # roofmark drops samples that others disturb, which the mean of a peer cannot: then a ratio says nothing.
    busy = figures["foreign"]
    void = f"others used {busy:.0%} of the machine" if busy > MOST_FOREIGN else ""
    for entry in figures["rows"]:
        ratios = [entry["lowest"], entry["ratio"], entry["highest"]]
        rows.append(Row("ceilings", entry["what"], text_of(entry["ours"], "G/s"), text_of(entry["peer"], "G/s"),
                        entry["peer_name"], ratios, void))
    return rows


def counting(peers, arguments, folder, failed):
    if "valgrind" not in peers.versions:
        failed["counting"] = peers.missing["valgrind"]
        return []
    tools = sorted({name for tool, others in HELD for name in (tool, *others)})
    command = [sys.executable, SLOWDOWN, "--build", peers.build, "--rounds", max(arguments.rounds // 2, 1),
               "--variant", "O2", "--kernel", *KERNELS, "--tool", *tools]
    try:
        figures = json_of(command, folder)
    except found.Missing as missing:
        failed["counting"] = str(missing)
        return []
    rows = []
    for entry in figures:
        seconds = entry["seconds"]
        native = statistics.median(seconds["native"])
        slower = lambda name: f"{statistics.median(seconds[name]) / native:.3g} × native"
        for tool, others in HELD:
            for peer in others:
                ratios = [o / p for o, p in zip(seconds[tool], seconds[peer], strict=True)]
                rows.append(Row("counting", f"{entry['kernel']}, {WHAT[tool]}", slower(tool), slower(peer), peer, ratios))
    return rows
