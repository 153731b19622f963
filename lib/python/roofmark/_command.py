# SPDX-License-Identifier: BSD-3-Clause
"""The command `roofmark`, which derives all numbers."""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from typing import Optional


class RoofmarkError(RuntimeError):
    """What the command said, or what is missing, with the cure."""


def find_command() -> str:
    """The command that belongs to this package: of the same build or prefix, else of PATH."""
    for folder in pathlib.Path(__file__).resolve().parents[2:6]:
        command = folder / "bin" / "roofmark"
        if command.is_file() and os.access(command, os.X_OK):
            return str(command)
    command = shutil.which("roofmark")
    if command is None:
        raise RoofmarkError("the command roofmark is neither beside this package nor in PATH: "
                            "add its folder to PATH, or give load(file, command=...)")
    return command


def ask(command: Optional[str], *arguments: str) -> str:
    """Standard output of the command; RoofmarkError with what it said if it fails."""
    name = command or find_command()
    try:
        ended = subprocess.run([name, *arguments], capture_output=True, stdin=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise RoofmarkError(f"the command {name} cannot be executed ({error.strerror}): give load(file, command=...) "
                            "the path of an executable") from error
    if ended.returncode != 0:
        said = ended.stderr.decode("utf-8", "replace").strip()
        raise RoofmarkError(said or f"roofmark ended with status {ended.returncode}")
    return ended.stdout.decode("utf-8", "replace")
