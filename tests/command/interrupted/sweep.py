#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sweep.py ROOFMARK PROGRAM [--every N] [--first K] [--signals INT,TERM,HUP,KILL] [--turns]: a signal reaches
`roofmark run` at each of its system calls, by strace's fault injection, once each.

After each of them: the result is whole, or a folder beside it holds what was measured and `roofmark
recover` makes a file of it; or no execution had ended. Never an empty file, a lost measurement, a
process or a spool that stays. What a signal that can be caught leaves is named in stderr.

Skipped (77) where there is no strace, or where nobody may trace.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
LIMIT_S = 120
# After SIGKILL: the keeper of the name, and a file that was not whole yet.
MAY_STAY = r"\.run\.json\.reserved|roofmark-[0-9a-f]{16}\.tmp"
# Around these no signal is a new moment, or none can be sent.
NOT_CALLS = ("exit", "exit_group", "execve", "rt_sigreturn", "restart_syscall")


class Place(collections.namedtuple("Place", "call times")):
    """The K-th call of a kind."""

    def __str__(self):
        return f"{self.call} number {self.times}"


class Sweep:
    def __init__(self, roofmark, program, folder):
        self.roofmark, self.program = roofmark, program
        self.folder, self.spool = pathlib.Path(folder) / "out", pathlib.Path(folder) / "spool"
        self.spool.mkdir()
        self.done = pathlib.Path(folder) / "done"
        self.trace = pathlib.Path(folder) / "trace"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("ROOFMARK")}
        self.environment.update(ROOFMARK_SPOOL=str(self.spool), XDG_CACHE_HOME=str(pathlib.Path(folder) / "cache"),
                                LC_ALL="C.UTF-8")

    def command(self):
        # Each execution says when it has ended, and its measurements are written: a line in a file.
        script = f'"{self.program}" nested >/dev/null && echo ended >>"{self.done}"'
        return [self.roofmark, "run", "-o", "run.json", "--no-machine", "--", "/bin/sh", "-c", script]

    def execute(self, strace):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.done.unlink(missing_ok=True)
        # A session of its own: what is left of it is found by its number.
        process = subprocess.Popen(strace + self.command(), cwd=self.folder, env=self.environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   start_new_session=True)
        try:
            _, err = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return None, f"it has not ended after {LIMIT_S} s", process.pid
        return process.returncode, err, process.pid

    def places(self):
        """All system calls of an undisturbed run, in their order."""
        status, err, _ = self.execute(["strace", "-qq", "-o", str(self.trace)])
        if not self.trace.exists() or not self.trace.stat().st_size:
            print(f"skipped: nobody may trace here: {err.strip()[:200]}")
            sys.exit(SKIPPED)
        if status != 0:
            raise SystemExit(f"the run itself ended with {status}: {err}")
        seen, places = collections.Counter(), []
        for line in self.trace.read_text(errors="replace").splitlines():
            match = re.match(r"(\w+)\(", line)
            if not match or match[1] in NOT_CALLS:
                continue
            seen[match[1]] += 1
            places.append(Place(match[1], seen[match[1]]))
        return places

    def left_processes(self, session):
        """Of that session, after the time that they have to end."""
        for _ in range(150):
            listed = subprocess.run(["ps", "-o", "pid=,stat=,args=", "-s", str(session)], capture_output=True, text=True)
            left = [line for line in listed.stdout.splitlines() if " Z" not in line[:14]]
            if not left:
                return []
            time.sleep(0.1)
        return left

    def whole(self, name):
        """Why the file is no result; empty where it is one."""
        try:
            text = (self.folder / name).read_text()
            regions = json.loads(text)["paths"]
        except (OSError, ValueError, KeyError) as error:
            return f"{name}: {type(error).__name__} {error}"
        return "" if regions else f"{name} has no regions"

    def wrong(self, signal, place):
        """What does not hold after the signal at that place."""
        status, err, session = self.execute(
            ["strace", "-qq", "-o", "/dev/null", "-e", f"inject={place.call}:signal={signal}:when={place.times}"])
        found = []
        if status is None:
            return [err]
        left = self.left_processes(session)
        if left:
            found.append(f"processes stay: {left}")
        names = {path.name for path in self.folder.iterdir()}
        ended = len(self.done.read_text().splitlines()) if self.done.exists() else 0
        results = [name for name in names if name.endswith(".json")]
        passes = [name for name in names if re.match(r"\.run\.json\.passes\.\w{6}$", name)]
        found += [why for why in map(self.whole, results) if why]
        other = {name for name in names - set(results) - set(passes)
                 if not (signal == "KILL" and re.fullmatch(MAY_STAY, name))}
        if other:
            found.append(f"stays: {sorted(other)}")
        if ended and not results:
            if not passes:
                found.append(f"{ended} executions had ended, and nothing of them is there")
            elif signal != "KILL" and passes[0] not in err:
                found.append(f"stderr does not name {passes[0]}")
            else:
                recovered = subprocess.run([self.roofmark, "recover", passes[0], "-o", "recovered.json"],
                                           cwd=self.folder, env=self.environment, capture_output=True, text=True)
                why = self.whole("recovered.json")
                if why:
                    found.append(f"recover: {why}: {recovered.stderr[-400:]}")
        if results and signal != "KILL" and passes and passes[0] not in err:
            found.append(f"{passes[0]} stays, and stderr does not say it")
        spools = [path.name for path in self.spool.iterdir()]
        if spools and signal != "KILL":
            found.append(f"spools stay: {spools}")
        for path in self.spool.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if found:
            found.append(f"status {status}, stderr: {err[-600:]}")
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("roofmark")
    parser.add_argument("program")
    parser.add_argument("--every", type=int, default=1, help="only each N-th place")
    parser.add_argument("--first", type=int, default=0, help="the first place")
    parser.add_argument("--signals", default="INT,TERM,HUP,KILL")
    parser.add_argument("--turns", action="store_true", help="one signal for each place, in turns")
    options = parser.parse_args()
    if not shutil.which("strace"):
        print("skipped: no strace (Debian: strace)")
        return SKIPPED
    signals, failed, tried = options.signals.split(","), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        sweep = Sweep(options.roofmark, options.program, folder)
        places = sweep.places()
        chosen = places[options.first::options.every]
        for number, place in enumerate(chosen):
            for signal in [signals[number % len(signals)]] if options.turns else signals:
                tried += 1
                found = sweep.wrong(signal, place)
                if found:
                    failed += 1
                    print(f"FAILED {signal} at {place}: " + "\n  ".join(found), flush=True)
    print(f"{tried - failed} of {tried} held: {len(chosen)} of {len(places)} system calls")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
