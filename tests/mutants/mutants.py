# SPDX-License-Identifier: BSD-3-Clause
"""The list of mutants (list.txt), and how one is made and undone."""
import contextlib
import os
import pathlib
import typing

LIST = pathlib.Path(__file__).with_name("list.txt")
LAYERS = ("markers", "collectors", "mpi", "lib/model", "lib/report", "command")


class Unfit(Exception):
    """An entry that does not fit the sources: a fault of the list, not of a test."""


class Mutant(typing.NamedTuple):
    name: str
    file: str
    before: str
    after: str
    why: str
    tests: str

    @property
    def layer(self):
        return next((layer for layer in LAYERS if self.file.startswith(layer + "/")), None)

    def changed(self, text):
        """`text` with the line as it would be, and the same indentation."""
        lines = text.split("\n")
        places = [i for i, line in enumerate(lines) if line.strip() == self.before]
        if len(places) != 1:
            raise Unfit(f"{self.name}: {self.file} has this line {len(places)} times, not once: {self.before}")
        line = lines[places[0]]
        lines[places[0]] = line[:len(line) - len(line.lstrip())] + self.after
        return "\n".join(lines)


def read_list(text):
    mutants = []
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if not lines:
            continue
        marks = ("", "", "- ", "+ ", "why: ", "test: ")
        if len(lines) != len(marks) or not all(map(str.startswith, lines, marks)):
            raise Unfit("not name, file, -, +, why and test:\n" + block)
        mutants.append(Mutant(*(line[len(mark):] for line, mark in zip(lines, marks))))
    return mutants


def restore_if_killed(path, original):
    """Starts a process that puts the file back if this one is killed. Returns what stops it."""
    ended, alive = os.pipe()
    guard = os.fork()
    if guard == 0:
        os.setsid()  # a signal to the group does not reach it
        os.close(alive)
        if not os.read(ended, 1):
            path.write_text(original)
        os._exit(0)
    os.close(ended)

    def stop():
        os.write(alive, b".")
        os.close(alive)
        os.waitpid(guard, 0)
    return stop


@contextlib.contextmanager
def applied(mutant, root):
    """The file is changed within. However that ends, it is put back; it is younger than all that was
    built of the mutant then, so that the next build makes that anew."""
    path = root / mutant.file
    original = path.read_text()
    changed = mutant.changed(original)
    stop = restore_if_killed(path, original)
    try:
        path.write_text(changed)
        yield
    finally:
        path.write_text(original)
        stop()
