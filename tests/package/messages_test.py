#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""messages_test.py SOURCE: docs/troubleshooting.md has an entry for every message with which the library
complains in a program or the command tells its user, and for no other. The library says what went wrong
by one function, Complain (lib/core/log.h), and passes it reasons; the command has Say. The texts are read
where they are written, with `…` for what is filled in. Reasons are those of mpi/ and of the counting
engines, and warnings of the markers."""
import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1])
PAGE = SOURCE / "docs/troubleshooting.md"
FOLDERS = ("markers", "mpi", "collectors", "lib", "command")
REASONS = ("mpi", "collectors/counting/valgrind/reexec.cc", "collectors/counting/limits.cc",
           "collectors/counting/host_caches.cc", "collectors/counting/native/engine.cc")
CALLS = {"Complain": r"\bComplain(\()", "Say": r"\bSay(\()", "warnings": r"\bwarnings\.push_back(\()|\bWritePart(\()",
         "reasons": r"\bError(\{)|\breturn fmt::format(\()"}
LITERALS = r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*'
# Short texts are parts of a sentence ("measured", a name).
LEAST_WORDS = 4


def call(text, begin):
    """The arguments of a call whose parenthesis opens at `begin`."""
    depth, quoted, at = 0, False, begin
    while True:
        c = text[at]
        if quoted:
            at += c == "\\"
            quoted = c != '"'
        elif c == '"':
            quoted = True
        elif c in "({":
            depth += 1
        elif c in ")}":
            depth -= 1
            if depth == 0:
                return text[begin:at]
        at += 1


def shown(literal):
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal)).replace('\\"', '"')
    return re.sub(r"\{[^}]*\}", "…", text).strip()


def texts(file, calls):
    """Sentences in the arguments of `calls`, with their lines."""
    text = re.sub(r"^\s*//.*$", "", file.read_text(), flags=re.M)
    for match in re.finditer("|".join(CALLS[name] for name in calls), text):
        begin = match.start(match.lastindex)
        for literal in re.findall(LITERALS, call(text, begin)):
            yield shown(literal), text[:match.start()].count("\n") + 1
    if "reasons" in calls:
        for match in re.finditer(rf"(?:constexpr char k\w+\[\] =|\breturn)\s*({LITERALS});", text):
            yield shown(match.group(1)), text[:match.start()].count("\n") + 1


def messages():
    """{text: place}"""
    found = {}
    for folder in FOLDERS:
        for file in sorted((SOURCE / folder).rglob("*.cc")):
            name = str(file.relative_to(SOURCE))
            calls = ["Say"] if folder == "command" else ["Complain"]
            calls += ["reasons"] * name.startswith(REASONS) + ["warnings"] * (folder == "markers")
            found |= {text: f"{name}:{line}" for text, line in texts(file, calls)
                      if len(text.split()) >= LEAST_WORDS and text[0] not in ":;-"}
    return found


def main():
    spoken = messages()
    page = PAGE.read_text() if PAGE.exists() else ""
    entries = re.findall(r"^\*\*`(.*)`\*\*$", re.sub(r"(?<=[^\n`])\n(?=[^\n])", " ", page), re.M)
    for text in sorted(set(spoken) - set(entries)):
        print(f"{spoken[text]}: {PAGE.name} has no entry for: {text}")
    for text in sorted(set(entries) - set(spoken)):
        print(f"{PAGE.name}: nothing says: {text}")
    if set(entries) != set(spoken) or len(entries) != len(set(entries)):
        return 1
    print(f"ok: {len(spoken)} messages")
    return 0


sys.exit(main())
