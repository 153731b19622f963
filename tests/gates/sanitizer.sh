#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# sanitizer.sh PRESET ROOT LABEL SHORT: builds the tests of the group LABEL with the preset of a
# sanitizer and passes them. With ROOFMARK_GATES=short it takes the group SHORT. What SIGKILL ended has
# often left nothing to read, so that is said.
set -euo pipefail
preset=$1 root=$2 label=$3
if [ "${ROOFMARK_GATES:-}" = short ]; then label=$4; fi
cd "$root"
log=build/$preset.log
mkdir -p build

logged() {
  local status=0
  "$@" >>"$log" 2>&1 || status=$?
  [ "$status" != 137 ] || printf 'SIGKILL ended: %s; it had said:\n%s\n' "$*" "$(tail -n 5 "$log")"
  return "$status"
}

: >"$log"
{ logged cmake --preset "$preset" && logged cmake --build --preset "$preset" --target "${label}_tests"; } ||
  { tail -n 40 "$log"; exit 1; }
echo "built after $SECONDS s"
: >"$log"
logged env -u ROOFMARK_GATES ctest --preset "$preset" -L "$label" -j "$(nproc)" ||
  { grep -A 60 '\*\*\*Failed' "$log" | sed -n '1,400p'; sed -n '/tests passed/,$p' "$log"; exit 1; }
sed -n '/tests passed/,$p' "$log"
echo "ended after $SECONDS s"
