#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# interposes_test.sh PROGRAM: the dynamic linker takes the library's pthread_create in place of the C
# library's, which has a version. It would not if the library's had one of its own.
set -euo pipefail
bindings=$(env -u ROOFMARK LD_DEBUG=bindings LD_BIND_NOW=1 "$1" threads 2>&1)
bound() { grep -q "binding file .*$1.* to .*/libroofmark\.so.*symbol .$2" <<<"$bindings"; }
# libgomp and libstdc++ ask for the version of the C library's.
bound "/lib[a-z+]*\.so" "pthread_create' \[GLIBC_" ||
  { echo "FAILED: pthread_create is not interposed" >&2; exit 1; }
bound "$(basename "$1")" "roofmark_site_begin' \[ROOFMARK_" ||
  { echo "FAILED: roofmark_site_begin is not bound by its version" >&2; exit 1; }
echo "ok"
