#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# exports_test.sh LIBRARY EXPECTED [PATTERN]: the library exports exactly the names in EXPECTED, each
# of which has a reason there; its own in a version node, those that it interposes in none. Names
# that match PATTERN are not expected: this library was built without what they are for.
set -euo pipefail
fail() { echo "FAILED: $*" >&2; exit 1; }
expected=$(grep -v '^#' "$2" | grep . | grep -vE "${3:-^$}")
unreasoned=$(awk 'NF < 4' <<<"$expected")
[ -z "$unreasoned" ] || fail "without a reason: $unreasoned"
# The node itself is an absolute symbol.
found=$(nm -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }')
diff <(awk '{ print $1 }' <<<"$expected" | sort) <(sed 's/@.*//' <<<"$found" | sort) ||
  fail "exported names (left: expected, right: found)"
wrong=$(grep '^roofmark_' <<<"$found" | grep -vE '@@ROOFMARK_[0-9]+\.[0-9]+$' || true)
[ -z "$wrong" ] || fail "in no version node: $wrong"
wrong=$(grep -v '^roofmark_' <<<"$found" | grep @ || true)
[ -z "$wrong" ] || fail "in a version node, so that they do not interpose: $wrong"
echo "ok"
