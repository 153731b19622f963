#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# end_test.sh ROOT BUILD PYTHON: a gate whose time is over before its turn does nothing, and is skipped
# with the reason. One that has time reads files, and its finding is its failure.
set -euo pipefail
root=$1 build=$2 python=$3
here=$root/tests/gates
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() { echo "$*"; cat "$folder/out"; exit 1; }
expect() { # STATUS TEXT COMMAND...
  local wanted=$1 text=$2 status=0
  shift 2
  "$@" >"$folder/out" 2>&1 || status=$?
  [ "$status" = "$wanted" ] || fail "status $status instead of $wanted: $*"
  grep -q "$text" "$folder/out" || fail "no '$text': $*"
}

export ROOFMARK_GATES=short
over=1 ahead=$(($(date +%s) + 3600))
expect 77 'SKIP: the time for the gates was over' \
  env ROOFMARK_GATES_END=$over "$python" "$here/each_file.py" clang "$build"

expect 77 'SKIP: the time for the gates was over' env ROOFMARK_GATES_END=$over "$root/tests/fuzz/run"

# A project of one group, whose preset says what it was asked.
mkdir "$folder/bin" "$folder/root"
for tool in cmake ctest; do
  printf '#!/bin/sh\necho "%s $*" | tee -a %s/asked\nexit ${ENDS_WITH:-0}\n' "$tool" "$folder" >"$folder/bin/$tool"
  chmod +x "$folder/bin/$tool"
done
sanitizer() { env PATH="$folder/bin:$PATH" "$@" "$here/sanitizer.sh" asan "$folder/root" whole part; }
expect 77 'SKIP: the time for the gates was over' sanitizer ROOFMARK_GATES_END=$over
[ ! -e "$folder/asked" ] || fail "something was built without time: $(cat "$folder/asked")"
expect 0 'ended after' sanitizer ROOFMARK_GATES_END=$ahead
grep -q 'cmake --build --preset asan --target part_tests' "$folder/asked" || fail "$(cat "$folder/asked")"
grep -q 'ctest --preset asan -L part' "$folder/asked" || fail "$(cat "$folder/asked")"
expect 0 'ended after' sanitizer ROOFMARK_GATES=
grep -q 'ctest --preset asan -L whole' "$folder/asked" || fail "$(cat "$folder/asked")"
expect 1 'cmake --preset' sanitizer ENDS_WITH=3
printf '#!/bin/sh\nkill -KILL $$\n' >"$folder/bin/ctest"
expect 1 'SIGKILL ended: .*ctest --preset asan' sanitizer ROOFMARK_GATES_END=$ahead
printf '#!/bin/sh\nsleep 30\n' >"$folder/bin/ctest"
expect 77 'before the end of: ' sanitizer ROOFMARK_GATES_END=$(($(date +%s) + 2))

expect 77 'before the end of: true' env ROOFMARK_GATES_END=$over "$here/until_end.sh" true
expect 0 'it did' env ROOFMARK_GATES_END=$ahead "$here/until_end.sh" echo 'it did'
expect 4 'ended' env ROOFMARK_GATES_END=$ahead "$here/until_end.sh" sh -c 'echo ended; exit 4'
echo "ok"
