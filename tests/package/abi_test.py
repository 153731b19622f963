#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""abi_test.py LIBRARY INCLUDE KEPT: the binary interface of the library, as libabigail's abidw reads it
from debug information, is the one that is kept in KEPT: the types of each exported roofmark_*, and
the layout of each structure that they reach. What changes or disappears breaks programs that are
linked already; what is new is added with ROOFMARK_UPDATE_GOLDEN=1, which also refuses the former
unless the version in the first line is another one."""
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

LIBRARY, INCLUDE, KEPT = (pathlib.Path(argument) for argument in sys.argv[1:4])
OPTIONS = ["--headers-dir", INCLUDE, "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs"]


class Interface:
    def __init__(self, corpus):
        self.types = {node.get("id"): node for node in corpus.iter() if node.get("id")}
        # Of a structure that some files declare only, the definition counts.
        self.structures = {node.get("name"): node for node in corpus.iter("class-decl")
                           if node.get("is-declaration-only") != "yes"}
        self.reached = {}
        self.functions = dict(sorted(self.function(node) for node in corpus.iter("function-decl")
                                     if node.get("elf-symbol-id") and node.get("name").startswith("roofmark_")))

    def name(self, identity):
        node = self.types.get(identity)
        if node is None or identity == "void":
            return "void"
        inner = node.get("type-id")
        if node.tag == "pointer-type-def":
            return self.name(inner) + "*"
        if node.tag == "reference-type-def":
            return self.name(inner) + "&"
        if node.tag == "qualified-type-def":
            return self.name(inner) + " const" * (node.get("const") == "yes") + " volatile" * (node.get("volatile") == "yes")
        if node.tag == "function-type":
            return "function(" + ", ".join(self.name(p.get("type-id")) for p in node.findall("parameter")) + ")"
        if node.tag == "array-type-def":
            return f"{self.name(inner)}[{node.get('dimensions')}, {node.get('size-in-bits')} bits]"
        if node.tag == "typedef-decl" and inner in self.types and self.types[inner].tag == "class-decl":
            self.name(inner)
        if node.tag == "class-decl":
            self.reach(node.get("name"))
        return node.get("name") or node.tag

    def reach(self, name):
        node = self.structures.get(name)
        if node is None or name in self.reached or name.startswith("_"):
            return
        self.reached[name] = []
        lines = [f"struct {name} {node.get('size-in-bits')} bits"]
        for member in node.findall("data-member"):
            variable = member.find("var-decl")
            lines.append(f"  {member.get('layout-offset-in-bits')} {variable.get('name')} {self.name(variable.get('type-id'))}")
        self.reached[name] = lines

    def function(self, node):
        arguments = ", ".join(self.name(p.get("type-id")) if p.get("is-variadic") != "yes" else "..."
                              for p in node.findall("parameter"))
        result = node.find("return")
        return node.get("name"), f"{node.get('name')}({arguments}) -> {self.name(result.get('type-id')) if result is not None else 'void'}"

    def lines(self):
        return list(self.functions.values()) + [line for name in sorted(self.reached) for line in self.reached[name]]


def read():
    done = subprocess.run(["abidw", *map(str, OPTIONS), str(LIBRARY)], capture_output=True, text=True, check=True)
    corpus = ElementTree.fromstring(done.stdout)
    return f"# {corpus.get('soname')}", Interface(corpus)


def main():
    if not shutil.which("abidw"):
        print("SKIPPED: libabigail's abidw is not installed (abigail-tools)")
        return 77
    head, interface = read()
    if not interface.functions:
        print("SKIPPED: the library was built without debug information that has types")
        return 77
    found = interface.lines()
    kept = KEPT.read_text().splitlines() if KEPT.exists() else [head]
    same_version = kept[0].split(":")[0] == head
    gone = [line for line in kept[1:] if line not in found]
    new = [line for line in found if line not in kept[1:]]
    if os.environ.get("ROOFMARK_UPDATE_GOLDEN") and not (same_version and gone):
        KEPT.write_text("\n".join([head + ": exported functions, and structures with the offsets of members in bits", *found]) + "\n")
        print(f"wrote {KEPT}")
        return 0
    for line in gone:
        print(f"programs that are linked rely on: {line}")
    for line in new:
        print(f"new, add it with ROOFMARK_UPDATE_GOLDEN=1: {line}")
    if not same_version:
        print(f"the list is that of {kept[0]}, the library is {head}")
    if gone or new or not same_version:
        return 1
    print(f"ok: {len(interface.functions)} functions, {len(interface.reached)} structures")
    return 0


sys.exit(main())
