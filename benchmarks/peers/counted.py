# SPDX-License-Identifier: BSD-3-Clause
"""What each tool counts of programs/work.c, whose FLOPs, visits, threads and ranks are known."""
import collections
import csv
import json
import pathlib
import re
import shutil
import textwrap

import costs
import found

RANKS, THREADS, VISITS = 3, 2, 10
SHARE = "extra: 1 of 3 ranks"
HEAD = ["tool", "FLOPs counted over known", "regions and visits", "threads", "ranks", "what it leaves out"]
KNOWN = textwrap.fill(
    f"The program: {RANKS} ranks with {THREADS} OpenMP threads each, one of which does twice the work. Region "
    f"`solve` has {VISITS} visits on each rank, region `extra` one visit on rank 1 alone. Additions and "
    "multiplications of doubles, vectorised to 256 bits where the CPU can. The markers stand around the parallel "
    "construct.", width=120)


def known_flops(text):
    numbers = re.search(r"flops (\d+) (\d+)", text)
    if numbers is None:
        raise found.Missing("the program printed no FLOPs")
    return {"solve": int(numbers[1]), "extra": int(numbers[2])}


# --- What the tools' outputs say.

def parse_roofmark(text):
    """{region: {"flops": sum, "visits": sum, "ranks": how many}} of `roofmark report --csv`."""
    regions = collections.defaultdict(lambda: {"flops": 0, "visits": 0, "ranks": 0})
    for line in csv.DictReader(text.splitlines()):
        region = regions[line["path"]]
        if not line["sum"]:
            continue
        if re.fullmatch(r"flops_(sp|dp)_(scalar|\d+)_(add|mul|fma|div|sqrt)", line["metric"]):
            region["flops"] += float(line["sum"])
        if line["metric"] == "visits":
            region["visits"], region["ranks"] = int(float(line["sum"])), int(line["ranks"])
    return dict(regions)


def parse_caliper(text):
    """{region: total of calls} of runtime-report with region.count."""
    return {words[0]: int(float(words[-1])) for words in map(str.split, text.splitlines()[1:]) if words}


def parse_papi(documents):
    """(visits by region, most threads in a file, events) of the files of all ranks."""
    visits, threads, events = collections.Counter(), 0, []
    for document in documents:
        threads = max(threads, len(document["threads"]))
        events = list(document["event_definitions"])
        for thread in document["threads"].values():
            visits.update(region["name"] for region in thread["regions"].values())
    return dict(visits), threads, events


def parse_cachegrind(text, function):
    """Instructions of a function: the first column of its lines."""
    instructions, inside = 0, False
    for line in text.splitlines():
        if line.startswith("fn="):
            inside = line[3:].split("'")[0] == function
        elif inside and re.match(r"[0-9]", line):
            instructions += int(line.split()[1])
    return instructions


def parse_lackey(text):
    """{type: operations of its arithmetic units}."""
    rows = re.findall(r"==\s+([IFVD]\d+)\s+([\d,]+)\s+([\d,]+)\s+([\d,]+)", text)
    return {row[0]: int(row[3].replace(",", "")) for row in rows}


def parse_perf(text, function):
    """(samples in the function, its threads, its processes) of `perf script -F pid,tid,ip,sym`."""
    of_threads = collections.Counter()
    for line in text.splitlines():
        ids = re.match(r"\s*(\d+)/(\d+)\s+\S+\s+(\S+)", line)
        if ids and ids[3] == function:
            of_threads[ids[1], ids[2]] += 1
    return sum(of_threads.values()), len(of_threads), len({process for process, _ in of_threads})


# --- The rows.

class Job:
    """The program with the markers of one tool, as an MPI job in a folder of its own."""

    def __init__(self, peers, arguments, folder):
        self.peers, self.arguments, self.folder = peers, arguments, pathlib.Path(folder) / "counted"
        self.folder.mkdir()  # without what tools left of other parts
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            wide = re.search(r"\bavx2\b", file.read())
        self.options = ["-O3", "-fopenmp", "-g1", "-ffp-contract=off", *(["-march=x86-64-v3"] if wide else [])]
        self.known = known_flops(self.run("none"))

    def command(self, markers, before=()):
        compile_with = shutil.which(self.arguments.mpicc)
        if compile_with is None:
            raise found.Missing(f"{self.arguments.mpicc} not found; --mpicc, --mpirun")
        program = self.peers.compiled("work.c", markers, self.folder, compile_with, self.options)
        return [self.arguments.mpirun, "-n", str(RANKS), *before, program]

    def run(self, markers, before=(), environment=None, first=()):
        return found.run([*first, *self.command(markers, before)], environment, self.folder)


def visits_text(visits):
    return ", ".join(f"{name}: {count}" for name, count in sorted(visits.items(), reverse=True))


def ratio_text(regions, known):
    return ", ".join(f"{name}: {regions[name]['flops'] / flops:.4f}" for name, flops in known.items() if flops)


def roofmark(job):
    command = job.peers.build / "bin/roofmark"
    job.run("roofmark", first=[command, "run", "--force", "--no-machine", "--no-report", "--work", "always", "--count",
                               "flops", "-o", "roofmark.json", "--"])
    regions = parse_roofmark(found.run([command, "report", "roofmark.json", "--csv", "-"], folder=job.folder))
    return [ratio_text(regions, job.known), visits_text({name: regions[name]["visits"] for name in job.known}),
            "both, in the region of the main thread",
            ", ".join(f"{name}: {regions[name]['ranks']} of {RANKS}" for name in job.known),
            "nothing of these; needs a second execution, which is slow"]


def caliper(job):
    job.run("caliper", environment={"CALI_CONFIG": "runtime-report,region.count,output=caliper.txt"})
    visits = parse_caliper((job.folder / "caliper.txt").read_text(encoding="utf-8"))
    return ["–", visits_text(visits), "of the main thread only", "min, avg, max; not how many entered a region",
            f"FLOPs; {SHARE} reads as min = avg = max; waiting of threads"]


def papi(job):
    job.run("papi", environment={"PAPI_EVENTS": ",".join(costs.EVENTS), "PAPI_OUTPUT_DIRECTORY": str(job.folder)})
    files = sorted(job.folder.glob("papi_hl_output*/rank_*.json"))
    visits, threads, events = parse_papi([json.loads(file.read_text(encoding="utf-8")) for file in files])
    return ["– (its events need a PMU)", visits_text(visits), f"{threads} of {THREADS}", f"{len(files)} files, not merged",
            f"events counted: {', '.join(events)}; work of threads that have no marker"]


def likwid(job):
    # The text of the reason goes to `Left out`.
    job.run("likwid", before=("likwid-perfctr", "-C", "0", "-g", "CLOCK", "-m"))
    return ["–", "as marked", "as marked", f"{RANKS} outputs", "merging; see its own output"]


def cachegrind(job):
    job.run("none", before=("valgrind", "-q", "--tool=cachegrind", "--cachegrind-out-file=cachegrind.%p"))
    files = list(job.folder.glob("cachegrind.[0-9]*"))
    count = sum(parse_cachegrind(file.read_text(errors="replace"), "sweep") for file in files)
    known = sum(job.known.values())
    return [f"– (instructions of `sweep` over FLOPs: {count / known:.3f})", "functions, no regions, no visits",
            "summed", f"{len(files)} files, not merged", "FLOPs, lanes, regions, time"]


def callgrind(job):
    job.run("none", before=("valgrind", "-q", "--tool=callgrind", "--separate-threads=yes",
                            "--callgrind-out-file=callgrind.%p"))
    files = list(job.folder.glob("callgrind.[0-9]*"))
    threads = {(file.name.split("-")[0], file.name.split("-")[1]) for file in files if "-" in file.name}
    processes = {file.name.split("-")[0] for file in files}
    return ["– (instructions)", "functions and calls, no regions", f"{len(threads)} files, MPI's own threads too",
            f"{len(processes)} processes, not merged", "FLOPs, lanes, regions, time"]


def lackey(job):
    job.run("none", before=("valgrind", "--tool=lackey", "--detailed-counts=yes", "--log-file=lackey.%p"))
    operations = collections.Counter()
    files = list(job.folder.glob("lackey.[0-9]*"))
    for file in files:
        operations.update(parse_lackey(file.read_text(errors="replace")))
    known = sum(job.known.values())
    scalar, wide = operations["F64"] / known, operations["V256"] / known
    return [f"{scalar:.4f} as F64; {wide:.3f} operations of V256 a FLOP, whatever they do", "the program only", "summed",
            f"{len(files)} logs, not merged", "lanes; whether a vector operation is FLOPs; regions, time"]


def perf(job):
    job.run("none", first=("perf", "record", "-q", "-e", "cpu-clock", "-F", "1000", "-o", "work.data", "--"))
    text = found.run(("perf", "script", "-i", "work.data", "-F", "pid,tid,ip,sym"), folder=job.folder)
    samples, threads, processes = parse_perf(text, "sweep")
    return [f"– ({samples} samples in `sweep`)", "functions, no visits", f"{threads} of {RANKS * THREADS}",
            f"{processes} of {RANKS} processes", "FLOPs without a PMU, visits; numbers are estimates"]


ROWS = (("roofmark", "roofmark", roofmark), ("Caliper", "caliper", caliper), ("PAPI high level", "papi", papi),
        ("LIKWID markers", "likwid", likwid), ("cachegrind", "valgrind", cachegrind),
        ("callgrind", "valgrind", callgrind), ("lackey", "valgrind", lackey), ("perf record", "perf", perf))
NOT_ALONE = (("NVTX", "nvtx", "without a tool it counts nothing"),
             ("Tracy", "tracy", "shown by its own server, which is not run here"))


def rows(peers, arguments, folder, failed):
    try:
        job = Job(peers, arguments, folder)
    except found.Missing as missing:
        failed["counted"] = str(missing)
        return []
    made = []
    for title, name, read in ROWS:
        try:
            if name not in peers.versions:
                raise found.Missing(peers.missing[name])
            made.append([f"{title} {peers.versions[name]}", *read(job)])
        except found.Missing as missing:
            failed[f"counted by {title}"] = str(missing)
    made += [[f"{title} {peers.versions[name]}", "–", "–", "–", "–", why] for title, name, why in NOT_ALONE
             if name in peers.versions]
    return made
