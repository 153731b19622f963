# SPDX-License-Identifier: BSD-3-Clause
"""initramfs.py OUT FILE[=PATH]...: writes the guest's first file system.

It is a cpio archive in the form that the kernel calls "newc". Each file lies at PATH (default:
where it lies here), and so do the shared libraries that it needs here, so that paths compiled into
test programs hold in the guest too.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER, FILE, DEVICE = 0o040755, 0o100755, 0o020600


def libraries(path):
    """The shared libraries of a program of this machine, as its loader finds them."""
    with open(path, "rb") as file:
        if file.read(4) != b"\x7fELF":
            return []
    listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
    if missing := re.findall(r"(\S+) => not found", listed):
        sys.exit(f"initramfs.py: {path} needs {', '.join(missing)}, not found here")
    return re.findall(r"(/\S+) \(0x", listed)


def content(path):
    """The file, a program without its debug information: the guest keeps all in memory."""
    with open(path, "rb") as file:
        whole = file.read()
    if not whole.startswith(b"\x7fELF") or path.endswith(".ko"):
        return whole
    with tempfile.TemporaryDirectory() as folder:
        short = f"{folder}/short"
        done = subprocess.run(["strip", "-g", "-o", short, path], capture_output=True, check=False)
        return pathlib.Path(short).read_bytes() if done.returncode == 0 else whole


class Archive:
    def __init__(self, out):
        self.out, self.number, self.known = out, 0, set()

    def entry(self, path, mode, content=b"", device=(0, 0)):
        """One member. The kernel wants names and contents padded to four bytes."""
        self.number += 1
        name = path.lstrip("/").encode() + b"\0"
        fields = (self.number, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(name), 0)
        head = b"070701" + b"".join(b"%08x" % field for field in fields) + name
        for part in (head, content):
            self.out.write(part + b"\0" * (-len(part) % 4))

    def folders(self, path):
        for parent in reversed(pathlib.PurePosixPath(path).parents):
            if str(parent) not in self.known | {"/"}:
                self.known.add(str(parent))
                self.entry(str(parent), FOLDER)

    def add(self, source, path):
        if path in self.known:
            return
        self.known.add(path)
        self.folders(path)
        self.entry(path, FILE, content(source))
        for library in libraries(source):
            self.add(library, library)


def main():
    with open(sys.argv[1], "wb") as out:
        archive = Archive(out)
        archive.folders("/dev/console")
        archive.entry("/dev/console", DEVICE, device=(5, 1))
        for argument in sys.argv[2:]:
            source, _, path = argument.partition("=")
            archive.add(source, path or os.path.abspath(source))
        archive.entry("TRAILER!!!", 0)


main()
