# SPDX-License-Identifier: BSD-3-Clause
"""install_test.py SOURCE: `pip install` of the source tree into a virtual environment, without a network and without
anything that CMake builds.

pip gets a copy of the few files that it needs, so that nothing else can help it, and what it leaves is found.
"""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

NEEDED = ["pyproject.toml", "setup.py", "MANIFEST.in", "LICENSE", "include/roofmark/roofmark.h", "lib/python/roofmark"]


def copy_to(place):
    for name in NEEDED:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        if (SOURCE / name).is_dir():
            shutil.copytree(SOURCE / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(SOURCE / name, place / name)


def files_of(place):
    return sorted(str(file.relative_to(place)) for file in place.rglob("*"))


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = pathlib.Path(folder.name)
        cls.tree, cls.python = cls.work / "tree", cls.work / "venv/bin/python"
        copy_to(cls.tree)
        cls.before = files_of(cls.tree)
        # The system's pip and setuptools; of a package index nothing is asked.
        cls.call(sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", cls.work / "venv")
        cls.call(cls.python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-compile", "-q",
                 cls.tree)

    @classmethod
    def call(cls, *words):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
        environment.update(PATH="/usr/bin:/bin", TMPDIR=str(cls.work), PYTHONDONTWRITEBYTECODE="1")
        ended = subprocess.run(list(map(str, words)), cwd=cls.work, env=environment, capture_output=True, text=True)
        if ended.returncode != 0:
            raise AssertionError(f"{words}: {ended.stdout}{ended.stderr}")
        return ended.stdout.strip()

    def test_has_the_version_of_the_header(self):
        header = (SOURCE / "include/roofmark/roofmark.h").read_text()
        version = ".".join(re.findall(r"#define ROOFMARK_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
        told = self.call(self.python, "-c", "import importlib.metadata as m; print(m.version('roofmark'))")
        self.assertEqual(told, version)

    def test_has_all_of_the_module(self):
        place = self.call(self.python, "-c", "import roofmark; print(roofmark.__path__[0])")
        self.assertIn(str(self.work / "venv"), place)
        self.assertEqual(files_of(pathlib.Path(place)), files_of(self.tree / "lib/python/roofmark"))

    def test_an_archive_of_the_sources_has_all_that_is_needed(self):
        copy = self.work / "copy"
        copy_to(copy)
        subprocess.run([sys.executable, "setup.py", "-q", "sdist", "-d", self.work / "archives"], cwd=copy, check=True,
                       capture_output=True, env={**os.environ, "TMPDIR": str(self.work)})
        [archive] = (self.work / "archives").iterdir()
        with tarfile.open(archive) as opened:
            names = {name.split("/", 1)[1] for name in opened.getnames() if "/" in name}
        needed = {name for name in files_of(copy) if (copy / name).is_file()}
        self.assertLessEqual(needed, names)

    def test_finds_the_command_of_its_environment(self):
        command = self.work / "venv/bin/roofmark"
        command.write_text("#!/bin/sh\n")
        command.chmod(0o755)
        self.addCleanup(command.unlink)
        told = self.call(self.python, "-c", "from roofmark._command import find_command; print(find_command())")
        self.assertTrue(os.path.samefile(told, command), told)

    def test_a_setuptools_that_is_too_old_is_refused(self):
        old = self.work / "old"
        old.mkdir()
        (old / "setuptools.py").write_text("__version__ = '59.6.0'\n")
        shutil.copy(SOURCE / "setup.py", old)
        with self.assertRaisesRegex(AssertionError, "setuptools 59.6.0 .*: install 61 or later"):
            self.call(sys.executable, old / "setup.py")

    def test_leaves_nothing(self):
        self.assertEqual(files_of(self.tree), self.before)
        self.assertEqual([file.name for file in self.work.iterdir() if "setup" in file.name], [])


if __name__ == "__main__":
    missing = [name for name in ("pip", "setuptools", "wheel") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: not installed: {' '.join(f'python3-{name}' for name in missing)}")
        sys.exit(77)
    SOURCE = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=sys.argv[:1])
