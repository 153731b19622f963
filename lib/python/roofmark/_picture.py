# SPDX-License-Identifier: BSD-3-Clause
"""The picture that `roofmark report --svg` writes."""
from __future__ import annotations

import base64
import html
import os
import pathlib
from typing import Union

from ._command import RoofmarkError


class Picture:
    """Shows itself in Jupyter. `svg` is its text."""

    def __init__(self, svg: str, name: str) -> None:
        self.svg = svg
        self._name = name

    def save(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the picture as SVG; replaces a file of this name."""
        place = pathlib.Path(file)
        if place.suffix.lower() != ".svg":
            raise RoofmarkError(f"{place}: pictures are written as SVG only: give a name that ends in .svg, and "
                                "convert the file, as with rsvg-convert or inkscape")
        place.write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        """As an image of its own: the style of an SVG inside a page holds for all others there."""
        data = base64.b64encode(self.svg.encode("utf-8")).decode("ascii")
        return f'<img alt="Roofline of {html.escape(self._name)}" src="data:image/svg+xml;base64,{data}">'

    def __repr__(self) -> str:
        return f"<roofline of {self._name}: save('roofline.svg') writes it>"
