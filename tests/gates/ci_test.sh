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
  echo "gates: $* $ROOFMARK_GATES $((ROOFMARK_GATES_END - $(date +%s)))"
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
ends 0 0 0
grep -Eq '^gates: -L long --verbose short 10[5-8][0-9]$' "$folder/out" || fail "not 18 minutes"
[ "$(tail -n 1 "$folder/out")" = "100% tests passed" ] || fail "the summary does not close"
ends 8 8 0
[ "$(tail -n 1 "$folder/out")" = "100% tests passed" ] || fail "the summary does not close"
ends 5 0 5
ends 8 8 5
ends 9 9 0  # what does not build has no summary, and no gates
! grep -q gates: "$folder/out" || fail "gates without tests"
# An hour is nearly over.
sed -i 's/^status=0$/status=0 SECONDS=3280/' "$folder/.ci/run"
ends 0 0 0
grep -Eq '^gates: .* short (20|1?[0-9]|-[0-9]+)$' "$folder/out" || fail "more time than there is"
sed -i 's/SECONDS=3280/SECONDS=4000/' "$folder/.ci/run"
ends 0 0 0
! grep -q '^gates:' "$folder/out" || fail "gates after the hour"
[ "$(tail -n 1 "$folder/out")" = "100% tests passed" ] || fail "the summary does not close"
# A gate that never ends, and has time enough to begin on a busy machine.
sed -i 's/SECONDS=4000/SECONDS=3294/; s/left + 120/left + 2/' "$folder/.ci/run"
NEVER=1 ends 0 0 0
grep -q 'did not heed their end' "$folder/out" || fail "gates without an end"
[ "$(tail -n 1 "$folder/out")" = "100% tests passed" ] || fail "the summary does not close"
echo "ok"
