# SPDX-License-Identifier: BSD-3-Clause
"""together.py OUTPUT SOURCE...: one source of several, so that what they include and instantiate is compiled
once. Their anonymous namespaces get names, each that of its file below `tests`, so that each keeps its own
helpers, also from those of other such sources of the program. Messages of the compiler and of GoogleTest name
the lines of the sources."""
import pathlib
import re
import sys


def body(source):
    name = re.sub(r"\W", "_", source.rpartition("/tests/")[2])
    named = re.sub(r"^namespace \{", f"namespace source_{name} {{", pathlib.Path(source).read_text(), flags=re.M)
    return f'#line 1 "{source}"\n{named}'


output, *sources = sys.argv[1:]
path = pathlib.Path(output)
path.parent.mkdir(parents=True, exist_ok=True)
path.write_text("\n".join(map(body, sources)))
