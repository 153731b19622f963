# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx's settings of the site, see build.py."""
project = "roofmark"
copyright = "its authors"  # noqa: A001: Sphinx's name
extensions = ["myst_parser"]
root_doc = "index"
source_suffix = {".md": "markdown"}
# As GitHub forms them, which is what links in the pages expect.
myst_heading_anchors = 6
# Tables of results begin with a second heading; blocks of other languages than Pygments knows stay plain.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
html_theme = "alabaster"
html_theme_options = {"description": "Rooflines of MPI codes, region by region", "page_width": "1100px",
                      "sidebar_width": "240px", "show_powered_by": False}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_show_sourcelink = False
html_copy_source = False
smartquotes = False  # messages and options are shown as they are typed
