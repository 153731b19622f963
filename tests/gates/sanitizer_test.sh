#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# sanitizer_test.sh ROOT: what the gate of a sanitizer builds and passes, and what its failures say.
# cmake and ctest are played.
set -euo pipefail
gate=$1/tests/gates/sanitizer.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() { echo "$*"; cat "$folder/out"; exit 1; }
expect() { # STATUS TEXT VARIABLES...
  local wanted=$1 text=$2 status=0
  shift 2
  env PATH="$folder/bin:$PATH" "$@" "$gate" asan "$folder/root" whole part >"$folder/out" 2>&1 || status=$?
  [ "$status" = "$wanted" ] || fail "status $status instead of $wanted: $*"
  grep -q "$text" "$folder/out" || fail "no '$text': $*"
}

mkdir "$folder/bin" "$folder/root"
for tool in cmake ctest; do
  printf '#!/bin/sh\necho "%s $*" | tee -a %s/asked\nexit ${ENDS_WITH:-0}\n' "$tool" "$folder" >"$folder/bin/$tool"
  chmod +x "$folder/bin/$tool"
done
expect 0 'ended after' ROOFMARK_GATES=short
grep -q 'cmake --build --preset asan --target part_tests' "$folder/asked" || fail "$(cat "$folder/asked")"
grep -q 'ctest --preset asan -L part' "$folder/asked" || fail "$(cat "$folder/asked")"
expect 0 'ended after' ROOFMARK_GATES=
grep -q 'ctest --preset asan -L whole' "$folder/asked" || fail "$(cat "$folder/asked")"
expect 1 'cmake --preset' ENDS_WITH=3
printf '#!/bin/sh\nkill -KILL $$\n' >"$folder/bin/ctest"
expect 1 'SIGKILL ended: .*ctest --preset asan' ROOFMARK_GATES=short
echo "ok"
