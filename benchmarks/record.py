#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records what a measurement prints, with machine, date and command line, as a Markdown page.

record.py [--into DIR] NAME -- COMMAND ...

Runs the command, shows its output, and writes it to DIR/<machine>-<year>-<month>/NAME.md (DIR is
docs/results unless given). Ends with the status of the command. The measuring scripts do the same
for themselves with --record DIR: they use add_option() and Recorder.
"""
import argparse
import datetime
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def cpu_facts(cpuinfo):
    """The value of each name in the text of /proc/cpuinfo; the first processor counts."""
    facts = {}
    for line in cpuinfo.splitlines():
        name, colon, value = line.partition(":")
        if colon:
            facts.setdefault(name.strip(), value.strip())
    return facts


def machine_text(facts, cores):
    name = facts.get("model name", platform.machine())
    if "cpu family" in facts:
        name += f" (family {facts['cpu family']}, model {facts.get('model', '?')})"
    where = ", virtual machine" if "hypervisor" in facts.get("flags", "").split() else ""
    return f"{name}, {cores} CPUs{where}"


def folder_name(facts, cores, now):
    """'AMD EPYC', family 25, 2 CPUs in November 2026 -> 'amd-epyc-family-25-2-cpus-2026-11'."""
    name = facts.get("model name", platform.machine())
    if "cpu family" in facts and facts.get("vendor_id") == "AuthenticAMD":
        name += f" family {facts['cpu family']}"
    name = re.sub(r"\([^)]*\)|@.*|\bCPU\b|\bProcessor\b", " ", name)
    return re.sub(r"[^a-z0-9]+", "-", f"{name} {cores} cpus {now:%Y-%m}".lower()).strip("-")


def commit():
    words = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def page(name, command, facts, cores, now, load, output, status):
    body = output if re.search(r"^\|", output, re.MULTILINE) else f"```\n{output.rstrip()}\n```\n"
    return (f"# {name}\n\n"
            f"- Command: `{command}`\n"
            f"- Exit status: {status}\n"
            f"- Machine: {machine_text(facts, cores)}\n"
            f"- System: {platform.system()} {platform.release()}\n"
            f"- Date: {now:%Y-%m-%d %H:%M} UTC\n"
            f"- Load average at the start: {load:.1f}\n"
            f"- Commit: {commit()}\n\n{body}")


class Recorder:
    """Passes on what the process prints to stdout while it is open, and then writes the page.

    Without a folder it does nothing. An exception (SystemExit too) still gives a page, with the
    status that the process ends with.
    """

    def __init__(self, into, name):
        self.into, self.name, self.status, self.text = into, name, 0, []

    def __enter__(self):
        if self.into:
            self.now, self.load = datetime.datetime.now(datetime.timezone.utc), os.getloadavg()[0]
            self.stdout, sys.stdout = sys.stdout, self
        return self

    def write(self, text):
        self.text.append(text)
        return self.stdout.write(text)

    def flush(self):
        self.stdout.flush()

    def __exit__(self, kind, error, _):
        if not self.into:
            return
        sys.stdout = self.stdout
        if isinstance(error, SystemExit):
            self.status = error.code if isinstance(error.code, int) else int(error.code is not None)
        elif error is not None:
            self.status = 1
        self.write_page(shlex.join(sys.argv))

    def write_page(self, command):
        facts = cpu_facts(pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
        cores = os.cpu_count()
        folder = pathlib.Path(self.into) / folder_name(facts, cores, self.now)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.md"
        path.write_text(page(self.name, command, facts, cores, self.now, self.load,
                             "".join(self.text), self.status), encoding="utf-8")
        print(f"recorded in {path}", file=sys.stderr)


def add_option(parser):
    parser.add_argument("--record", metavar="DIR",
                        help="also write the output to a page in a folder of this machine in DIR")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", default=str(ROOT / "docs/results"), metavar="DIR")
    parser.add_argument("name")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    command = arguments.command[arguments.command[:1] == ["--"]:]
    if not command:
        parser.error("a command is required after --")
    recorder = Recorder(arguments.into, arguments.name)
    recorder.now, recorder.load = datetime.datetime.now(datetime.timezone.utc), os.getloadavg()[0]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            recorder.text.append(line)
            print(line, end="", flush=True)
    recorder.status = process.returncode
    recorder.write_page(shlex.join(command))
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
