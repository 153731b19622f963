#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# apply_test.sh ROOT: does every patch of docs/extending apply to the sources as they are? Changes nothing. Fails as
# well if a patch could be applied in reverse (it would be part of the sources), or if there are none.
set -uo pipefail
cd "$1"
command -v patch >/dev/null || { echo "SKIP: patch is not installed (Debian: patch)"; exit 77; }
shopt -s nullglob
patches=(docs/extending/*.patch)
[ ${#patches[@]} -gt 0 ] || { echo "no patch in docs/extending"; exit 1; }
status=0
for patch in "${patches[@]}"; do
  said=$(patch --dry-run --forward --batch --fuzz=0 -p1 <"$patch" 2>&1) ||
    { echo "$patch does not apply:"; echo "$said"; status=1; }
  grep -q "(${patch##*/})" docs/extending/README.md || { echo "$patch is not in docs/extending/README.md"; status=1; }
done
exit $status
