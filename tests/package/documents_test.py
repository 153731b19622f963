# SPDX-License-Identifier: BSD-3-Clause
"""documents_test.py SOURCE: lines of the Markdown pages have at most 120 characters, and their links
lead to files and headings that exist; the tests that docs/security.md names exist.

Exceptions to the length: rows of tables under docs/results, which scripts write as they measure, and
the block `layers` of docs/architecture.md, which layers_test.py reads line by line."""
import pathlib
import re
import sys

LENGTH = 120
SOURCE = pathlib.Path(sys.argv[1]).resolve()
GROUPS = {"guest", "sweep", "crash", "hang"}
RAW = SOURCE / "docs/results"


def anchor(heading):
    """As GitHub forms it."""
    text = re.sub(r"[`*\[\]()]|[^\w\s-]", "", heading.strip().lower())
    return re.sub(r"\s", "-", text)


def long_lines(page, lines):
    block = None
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            block = line[3:] if block is None else None
        row_of_results = RAW in page.parents and line.startswith("|")
        if len(line) > LENGTH and block != "layers" and not row_of_results:
            yield f"{page.relative_to(SOURCE)}:{number}: {len(line)} characters"


def headings(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)}


def dead_links(page, text):
    targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"^\[\w+\]: (\S+)$", text, re.MULTILINE)
    for target in targets:
        if re.match(r"\w+:", target):
            continue
        name, _, place = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists():
            yield f"{page.relative_to(SOURCE)}: {target} does not exist"
        elif place and place not in headings(file):
            yield f"{page.relative_to(SOURCE)}: {target} names no heading"


def missing_tests(page):
    """Names as of `ctest -R`: a suite, or suite and test, the latter perhaps cut with `*`."""
    declared = set()
    for file in (SOURCE / "tests").rglob("*_test.cc"):
        for suite, test in re.findall(r"^TEST(?:_[FP])?\((\w+), *(\w+)\)", file.read_text(encoding="utf-8"), re.MULTILINE):
            declared |= {suite, f"{suite}.{test}"}
    modes = set(re.findall(r"^GUEST\(\w+, (\w+)\)", (SOURCE / "tests/guest/programs/modes.inc").read_text(), re.MULTILINE))
    for sentence in re.findall(r"Tested by(.*?)\.\n", page.read_text(encoding="utf-8"), re.DOTALL):
        for name in re.findall(r"`(\w+(?:\.\w+\*?)?)`", sentence):
            known = any(one.startswith(name[:-1]) for one in declared) if name.endswith("*") else name in declared
            if not known and name not in modes and name not in GROUPS:
                yield f"{page.relative_to(SOURCE)}: there is no test {name}"


pages = sorted([*SOURCE.glob("*.md"), *(SOURCE / "docs").rglob("*.md")])
failures = []
for page in pages:
    text = page.read_text(encoding="utf-8")
    failures += [*long_lines(page, text.split("\n")), *dead_links(page, text)]
failures += missing_tests(SOURCE / "docs/security.md")
print("\n".join(failures) if failures else f"{len(pages)} pages")
sys.exit(1 if failures or len(pages) < 10 else 0)
