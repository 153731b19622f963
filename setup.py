# SPDX-License-Identifier: BSD-3-Clause
"""What pyproject.toml cannot say: the version stands in roofmark.h, and a build of the package leaves nothing in the
source tree, where build/ is CMake's."""
import atexit
import pathlib
import re
import shutil
import sys
import tempfile

import setuptools

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    text = (ROOT / "include/roofmark/roofmark.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"^#define ROOFMARK_VERSION_{part} (\d+)", text, re.MULTILINE)[1]
                    for part in ("MAJOR", "MINOR", "PATCH"))


if int(setuptools.__version__.split(".")[0]) < 61:  # it would install a package without a name
    sys.exit(f"roofmark: setuptools {setuptools.__version__} does not read pyproject.toml: install 61 or later "
             f"(pip install -U setuptools), or set PYTHONPATH={ROOT / 'lib/python'}")
scratch = tempfile.mkdtemp(prefix="roofmark-setup-")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)
setuptools.setup(version=version(), options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}})
