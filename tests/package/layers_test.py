# SPDX-License-Identifier: BSD-3-Clause
"""Checks who includes whom against the layers of docs/architecture.md."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
CORE, PROFILE, MODEL, REPORT = "lib/core", "lib/profile", "lib/model", "lib/report"
API, COLLECTOR = "include/roofmark", "collectors/collector.h"
EVENTS = "collectors/hardware/events"
MARKERS, RUNTIME, MPI, MACHINE = "markers", "markers/runtime", "mpi", "benchmarks/machine"
COLLECTORS = [f"collectors/{p.name}" for p in (ROOT / "collectors").iterdir() if p.is_dir()]

FOLD, SPOOL = "lib/fold", "lib/spool"

MEASURING = [API, CORE, PROFILE, COLLECTOR]
ALLOWED = {
    API: [API],
    CORE: [API, CORE],
    PROFILE: [API, CORE, PROFILE],
    MODEL: [API, CORE, PROFILE, MODEL],
    REPORT: [API, CORE, PROFILE, MODEL, REPORT],
    FOLD: [CORE, PROFILE, COLLECTOR, FOLD],
    SPOOL: [CORE, PROFILE, COLLECTOR, FOLD, SPOOL],
    MARKERS: MEASURING + [SPOOL, MARKERS],
    "collectors": [API, CORE, COLLECTOR],
    RUNTIME: MEASURING + [MODEL, FOLD, SPOOL, MARKERS, RUNTIME] + COLLECTORS,
    MPI: MEASURING + [MARKERS, RUNTIME, MPI],
    "benchmarks": [API, CORE, MODEL, "benchmarks"],
    # Knows nothing of machines: it moves texts between the ranks of the command's own job.
    "mpi/command_job": [API, CORE, MPI],
    "command": [API, CORE, PROFILE, FOLD, SPOOL, MODEL, REPORT, MACHINE, "mpi/comm.h", "mpi/command_job", "command"],
}
for collector in COLLECTORS:  # no collector sees another
    ALLOWED[collector] = [API, CORE, COLLECTOR, collector]
# What is known of hardware events: plain data below the collectors that open them.
ALLOWED[EVENTS] = [CORE, EVENTS]
# The engines below the collectors that read at boundaries: every thread and what it did, the
# kernel's interface, the packages' memory controllers.
THREADS, PERF, PACKAGE = "collectors/hardware/threads", "collectors/hardware/perf", "collectors/hardware/package"
HARDWARE = "collectors/hardware"
ALLOWED[PERF] += [THREADS, EVENTS]
ALLOWED[PACKAGE] += [THREADS, PERF, EVENTS]
ALLOWED[HARDWARE] += [THREADS, PERF, PACKAGE, EVENTS]
for user in ("collectors/perf_event", "collectors/papi"):
    ALLOWED.setdefault(user, [API, CORE, COLLECTOR, user]).extend([THREADS, PERF, PACKAGE, HARDWARE])
for user in ("collectors/perf_event", "collectors/papi", "command"):
    ALLOWED.setdefault(user, [API, CORE, COLLECTOR, user]).append(EVENTS)
# They open what the library opens: the doctor and the list of events to say what becomes of it, the
# self-test to count with it.
CHOICE = "markers/runtime/collectors.h"
for tool in ("command/doctor", "command/events"):
    ALLOWED[tool] = ALLOWED["command"] + [CHOICE, COLLECTOR, PERF]
ALLOWED["command/self_test"] = ALLOWED["command"] + [CHOICE, COLLECTOR, "collectors/counting"]
# The overhead benchmarks measure parts of the inside.
ALLOWED["benchmarks/overhead"] = ALLOWED["benchmarks"] + COLLECTORS + [PROFILE, MARKERS, MPI]


def layer_of(path):
    """The longest entry of ALLOWED that holds a file."""
    fits = [layer for layer in ALLOWED if path == layer or path.startswith(layer + "/")]
    return max(fits, key=len) if fits else None


def main():
    wrong, seen = [], 0
    for top in ("include", "lib", "markers", "collectors", "mpi", "benchmarks", "command"):
        for file in sorted((ROOT / top).rglob("*")):
            if file.suffix not in (".h", ".hpp", ".c", ".cc"):
                continue
            name = str(file.relative_to(ROOT))
            layer = layer_of(name)
            for included in re.findall(r'#\s*include\s+"([^"]+)"', file.read_text()):
                # Relative includes stay inside one folder.
                if not (ROOT / included).exists() or "/" not in included:
                    continue
                seen += 1
                allowed = ALLOWED.get(layer, [])
                if not any(included == a or included.startswith(a + "/") for a in allowed):
                    wrong.append(f"{name} includes {included}: {layer} may include {allowed}")
            if "mpi.h>" in file.read_text() and re.search(r"#\s*include\s+<mpi\.h>", file.read_text()):
                if not name.startswith(("mpi/plugin/", "benchmarks/kernels/", "include/roofmark/mpi.h")):
                    wrong.append(f"{name} includes mpi.h: only mpi/plugin may")
    print("\n".join(wrong) or f"ok: {seen} includes")
    return 1 if wrong or seen < 50 else 0


sys.exit(main())
