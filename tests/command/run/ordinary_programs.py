#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""ordinary_programs.py ROOFMARK [NAME ...]: programs that everybody has print, write and return the same under
`roofmark run --auto` as natively.

Each is executed natively, and under roofmark with another folder for what it writes. Its standard output, its status
and its files are compared byte by byte. A program that is not installed is named and skipped. With
ROOFMARK_GATES=short the first six are taken. Exits with 1 if one differs, and with 77 if nothing was tried."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOFMARK = pathlib.Path(sys.argv[1]).resolve()
SHORT = 6
LIMIT_S = 600

SQL = """
create table t(a integer primary key, b real, c text);
with recursive n(i) as (select 1 union all select i+1 from n where i < 60000)
  insert into t select i, i * 0.37, printf('row %d', i * 7919 % 60000) from n;
create index by_text on t(c);
select count(*), round(sum(b), 3), min(c), max(c) from t;
select c, count(*) from t where c like 'row 1%7' group by substr(c, 1, 6) order by 2 desc, 1 limit 9;
"""
PYTHON = """
import hashlib, json, math, re, zlib
rows = [{"n": i, "r": math.sin(i) * i ** 0.5, "s": str(i * 7919 % 1009)} for i in range(30000)]
text = json.dumps(rows, sort_keys=True)
words = re.findall(r"[0-9]{3,}", text)
print(len(text), hashlib.sha256(text.encode()).hexdigest(), len(words))
print(zlib.crc32(zlib.compress(text.encode(), 6)), math.fsum(row["r"] for row in rows))
raise SystemExit(3)
"""
PERL = """
my %seen; my $sum = 0;
for my $i (1 .. 200000) { my $k = ($i * 7919) % 1013; $seen{"k$k"} += sqrt($i); $sum += $i / 3 if "$k" =~ /7$/; }
printf "%s %.6f\\n", $_, $seen{$_} for (sort keys %seen)[0 .. 9];
printf "%.6f\\n", $sum;
"""
C = """
#include <math.h>
#include <stdio.h>
int main(void) {
  double sum = 0;
  for (int i = 1; i < 100000; ++i) sum += sqrt(i) / (1 + i % 7);
  printf("%.9f\\n", sum);
  return sum > 0;
}
"""
AWK = ("{ n[$1 % 97] += $2; s = s $1 % 10 } "
       'END { for (i = 0; i < 97; ++i) printf "%d %.4f\\n", i, n[i]; print length(s) }')
TCL = """
set sum 0.0
for {set i 1} {$i < 100000} {incr i} { set sum [expr {$sum + sqrt($i)}]; lappend l [expr {$i * 7919 % 1009}] }
puts "$sum [lrange [lsort -integer $l] 5000 5009]"
exit 5
"""
JAVASCRIPT = """
let sum = 0, seen = new Map();
for (let i = 1; i < 1000000; ++i) { sum += Math.sqrt(i); seen.set(i % 1013, (seen.get(i % 1013) || 0) + i); }
console.log(sum.toFixed(6), [...seen.values()].slice(0, 5).join(" "));
"""

# Name: its arguments, with {in} for the folder of inputs; all run in the folder that they write to.
PROGRAMS = {
    "xz": ["xz", "-c", "-T2", "-2", "{in}/text"],
    "zstd": ["zstd", "-q", "-f", "-T2", "-9", "{in}/text", "-o", "text.zst"],
    "sqlite3": ["sqlite3", ":memory:", ".read {in}/rows.sql"],
    "python3": ["/usr/bin/python3", "-S", "{in}/rows.py"],
    "perl": ["perl", "{in}/rows.pl"],
    "openssl": ["openssl", "dgst", "-sha512", "{in}/text"],
    "gcc": ["gcc", "-O2", "-c", "{in}/sum.c", "-o", "sum.o"],
    "awk": ["awk", AWK, "{in}/numbers"],
    "sort": ["sort", "--parallel=2", "-S", "4M", "-k2,2n", "{in}/numbers"],
    "grep": ["grep", "-c", "-E", "^(7|19)[0-9]*3 ", "{in}/numbers"],
    "sed": ["sed", "-n", "-E", "s/([0-9]+)7 (.*)/\\2:\\1/p", "{in}/numbers"],
    "tar": ["tar", "--mtime=@0", "--owner=0", "--group=0", "-C", "{in}", "-cf", "all.tar", "text", "numbers"],
    "bzip2": ["bzip2", "-k", "-c", "{in}/numbers"],
    "gzip": ["gzip", "-n", "-c", "-9", "{in}/text"],
    "bc": ["bc", "-l", "{in}/pi.bc"],
    "tclsh": ["tclsh", "{in}/sum.tcl"],
    "git": ["git", "diff", "--no-index", "--stat", "{in}/numbers", "{in}/others"],
    "node": ["node", "{in}/sum.js"],
    "octave": ["octave-cli", "--norc", "-q", "--eval", "A = reshape(mod((1:90000) * 7919, 1009), 300, 300); "
               "printf('%.6e\\n', norm(A * A'), sum(svd(A(1:60, 1:60)))); exit(4)"],
    "lmp": ["lmp", "-log", "none", "-in", "{in}/melt.lmp"],
}


def write_inputs(folder):
    numbers = [f"{i * 7919 % 100003} {i * 31 % 977}.{i % 10}" for i in range(60000)]
    text = "\n".join(" ".join(numbers[i * 13 % 59000:][:9]) for i in range(9000))
    others = [line.replace("7 ", "8 ") if i % 50 == 0 else line for i, line in enumerate(numbers)]
    melt = ("units lj\nlattice fcc 0.8442\nregion box block 0 6 0 6 0 6\ncreate_box 1 box\ncreate_atoms 1 box\n"
            "mass 1 1.0\nvelocity all create 3.0 87287\npair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0 2.5\n"
            "fix 1 all nve\nthermo 50\ntimer off\nrun 100\n")
    for name, content in {"text": text, "numbers": "\n".join(numbers) + "\n", "others": "\n".join(others) + "\n",
                          "rows.sql": SQL, "rows.py": PYTHON, "rows.pl": PERL, "sum.c": C, "sum.tcl": TCL,
                          "sum.js": JAVASCRIPT, "pi.bc": "scale = 300; 4 * a(1); quit\n", "melt.lmp": melt}.items():
        (folder / name).write_text(content)


def execute(command, folder):
    """What it returned, printed to standard output, and wrote; how long that took; and its standard error."""
    folder.mkdir()
    began = time.monotonic()
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S,
                          env={**os.environ, "LC_ALL": "C", "TZ": "UTC"}, check=False)
    files = {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    return {"status": done.returncode, "output": done.stdout, "files": files}, time.monotonic() - began, done.stderr


def differences(native, counted):
    """What is not the same, in words."""
    words = []
    if native["status"] != counted["status"]:
        words.append(f"status {native['status']} natively, {counted['status']} under roofmark")
    if native["output"] != counted["output"]:
        words.append(f"other output: {len(native['output'])} bytes natively, {len(counted['output'])} under roofmark")
    for name in sorted(native["files"].keys() | counted["files"].keys()):
        if native["files"].get(name) != counted["files"].get(name):
            words.append(f"file {name} differs, or one of them lacks it")
    return words


def attempt(name, inputs, folder):
    command = [argument.replace("{in}", str(inputs)) for argument in PROGRAMS[name]]
    native, native_s, _ = execute(command, folder / "native")
    file = folder / "run.json"
    under = [ROOFMARK, "run", "--auto", "--ignore-status", "--no-machine", "--no-report", "-o", file, "--"]
    counted, counted_s, said = execute(under + command, folder / "counted")
    words = differences(native, counted)
    if not file.exists():
        words.append("no file was written")
    print(f"{name}: {native_s:.2f} s natively, {counted_s:.2f} s: {'; '.join(words) or 'the same'}", flush=True)
    if words:
        print(said.decode(errors="replace")[-4000:])
    return not words


def main():
    wanted = sys.argv[2:] or list(PROGRAMS)
    missing = [name for name in wanted if not shutil.which(PROGRAMS[name][0])]
    wanted = [name for name in wanted if name not in missing]
    if os.environ.get("ROOFMARK_GATES") == "short":
        wanted = wanted[:SHORT]
    if missing:
        print("not installed:", *missing)
    if not wanted:
        return 77
    with tempfile.TemporaryDirectory(prefix="ordinary-") as name:
        folder = pathlib.Path(name)
        inputs = folder / "in"
        inputs.mkdir()
        write_inputs(inputs)
        same = []
        for name in wanted:
            (folder / name).mkdir()
            same.append(attempt(name, inputs, folder / name))
    print(f"{sum(same)} of {len(same)} programs are the same")
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
