#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# sanitizer.sh PRESET ROOT LABEL SHORT: builds the tests of the group LABEL with the preset of a
# sanitizer and passes them. With ROOFMARK_GATES=short it takes the group SHORT, ends at
# ROOFMARK_GATES_END (seconds since 1970), and is skipped (77) if not all has passed by then.
set -euo pipefail
preset=$1 root=$2 label=$3
if [ "${ROOFMARK_GATES:-}" = short ]; then label=$4; fi
cd "$root"
log=build/$preset.log
mkdir -p build

in_time() { # COMMAND...: into the log, until the end; skips the gate if that comes first
  local status=0 left=7200
  if [ "${ROOFMARK_GATES:-}" = short ] && [ -n "${ROOFMARK_GATES_END:-}" ]; then
    left=$((ROOFMARK_GATES_END - $(date +%s)))
  fi
  if [ "$left" -gt 0 ]; then timeout "$left" "$@" >>"$log" 2>&1 || status=$?; else status=124; fi
  if [ "$status" = 124 ]; then
    echo "SKIP: the time for the gates was over before the end of: $*"
    tail -n 1 "$log"
    exit 77
  fi
  return "$status"
}

: >"$log"
{ in_time cmake --preset "$preset" && in_time cmake --build --preset "$preset" --target "${label}_tests"; } ||
  { tail -n 40 "$log"; exit 1; }
echo "built after $SECONDS s"
: >"$log"
in_time ctest --preset "$preset" -L "$label" -j "$(nproc)" ||
  { grep -A 60 '\*\*\*Failed' "$log" | sed -n '1,400p'; sed -n '/tests passed/,$p' "$log"; exit 1; }
sed -n '/tests passed/,$p' "$log"
echo "ended after $SECONDS s"
