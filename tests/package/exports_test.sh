#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# exports_test.sh LIBRARY EXPECTED: the library exports exactly the names in EXPECTED.
set -euo pipefail
diff <(grep -v '^#' "$2" | sort) <(nm -D --defined-only "$1" | awk '{print $3}' | sort) ||
  { echo "FAILED: exported names (left: expected, right: found)" >&2; exit 1; }
echo "ok"
