# SPDX-License-Identifier: BSD-3-Clause
"""together.py OUTPUT SOURCE...: one source of several, so that what they include and instantiate is compiled
once. Their anonymous namespaces get different names, so that each keeps its own helpers. Messages of the
compiler and of GoogleTest name the lines of the sources."""
import pathlib
import re
import sys


def body(number, source):
    text = pathlib.Path(source).read_text()
    named = re.sub(r"^namespace \{", f"namespace source_{number} {{", text, flags=re.M)
    return f'#line 1 "{source}"\n{named}'


output, *sources = sys.argv[1:]
path = pathlib.Path(output)
path.parent.mkdir(parents=True, exist_ok=True)
path.write_text("\n".join(body(number, source) for number, source in enumerate(sources)))
