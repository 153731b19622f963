# SPDX-License-Identifier: BSD-3-Clause
"""site_test.py SOURCE: packaging/site builds the pages without a warning; every link of the site leads to
a file and a heading of it; nothing is loaded from elsewhere, and the search finds words of the pages.
Exit status 77: Sphinx or MyST is not installed."""
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

SOURCE = pathlib.Path(sys.argv[1]).resolve()
# Of tags that load what they name; a link that a reader clicks may lead elsewhere.
LOADS = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("source", "srcset")}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            elif (tag, name) in LOADS:
                self.loads.append(value)
            elif (tag, name) == ("a", "href"):
                self.links.append(value)


def problems_of_links(site, pages):
    for file, page in pages.items():
        for target in page.links + page.loads:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            there = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            if not there.exists():
                yield f"{file.relative_to(site)}: {target} does not exist"
            elif parts.fragment and there in pages and parts.fragment not in pages[there].ids:
                yield f"{file.relative_to(site)}: {target} names no heading"


def problems_of_loads(site, pages):
    for file, page in pages.items():
        for target in page.loads:
            if re.match(r"(\w+:)?//", target):
                yield f"{file.relative_to(site)} loads {target}"
    for file in list(site.rglob("*.css")) + list(site.rglob("*.js")):
        for target in re.findall(r"(?:url\(|@import\s+)[\"']?((?:https?:)?//[^\"')]+)", file.read_text(errors="replace")):
            yield f"{file.relative_to(site)} loads {target}"


def problems_of_search(site):
    index = site / "searchindex.js"  # loaded by a tag, so that it works without a server
    words = json.loads(index.read_text().partition("(")[2].rpartition(")")[0])
    names = dict(enumerate(words["docnames"]))
    for word, page in (("lulesh", "docs/results"), ("perf_event_paranoid", "docs/guide"), ("gather", "docs/accuracy")):
        found = words["terms"].get(word, [])
        found = {names[number] for number in (found if isinstance(found, list) else [found])}
        if not any(name.startswith(page) for name in found):
            yield f"the search for {word} does not find {page}: {sorted(found)}"


def main():
    if shutil.which("sphinx-build") is None:
        print("SKIPPED: python3-sphinx is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder).resolve() / "site"
        ended = subprocess.run([sys.executable, SOURCE / "packaging/site/build.py", SOURCE, site],
                               capture_output=True, text=True, timeout=500)
        if "No module named 'myst_parser'" in ended.stderr:
            print("SKIPPED: python3-myst-parser is not installed")
            return 77
        if ended.returncode != 0:
            print(ended.stderr)
            return 1
        pages = {file: Page(file.read_text(encoding="utf-8")) for file in site.rglob("*.html")}
        found = [*problems_of_links(site, pages), *problems_of_loads(site, pages), *problems_of_search(site)]
        print("\n".join(found) or f"ok: {len(pages)} pages")
        return 1 if found else 0


sys.exit(main())
