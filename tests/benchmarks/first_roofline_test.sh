#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# first_roofline_test.sh ROOT BIN: the cost of the first roofline is measured and shown, for a stand-in of
# one of the codes. BIN has `roofmark`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
checkout=$folder/checkouts/XSBench/openmp-threading
mkdir -p "$checkout"
cat >"$checkout/XSBench.c" <<'C'
static double sum[1000];
int main(void) {
  for (int i = 0; i < 400000; ++i)
    for (int k = 0; k < 1000; ++k) sum[k] += k;
  return sum[1] < 0 ? 2 : 1;
}
C
printf 'XSBench: XSBench.c\n\t$(CC) $(CFLAGS) -o $@ $< $(LDFLAGS)\n' >"$checkout/Makefile"

PATH=$2:$PATH "$1/benchmarks/first_roofline/first_roofline" "$folder/checkouts" "$folder/out" --small \
  --rounds 1 --options=--no-machine >"$folder/shown" || { cat "$folder/shown" "$folder"/out/runs/*/*/output.txt; exit 1; }
for way in all flops; do
  grep -Eq "^\| XSBench \| 1 x 1 \| $way \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \| [1-9]" "$folder/shown" ||
    { cat "$folder/shown"; exit 1; }
done
grep -q '^flops: memory over native, median ' "$folder/shown"
! "$1/benchmarks/first_roofline/first_roofline" "$folder" "$folder/out" 2>"$folder/why"
grep -q 'has no checkout of hpcg, LULESH' "$folder/why"
echo "ok"
