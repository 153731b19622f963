#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""manual_test.py ROOFMARK KIND: what `roofmark manual` writes agrees with `--help`. KIND is man, bash,
zsh or fish; the last three ask the shell itself what it completes. Skipped where it is missing."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

COMMAND, KIND = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2]


def output(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def options_of(text):
    """{names} of each line of help that begins with an option: `-o,--output FILE`."""
    names = set()
    for line in re.findall(r"^  (-\S+)", text, re.M):
        names |= {re.sub(r"[\[{=].*", "", name) for name in line.split(",")}
    return names


def helps():
    """Subcommand ("" for none) -> its options."""
    text = output(COMMAND, "--help")
    subcommands = re.findall(r"^  (\w+) ", text.split("Subcommands:")[1], re.M)
    assert len(subcommands) > 10 and "manual" not in subcommands, subcommands
    return {"": options_of(text), **{name: options_of(output(COMMAND, name, "--help")) for name in subcommands}}


def in_man(folder, name):
    page = folder / f"man/man1/roofmark{'-' + name if name else ''}.1"
    if shutil.which("man"):  # groff has nothing to say against it
        said = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], capture_output=True,
                              text=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "100"}).stderr
        assert not said, f"{page}: {said}"
    entries = re.findall(r"^\.TP\n(\\fB.*)", page.read_text(), re.M)
    return {name.replace("\\-", "-") for entry in entries for name in re.findall(r"\\fB(\\-.*?)\\fR", entry)}


def in_bash(folder, name):
    words = f"roofmark {name} -".split()
    script = f"""source {folder}/bash-completion/completions/roofmark
      COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _roofmark; printf '%s\\n' "${{COMPREPLY[@]}}" """
    return set(output("bash", "-c", script).split())


def in_fish(folder, name):
    found = set()
    for dash in ("-", "--"):
        script = f"source {folder}/fish/vendor_completions.d/roofmark.fish; complete -C 'roofmark {name} {dash}'"
        found |= {line.split("\t")[0] for line in output("fish", "--no-config", "-c", script).splitlines()}
    return found


def in_zsh(folder, name):
    """zsh completes on a terminal only: its functions are replaced by some that show their arguments."""
    script = f"""
      _arguments() {{
        if [[ $1 == -C ]]; then [[ -n "{name}" ]] && state=rest words=({name}) && return; fi
        printf '%s\\n' "$@"
      }}
      _describe() {{ :; }}
      source {folder}/zsh/vendor-completions/_roofmark"""
    found = output("zsh", "-f", "-c", script)
    return {re.sub(r"\[.*", "", line) for line in found.splitlines() if re.match(r"--?\w", line) and "[" in line}


def main():
    if KIND != "man" and not shutil.which(KIND):
        print(f"SKIPPED: {KIND} is not installed")
        return 77
    listed = {"man": in_man, "bash": in_bash, "zsh": in_zsh, "fish": in_fish}[KIND]
    with tempfile.TemporaryDirectory(prefix="roofmark-manual-") as name:
        folder = pathlib.Path(name)
        output(COMMAND, "manual", folder)
        for subcommand, options in helps().items():
            found = {word for word in listed(folder, subcommand) if word.startswith("-")}
            assert found == options, f"{subcommand or 'roofmark'}: {KIND} alone {sorted(found - options)}, help alone {sorted(options - found)}"
        if KIND == "man":
            page = (folder / "man/man7/roofmark-settings.7").read_text()
            variables = set(re.findall(r"^(ROOFMARK\w*) = ", output(COMMAND, "settings"), re.M))
            assert variables == set(re.findall(r"^\\fB(ROOFMARK\w*)\\fR", page, re.M)) and variables
        if KIND == "bash":
            script = f"""source {folder}/bash-completion/completions/roofmark
              COMP_WORDS=(roofmark run --collector ""); COMP_CWORD=3; _roofmark; echo "${{COMPREPLY[@]}}" """
            assert "counting" in output("bash", "-c", script).split()
    print("ok")
    return 0


sys.exit(main())
