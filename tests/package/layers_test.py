# SPDX-License-Identifier: BSD-3-Clause
"""Holds the includes of the sources against the layers that docs/architecture.md lists: no include
that is not listed, nothing listed that is not used, no circle between top-level folders, none
between files."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
DRAWING = ROOT / "docs" / "architecture.md"
SOURCES = (".h", ".hpp", ".c", ".cc")
MPI_USERS = ("mpi/plugin/", "benchmarks/kernels/", "benchmarks/peers/programs/", "include/roofmark/mpi.h")


def drawn_layers(text):
    """{layer: [layers that it may include]} of the block marked `layers`."""
    block = re.search(r"```layers\n(.*?)```", text, re.S).group(1)
    layers = {}
    for line in block.splitlines():
        layer, _, below = line.partition(":")
        layers[layer.strip()] = below.split()
    return layers


def layer_of(path, layers):
    """The longest layer that holds a file."""
    fits = [layer for layer in layers if path == layer or path.startswith(layer + "/")]
    return max(fits, key=len) if fits else None


def files_of_ours():
    tops = {layer.split("/")[0] for layer in drawn_layers(DRAWING.read_text())}
    return sorted(f for top in tops for f in (ROOT / top).rglob("*") if f.suffix in SOURCES)


def includes_of(file):
    """Included files of ours, by their names from the root."""
    for name in re.findall(r'^\s*#\s*include\s+[<"]([^">]+)[">]', file.read_text(), re.M):
        for folder in ("", "include/"):
            if "/" in name and (ROOT / folder / name).exists():
                yield folder + name


def circle(graph):
    """The nodes of one circle, or nothing."""
    done, on_way = set(), []

    def visit(node):
        if node in on_way:
            return on_way[on_way.index(node):] + [node]
        if node in done:
            return None
        on_way.append(node)
        found = next(filter(None, map(visit, sorted(graph.get(node, ())))), None)
        on_way.pop()
        done.add(node)
        return found

    return next(filter(None, map(visit, sorted(graph))), None)


def main():
    layers = drawn_layers(DRAWING.read_text())
    wrong, unused = [], {(a, b) for a, below in layers.items() for b in below}
    files, folders = {}, {}
    for file in files_of_ours():
        name = str(file.relative_to(ROOT))
        layer = layer_of(name, layers)
        if layer is None:
            wrong.append(f"{name}: in no layer of {DRAWING.name}")
            continue
        for included in includes_of(file):
            files.setdefault(name, set()).add(included)
            target = layer_of(included, layers)
            folder, below = name.split("/")[0], included.split("/")[0]
            if folder != below:
                folders.setdefault(folder, set()).add(below)
            if target != layer and target not in layers[layer]:
                wrong.append(f"{name} includes {included}: {layer} may include {layers[layer]}")
            unused.discard((layer, target))
        if re.search(r"#\s*include\s+<mpi\.h>", file.read_text()) and not name.startswith(MPI_USERS):
            wrong.append(f"{name} includes mpi.h: only mpi/plugin may")
    wrong += [f"{a} does not include {b}, which {DRAWING.name} lists" for a, b in sorted(unused)]
    for what, graph in (("folders", folders), ("files", files)):
        found = circle(graph)
        if found:
            wrong.append(f"circle of {what}: " + " -> ".join(found))
    seen = sum(map(len, files.values()))
    print("\n".join(wrong) or f"ok: {seen} includes")
    return 1 if wrong or seen < 50 else 0


sys.exit(main())
