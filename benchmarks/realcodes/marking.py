# SPDX-License-Identifier: BSD-3-Clause
"""Puts markers into the functions of a code: found by their names, whatever else stands in the file."""
import re


def end_of_head(text, begin):
    """Where the body of a function begins whose head begins at `begin`: behind its `{`. -1 for a declaration."""
    depth = 0
    for at in range(begin, len(text)):
        if text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
        elif depth == 0 and text[at] == ";":
            return -1
        elif depth == 0 and text[at] == "{":
            return at + 1
    return -1


def head_of(mark):
    """What the head of a function matches, up to its opening parenthesis."""
    function = mark[0] if isinstance(mark, tuple) else mark
    return rf"^[\w \t*&:<>]*(?<!\w){function}\s*\("


def mark_function(text, mark, marker, name):
    """The text of the file `name` with `marker` at the begin of the function."""
    for head in re.finditer(head_of(mark), text, re.MULTILINE):
        body = end_of_head(text, head.end() - 1)
        if body > 0:
            return f"{text[:body]} {marker} {text[body:]}"
    raise SystemExit(f"realcodes: {name} has no function {mark}")


def marker_of(mark):
    return f'ROOF_REGION_SCOPE("{mark[1]}");' if isinstance(mark, tuple) else "ROOF_FUNCTION;"


def put_markers(code, folder):
    """Marks the functions of `code` in its sources below `folder`."""
    for name, marks in code.marks.items():
        text = (folder / name).read_text()
        for mark in marks:
            text = mark_function(text, mark, marker_of(mark), name)
        (folder / name).write_text(f"#include <{code.header}>\n{text}")
