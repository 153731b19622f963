# SPDX-License-Identifier: BSD-3-Clause
"""fixture_test.py BUNDLE RECORD: damaged, newer and hostile bundles end in one sentence that names the
file and the cure, and write nothing outside of their folder; BUNDLE is what the program RECORD prints."""
import json
import pathlib
import subprocess
import sys
import tempfile

BUNDLE, RECORD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
SCRIPT = pathlib.Path(__file__).resolve().parent / "fixture.py"
GOOD = json.loads(BUNDLE.read_text())
CPU0 = "/sys/devices/system/cpu/cpu0"


def changed(**members):
    return json.dumps({**GOOD, **members})


def with_file(path, text):
    return changed(files={**GOOD["files"], path: text})


def with_total(**members):
    exercise = GOOD["exercises"][0]
    total = {**exercise["totals"][0], **members}
    return changed(exercises=[{**exercise, "totals": [total]}])


def with_event(**members):
    return changed(events=[{**GOOD["events"][0], **members}] + GOOD["events"][1:])


TEXT = BUNDLE.read_text()
REFUSED = {  # content: a part of the message
    "": "damaged or cut short",
    TEXT[:len(TEXT) // 2]: "damaged or cut short",
    "[" * 200000: "without end",
    "1" * 10000: "thousands of digits",
    "[]": "is no bundle: `roofmark doctor --self-test --bundle FILE` writes one",
    '{"format": "roofmark-machine", "version": 1}': "is no bundle",
    changed(version=2): "is 2; this script reads version 1",
    changed(version=True): "version: is missing or of another type",
    TEXT.replace('"version": 1', '"version": NaN'): "is no number",
    changed(files=[]): "files: is missing or of another type",
    changed(files={}): "/proc/cpuinfo is missing",
    with_file("/etc/passwd", "x"): "is none of the files that a bundle has",
    with_file("/sys/devices/system/cpu/../../../../tmp/x", "1"): "is none of the files",
    with_file("/sys/devices/system/cpu/online\n/etc", "1"): "is none of the files",
    with_file(CPU0 + "/topology/core_id", "1\x1b[2J"): "is no plain text",
    with_file(CPU0 + "/topology/core_id", "x" * 5000): "has 5000 characters",
    with_file(CPU0 + "/topology/core_id/deeper", "1"): "cannot be written",
    with_file(CPU0 + "/topology/physical_package_id", "package"): "is no number of a package",
    with_file("/sys/devices/system/cpu/cpu99999/topology/physical_package_id", "0"): "at most 1024 CPUs",
    with_file("/sys/bus/event_source/devices/cpu/format/event", "config:0-99"): "is no format of a PMU",
    with_file("/sys/bus/event_source/devices/uncore_imc_0/cpumask", "0-99999999"): "is no list of CPUs",
    changed(events=[3]): "a row is no object",
    with_event(device="cpu core=1 x"): "is no name of a PMU",
    with_event(config=[1, 2]): "is no list of three numbers",
    with_event(config=[2**64, 0, 0]): "not a number from 0",
    with_event(type=-1): "not a number from 0",
    with_event(cpus=[5000]): "not a number from 0 to 7",
    with_event(runs="yes"): "is neither true nor false",
    with_total(event=9999): "not a number from 0",
    with_total(value=2**60): "no count of 48 bits",
    with_total(value=1.5): "no count of 48 bits",
    changed(cpuid=[{"leaf": 2**40}]): "not a number from 0 to 4294967295",
}


def run(content):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "bundle.json"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        ended = subprocess.run([sys.executable, SCRIPT, file, pathlib.Path(folder) / "out"],
                               capture_output=True, text=True, timeout=300)
        names = {path.name for path in pathlib.Path(folder).iterdir()}
        return ended, names


def problems():
    for content, part in [*REFUSED.items(), (b"\xff\xfe\x00", "is no text")]:
        ended, names = run(content)
        message = ended.stderr.strip()
        if ended.returncode != 1 or "\n" in message or part not in message or "bundle.json" not in message:
            yield f"{part}: status {ended.returncode}: {message[-300:]}"
        if names - {"bundle.json", "out"}:
            yield f"{part}: it wrote {names}"
    ended, names = run(TEXT)
    if ended.returncode != 0:
        yield f"the bundle itself: {ended.stderr}"
    recorded = subprocess.run([RECORD], capture_output=True, text=True, timeout=300).stdout
    if recorded != TEXT:
        yield f"{BUNDLE.name} is not what {RECORD.name} prints: {RECORD} > {BUNDLE}"


found = list(problems())
print("\n".join(found))
sys.exit(1 if found else 0)
