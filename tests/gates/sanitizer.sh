#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# sanitizer.sh PRESET ROOT TARGET: builds TARGET with the preset of a sanitizer and passes its tests.
set -euo pipefail
preset=$1 root=$2 target=$3
cd "$root"
log=build/$preset.log
mkdir -p build
{ cmake --preset "$preset" && cmake --build --preset "$preset" --target "$target"; } >"$log" 2>&1 ||
  { tail -n 40 "$log"; exit 1; }
echo "built after $SECONDS s"
ctest --preset "$preset" -j "$(nproc)" >"$log" 2>&1 ||
  { grep -A 60 '\*\*\*' "$log" | head -n 400; sed -n '/tests passed/,$p' "$log"; exit 1; }
sed -n '/tests passed/,$p' "$log"
