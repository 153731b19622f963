# SPDX-License-Identifier: BSD-3-Clause
"""What roofmark and its peers cost on the same programs: markers, counters, the end of a job, samples."""
import os
import pathlib
import shutil

import found
from ratios import Measure, interleave, row

TIMER = {"ROOFMARK_COLLECTOR": "timer", "ROOFMARK_QUIET": "1", "ROOFMARK_OUTPUT": "/dev/null"}
RUNTIME_REPORT = {"CALI_CONFIG": "runtime-report,output=/dev/null"}
AGGREGATE = {"CALI_SERVICES_ENABLE": "event,timer,aggregate"}
EVENTS = ("perf::TASK-CLOCK", "perf::PAGE-FAULTS", "perf::MINOR-FAULTS", "perf::MAJOR-FAULTS")

# (key, whose markers, environment, threads)
OFF = (("roofmark off", "roofmark", {}, 1),
       ("NVTX without a tool", "nvtx", {}, 1),
       ("Tracy on demand, nobody connected", "tracy-on-demand", {}, 1),
       ("LIKWID not under likwid-perfctr", "likwid", {}, 1),
       ("Caliper, nothing enabled", "caliper", {}, 1))
TIMED = (("roofmark timer", "roofmark", TIMER, 1),
         ("Tracy recording", "tracy", {}, 1),
         ("Caliper runtime-report", "caliper", RUNTIME_REPORT, 1),
         ("Caliper event,timer,aggregate", "caliper", AGGREGATE, 1))
TIMED_BY_TWO = tuple((f"{key}, 2 threads", name, environment, 2) for key, name, environment, _ in TIMED)
BATCHES = (("a pair of markers that are off", OFF), ("a pair with the timer", TIMED),
           ("a pair with the timer, two threads", TIMED_BY_TWO))


def markers(peers, arguments, folder, failed):
    measures = []
    for _, batch in BATCHES:
        for key, name, environment, threads in batch:
            try:
                program = peers.compiled("pair.c", name, folder)
                measures.append(Measure(key, (program, threads), environment, folder=folder))
            except found.Missing as missing:
                failed[key] = str(missing)
    series = interleave(measures, arguments.rounds, failed)
    return [row("markers", what, series, batch[0][0], peer, "ns")
            for what, batch in BATCHES for peer, *_ in batch[1:]]


def counters(peers, arguments, folder, failed):
    """A boundary of roofmark's counters beside the high-level interface of PAPI, on as many software events, which
    every kernel has."""
    ours = Measure("roofmark, 4 software events", (peers.build / "bin/benchmarks/boundary_cost", 5),
                   pattern=r"pair ([0-9.]+) ns")
    measures = [ours]
    for count in (1, len(EVENTS)):
        key = f"PAPI high level, {count} software event{'s' * (count > 1)}"
        environment = {"PAPI_EVENTS": ",".join(EVENTS[:count]), "PAPI_OUTPUT_DIRECTORY": str(folder)}
        try:
            program = peers.compiled("pair.c", "papi", folder)
            measures.append(Measure(key, (program, 1), environment, folder=folder))
        except found.Missing as missing:
            failed[key] = str(missing)
    try:
        likwid = peers.compiled("pair.c", "likwid", folder)
        measures.append(Measure("LIKWID, group CLOCK", ("likwid-perfctr", "-C", "0", "-g", "CLOCK", "-m", likwid, 1)))
    except found.Missing as missing:
        failed["LIKWID, group CLOCK"] = str(missing)
    series = interleave(measures, arguments.rounds, failed)
    return [row("counters", "a pair with counters", series, ours.key, measure.key, "ns") for measure in measures[1:]]


def merge(peers, arguments, folder, failed):
    """What a tool adds to MPI_Finalize: merging the ranks, and writing the report or file."""
    compile_with = shutil.which(arguments.mpicc)
    if compile_with is None:
        failed["merge"] = f"{arguments.mpicc} not found; --mpicc, --mpirun"
        return []
    rows = []
    for ranks in arguments.ranks:
        launch = (arguments.mpirun, "-n", str(ranks))
        keys = {"none": f"none, {ranks} ranks", "roofmark": f"roofmark, {ranks} ranks",
                "caliper": f"Caliper runtime-report, {ranks} ranks"}
        environments = {"none": {}, "caliper": {"CALI_CONFIG": "runtime-report,output=merged.txt"},
                        "roofmark": {**TIMER, "ROOFMARK_OUTPUT": os.path.join(folder, "merged.json")}}
        measures = []
        for name, key in keys.items():
            try:
                program = peers.compiled("ending.c", name, folder, compile_with)
                measures.append(Measure(key, (*launch, program, arguments.regions), environments[name], r"ms ([0-9.]+)",
                                        folder))
            except found.Missing as missing:
                failed[key] = str(missing)
        series = interleave(measures, arguments.rounds, failed)
        rows.append(row("merge", f"{arguments.regions} regions added to MPI_Finalize, {ranks} ranks", series,
                        keys["roofmark"], keys["caliper"], "ms", less=keys["none"]))
    return rows


def sampling(peers, arguments, folder, failed):
    """CPU time of the same work; what is compared is what samples add to it at 1 kHz."""
    program = peers.build / "bin/benchmarks/sample_cost"
    pattern = r"(\d+)"
    kept = {**TIMER, "ROOFMARK_SPOOL": "off"}
    measures = [Measure("without samples", (program, "work"), {**kept, "ROOFMARK_SAMPLES": "off"}, pattern),
                Measure("roofmark perf_event", (program, "work"), {**kept, "ROOFMARK_SAMPLES": "perf_event:1000"}, pattern),
                Measure("roofmark timers", (program, "work"), {**kept, "ROOFMARK_SAMPLES": "timer:1000"}, pattern)]
    if "perf" in peers.versions:
        record = ("perf", "record", "-q", "-e", "cpu-clock", "-F", "1000", "-o", pathlib.Path(folder) / "perf.data", "--")
        measures.append(Measure("perf record", (*record, program, "work"), {**kept, "ROOFMARK_SAMPLES": "off"}, pattern))
    else:
        failed["perf record"] = peers.missing["perf"]
    series = {key: [ns * 1e-6 for ns in figures]
              for key, figures in interleave(measures, arguments.rounds, failed).items()}
    return [row("sampling", f"CPU time of the work with samples: {ours}", series, ours, peer, "ms")
            for ours in ("roofmark perf_event", "roofmark timers") for peer in ("perf record", "without samples")]
