#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# ci_test.sh ROOT: what .ci/run makes of the end of ./test and of the gates. ./test is played.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/.ci" "$folder/build/dev"
cp "$1/.ci/run" "$folder/.ci/run"
cat >"$folder/test" <<'PLAYED'
#!/bin/sh
if [ $# = 0 ] && env | grep '^ROOFMARK'; then exit 7; fi  # a setting to the library
if [ $# -gt 0 ]; then
  echo "gates: $* $ROOFMARK_GATES"
  [ -z "${NEVER:-}" ] || sleep 100
  exit "$GATES"
fi
[ "$TESTS" = 9 ] || echo "100% tests passed" >build/dev/summary.txt
exit "$TESTS"
PLAYED
cat >"$folder/.ci/setup" <<'PLAYED'
#!/bin/sh
[ "$*" = --with-slurm ]
PLAYED
chmod +x "$folder/test" "$folder/.ci/setup"

fail() { echo "$*"; cat "$folder/out"; exit 1; }
ends() { # STATUS TESTS GATES
  local status=0
  TESTS=$2 GATES=$3 "$folder/.ci/run" >"$folder/out" 2>&1 || status=$?
  [ "$status" = "$1" ] || fail "tests ended with $2, gates with $3: $status instead of $1"
}
closes() { [ "$(tail -n 1 "$folder/out")" = "100% tests passed" ] || fail "the summary does not close"; }
ends 0 0 0
grep -q '^gates: -L long -E .* --verbose short$' "$folder/out" || fail "gates are asked for otherwise"
closes
ends 8 8 0
closes
ends 5 0 5
ends 8 8 5
ends 9 9 0  # what does not build has no summary, and no gates
! grep -q gates: "$folder/out" || fail "gates without tests"
# There is no time left for a gate.
sed -i 's/^status=0$/status=0 SECONDS=5200/' "$folder/.ci/run"
ends 124 0 0
! grep -q '^gates:' "$folder/out" || fail "gates after the end"
closes
# A gate that never ends, and has time enough to begin on a busy machine.
sed -i 's/SECONDS=5200/SECONDS=5097/' "$folder/.ci/run"
NEVER=1 ends 124 0 0
grep -q 'which is a failure' "$folder/out" || fail "nothing is said of the end"
closes
echo "ok"
