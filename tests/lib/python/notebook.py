# SPDX-License-Identifier: BSD-3-Clause
"""A Jupyter notebook executed by plain Python: its code cells, one after the other in one namespace, each with the
outputs that a kernel would store."""
import ast
import contextlib
import io
import re

SHOWN = [("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_"), ("text/plain", "__repr__")]


def lines(text):
    """As notebooks keep text."""
    return text.splitlines(keepends=True)


def _bundle(value):
    """What a value shows of itself, by type of media."""
    return {media: lines(getattr(value, method)()) for media, method in SHOWN if hasattr(value, method)}


def _outputs(source, names, number):
    tree = ast.parse(source, f"cell {number}")
    last = tree.body[-1] if tree.body else None
    shows = isinstance(last, ast.Expr) and not source.rstrip().endswith(";")
    if shows:
        tree.body.pop()
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if shows:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        outputs.append({"data": _bundle(value), "execution_count": number, "metadata": {},
                        "output_type": "execute_result"})
    return outputs


def execute(notebook):
    """The notebook with the outputs and numbers of this execution."""
    names, number, cells = {"__name__": "__main__"}, 0, []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            cell = {**cell, "execution_count": number, "outputs": _outputs("".join(cell["source"]), names, number)}
        cells.append(cell)
    return {**notebook, "cells": cells}


def structure(notebook):
    """Of each code cell its source, and of each output its type, the types of media, and the heads of rows and columns
    of a table. The order of rows, and how many are only numbered, may depend on numbers."""
    told = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        outputs = []
        for output in cell["outputs"]:
            data = output.get("data", {})
            heads = re.findall(r"<th[^>]*>([^<]*)", "".join(data.get("text/html", [])))
            outputs.append((output["output_type"], sorted(data), sorted(head for head in heads if not head.isdigit())))
        told.append(("".join(cell["source"]), outputs))
    return told
