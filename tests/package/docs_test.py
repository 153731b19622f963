#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""docs_test.py SOURCE BUILD: every command in the shell blocks of README and guide runs as written.

Each command is executed in a scratch directory with a small marked MPI program as ./app, with the
roofmark of BUILD. Jobs have two ranks, and what the native engine can count it counts: under Valgrind a rank
needs 2 s to begin, and one command that counts a job by it is enough. What cannot run in a test is listed in
NOT_HERE with the reason; a command of the documents that fails, or a line of a list here that no document has
any more, fails the test.

It takes a minute of CPU time: 80 commands, of which two measure the machine, and five count by Valgrind.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCE, BUILD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
DOCUMENTS = ["README.md", "docs/guide.md"]

# Commands that are no test's: the reason.
NOT_HERE = {
    "./demo": "installs packages and builds",
    "./test": "installs packages and builds",
    "cmake --preset release && cmake --build --preset release": "a build",
    "cmake --install build/release --prefix $HOME/roofmark": "package_test.sh installs",
    "roofmark doctor --self-test": "measures hardware: self_test_test",
    "roofmark doctor --self-test --bundle mine.json": "measures hardware: bundle_test",
    "mpirun -n 64 roofmark machine": "measures a machine: machine_jobs_test",
}
# What a name of the documents is here. Machines are measured quickly: ten seconds, not a minute.
HERE = {
    "roofmark run --auto -- mpirun -n 2 ./xhpcg --rt=0":
        "cc -fopenmp app.c -lroofmark -lmpi -o app && roofmark run --auto --no-machine -- ./app",
    "roofmark machine": "roofmark machine --quick",
    "roofmark machine -o node.json --svg node.svg": "roofmark machine --quick -o node.json --svg node.svg",
    "roofmark machine --topology node.xml": "lstopo --force node.xml && roofmark machine --topology node.xml",
    "roofmark top": "roofmark top --once",
    "roofmark run --against './old/app' -o run.json -- ./app":
        "roofmark run --against 'mpirun -n 1 ./app' --repeat 2 -o run.json -- mpirun -n 1 ./app",
}
# Statuses of a command that also mean that it works.
ALSO_RIGHT = {
    "roofmark compare before.json after.json --fail-on 'solve/*: time > +5%' --fail-on '(program): time > +2%'":
        {4},  # nothing is decided: other programs used the CPUs of one of the two
}
# Counted by the engine that is the default.
BY_VALGRIND = "ROOFMARK_COLLECTOR=counting mpirun -n 4 ./app"
APP = r"""
#include <mpi.h>
#include <roofmark/roofmark.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char** argv) { /* with an argument: no MPI */
  if (argc == 1) MPI_Init(&argc, &argv);
  double values[1000];
  ROOF_REGION_BEGIN("solve");
  for (int sweep = 0; sweep < 10; ++sweep) {
    ROOF_REGION_BEGIN("sweep");
#pragma omp parallel for
    for (int i = 0; i < 1000; ++i) { /* long enough for samples of time */
      values[i] = i;
      for (int again = 0; again < 1000; ++again) values[i] = values[i] * 0.5 + sweep;
    }
    ROOF_REGION_END("sweep");
  }
  ROOF_REGION_END("solve");
  if (argc > 1 && strcmp(argv[1], "wait") == 0) pause();
  if (argc > 1) raise(SIGKILL);
  MPI_Finalize();
  return values[999] >= 0 ? 0 : 1;
}
"""


def blocks(language):
    """(document, text) of each fenced block."""
    for document in DOCUMENTS:
        text = (SOURCE / document).read_text()
        for block in re.findall(rf"```{language}\n(.*?)```", text, re.S):
            yield document, block


def commands():
    for document, block in blocks("sh"):
        for line in block.splitlines():
            command = re.sub(r"\s+#.*", "", line).strip()
            if command:
                yield document, command


class Place:
    """A directory in which the documents' names mean something."""

    def __init__(self, work):
        self.work = work
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("ROOFMARK")}
        lib, tools = BUILD / "lib", work / "tools"
        (work / "prefix").mkdir()
        (work / "prefix/lib").symlink_to(lib)
        tools.mkdir()
        (tools / "roofmark").symlink_to(BUILD / "bin/roofmark")
        shell = "#!/bin/sh\nexec {} \"$@\"\n"
        self.tool(tools / "mpirun", shell.format("/usr/bin/mpirun.openmpi --oversubscribe"))
        # Of two launchers beside each other the one that ends may remove the folder of the one that begins.
        (work / "openmpi").mkdir()
        includes = [SOURCE / "include", BUILD / "include"]
        mpi = subprocess.run(["mpicc.openmpi", "--showme:incdirs"], capture_output=True, text=True)
        self.environment.update(
            PATH=f"{tools}:{os.environ['PATH']}", PREFIX=str(work / "prefix"),
            CPATH=":".join([*map(str, includes), *mpi.stdout.split()]), LIBRARY_PATH=str(lib),
            LD_LIBRARY_PATH=str(lib), XDG_CACHE_HOME=str(work / "cache"), OMP_NUM_THREADS="2",
            OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
            OMPI_MCA_orte_tmpdir_base=str(work / "openmpi"))
        (work / "app.c").write_text(APP)
        for _, block in blocks("python"):
            if "ctypes" in block:
                (work / "app.py").write_text(block)

    @staticmethod
    def tool(path, text):
        path.write_text(text)
        path.chmod(0o755)

    def run(self, command, **variables):
        return subprocess.run(["bash", "-c", command], cwd=self.work, timeout=300, text=True,
                              env={**self.environment, **variables}, capture_output=True)

    def crash(self, spool, rank):
        """A rank of job 4711 that died."""
        self.run("./app die", ROOFMARK="on", ROOFMARK_QUIET="1", ROOFMARK_SPOOL=str(spool),
                 SLURM_JOB_ID="4711", SLURM_STEP_ID="0", SLURM_PROCID=str(rank), SLURM_STEP_NUM_TASKS="2")

    def find_loops(self):
        """work.json: the loops of the program without its markers, and without MPI."""
        unmarked = "\n".join(line for line in APP.splitlines() if not re.search("ROOF|roofmark|MPI_|mpi.h", line))
        (self.work / "unmarked.c").write_text(unmarked)
        (self.work / "work.json").unlink(missing_ok=True)
        preload = f"LD_PRELOAD={BUILD}/lib/libroofmark.so ROOFMARK_COLLECTOR=counting ROOFMARK_COUNT=flops"
        for command in ("cc -g -O2 -fopenmp unmarked.c -o unmarked",
                        f"{preload} ROOFMARK_EXECUTED=on ROOFMARK_OUTPUT=bare.json ./unmarked",
                        "roofmark nests bare.executed*.json -o bare-nests.json",
                        f"{preload} ROOFMARK_NESTS=bare-nests.json ROOFMARK_OUTPUT=work.json ./unmarked"):
            ended = self.run(command)
            if ended.returncode != 0:
                print(f"{command}\n{ended.stdout}{ended.stderr}")

    def prepare(self, command):
        """What must be there before a command is typed."""
        work = self.work
        outputs = {"app.roofline.json", "run.json", "node.json", "node.svg"}
        if command.startswith(("roofmark run", "roofmark recover", "roofmark machine -o")):
            for name in outputs & set(os.listdir(work)):
                (work / name).rename(work / f"old-{name}")
        if left := re.search(r"\S+\.passes\.\S+", command):
            (work / left[0]).mkdir(exist_ok=True)
            made = [work / name for name in ("app.roofline.json", "old-app.roofline.json") if (work / name).exists()]
            shutil.copy(made[0], work / left[0] / "auto.json")
        elif command.startswith("roofmark recover"):
            named = re.search(r"/dev/shm/\S+", command)
            places = [work / "node1/spool", work / "node2/spool"]
            if "node" not in command:
                places = [named[0] if named else f"/dev/shm/roofmark-{os.geteuid()}-4711"] * 2
            for rank, place in enumerate(places):
                pathlib.Path(place).parent.mkdir(exist_ok=True)
                self.crash(place, rank)
        if command == "roofmark suggest work.json":
            self.find_loops()
        for name in re.findall(r"(old|a|b|cluster1|cluster2)\.json", command):
            kind = "app.roofline.json" if name.startswith("cluster") else "node.json"
            found = work / kind if (work / kind).exists() else work / f"old-{kind}"
            shutil.copy(found, work / f"{name}.json")
        if command.startswith("roofmark compare"):
            shutil.copy(work / "before.json", work / "after.json")
        if "report app.roofline.json" in command and not (work / "app.roofline.json").exists():
            shutil.copy(work / "old-app.roofline.json", work / "app.roofline.json")


def watched(place, command):
    """`roofmark top` beside a job that runs."""
    job = subprocess.Popen(["./app", "wait"], cwd=place.work, env={
        **place.environment, "ROOFMARK": "on", "ROOFMARK_QUIET": "1"}, start_new_session=True)
    try:
        for _ in range(100):
            ended = place.run(command)
            if ended.returncode == 0 and "sweep" in ended.stdout:
                return ended
            time.sleep(0.1)
        return ended
    finally:
        os.killpg(job.pid, signal.SIGKILL)
        job.wait()


def check(place):
    seen, failed = set(), []
    for document, command in commands():
        if command in seen:
            continue
        seen.add(command)
        if command in NOT_HERE:
            continue
        place.prepare(command)
        typed = re.sub("mpirun -n (4|64) ", "mpirun -n 2 ", HERE.get(command, command))
        engine = "valgrind" if command == BY_VALGRIND else "auto"
        ended = watched(place, typed) if command == "roofmark top" else place.run(typed, ROOFMARK_ENGINE=engine)
        print(f"{ended.returncode}  {document}: {command}", flush=True)
        if ended.returncode not in {0, *ALSO_RIGHT.get(command, ())}:
            failed.append(f"{document}: {command}\n{ended.stdout}{ended.stderr}")
    failed += [f"no document has `{command}`" for command in {*NOT_HERE, *HERE, *ALSO_RIGHT, BY_VALGRIND} - seen]
    return failed


def main():
    if "--inside" not in sys.argv:
        # A memory of its own: `roofmark recover` without a directory looks at all jobs of a user.
        again = f"mount -t tmpfs none /dev/shm && exec {sys.executable} {__file__} {SOURCE} {BUILD} --inside"
        if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
            print("skipped: no namespace of its own for /dev/shm (unshare -rm)")
            sys.exit(77)
        os.execvp("unshare", ["unshare", "-rm", "sh", "-c", again])
    with tempfile.TemporaryDirectory(prefix="roofmark-docs-") as work:
        failed = check(Place(pathlib.Path(work)))
    for failure in failed:
        print(f"FAILED: {failure}")
    sys.exit(1 if failed else 0)


main()
