#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# sanitizer.sh PRESET ROOT LABEL SHORT: builds the tests of the group LABEL with the preset of a
# sanitizer and passes them. With ROOFMARK_GATES=short it takes the group SHORT, ends at
# ROOFMARK_GATES_END (seconds since 1970), and is skipped (77) if not all has passed by then.
set -euo pipefail
preset=$1 root=$2 label=$3
if [ "${ROOFMARK_GATES:-}" = short ]; then label=$4; fi
source "$(dirname "$0")/in_time.sh"
cd "$root"
log=build/$preset.log
mkdir -p build

: >"$log"
{ in_time cmake --preset "$preset" && in_time cmake --build --preset "$preset" --target "${label}_tests"; } ||
  { tail -n 40 "$log"; exit 1; }
echo "built after $SECONDS s"
: >"$log"
in_time env -u ROOFMARK_GATES -u ROOFMARK_GATES_END ctest --preset "$preset" -L "$label" -j "$(nproc)" ||
  { grep -A 60 '\*\*\*Failed' "$log" | sed -n '1,400p'; sed -n '/tests passed/,$p' "$log"; exit 1; }
sed -n '/tests passed/,$p' "$log"
echo "ended after $SECONDS s"
