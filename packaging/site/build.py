#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""build.py SOURCE OUT: the pages of SOURCE as a site in OUT, by Sphinx with MyST (Debian: python3-sphinx,
python3-myst-parser). It loads nothing from elsewhere and searches without a server: open OUT/index.html.
The pages stay where they are in the repository, so that their links hold; README.md is the first one."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOP = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
# In this order; all others follow by name.
FIRST = ["docs/first/README", "docs/guide", "docs/troubleshooting", "docs/centre", "docs/packages", "docs/cluster",
         "docs/settings", "docs/accuracy", "docs/results", "docs/event-to-dot", "docs/model", "docs/machine",
         "docs/counters", "docs/mpi", "docs/glossary"]


def pages(source):
    return [source / name for name in TOP] + sorted((source / "docs").rglob("*.md"))


def linked_files(source, page):
    """Files of the repository that a page links to, and that are no pages: they are given along."""
    for target in re.findall(r"\]\(([^)\s#]+)", page.read_text(encoding="utf-8")):
        file = (page.parent / target).resolve()
        if not re.match(r"\w+:", target) and file.is_file() and file.suffix != ".md" and source in file.parents:
            yield file


def to_first_page(source, page, staged):
    """Links to README.md of the repository lead to index.md."""
    def link(match):
        first = (page.parent / match[1]).resolve() == source / "README.md"
        return f"]({match[1].replace('README.md', 'index.md')}" if first else match[0]
    text = staged.read_text(encoding="utf-8")
    staged.write_text(re.sub(r"\]\(([./]*README\.md)", link, text), encoding="utf-8")


def stage(source, folder):
    for page in pages(source):
        for file in [page, *linked_files(source, page)]:
            target = folder / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    for page in pages(source):
        to_first_page(source, page, folder / page.relative_to(source))
    drawing = folder / "docs/architecture.md"  # a block for a test, in a language of its own
    drawing.write_text(drawing.read_text(encoding="utf-8").replace("```layers", "```text"), encoding="utf-8")
    names = [str(page.relative_to(source).with_suffix("")) for page in pages(source)]
    rest = [name for name in names if name not in FIRST and name != "README"]
    contents = "\n".join(FIRST + rest)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    (folder / "index.md").write_text(f"{readme}\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{contents}\n```\n",
                                     encoding="utf-8")
    (folder / "README.md").unlink()


def copy_pictures(source, out):
    """Those of HTML in the pages, which Sphinx does not read."""
    for name in ("svg", "png"):
        for file in (source / "docs").rglob(f"*.{name}"):
            target = out / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)


def main():
    source, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        stage(source, pathlib.Path(folder))
        command = ["sphinx-build", "-q", "-W", "--keep-going", "-b", "html", "-c", str(HERE),
                   "-d", str(pathlib.Path(folder) / ".doctrees"), folder, str(out)]
        status = subprocess.run(command, check=False).returncode
    copy_pictures(source, out)
    return status


if __name__ == "__main__":
    sys.exit(main())
