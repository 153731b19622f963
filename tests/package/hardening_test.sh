#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# hardening_test.sh PREFIX: what lies there is linked and compiled as RoofmarkDefaults.cmake says.
# The counting tool is no part of it, except that its stack must not be executable either.
set -euo pipefail
failed=0
fail() { echo "FAILED: $1: $2" >&2; failed=1; }
files=0
while read -r file; do
  [ "$(head -c 4 "$file" | tr -d '\0')" = $'\x7fELF' ] || continue
  segments=$(readelf -lW "$file")
  grep -q 'GNU_STACK.* RW  *0x' <<<"$segments" || fail "$file" "executable stack"
  case $file in */valgrind/*) continue ;; esac
  files=$((files + 1))
  dynamic=$(readelf -dW "$file")
  symbols=$(readelf -sW --dyn-syms "$file")
  grep -q GNU_RELRO <<<"$segments" || fail "$file" "no RELRO"
  grep -q 'FLAGS.*BIND_NOW\|FLAGS_1.*NOW' <<<"$dynamic" || fail "$file" "bound lazily"
  grep -q TEXTREL <<<"$dynamic" && fail "$file" "relocations in code"
  case $file in
    */bin/roofmark)
      grep -q 'FLAGS_1.*PIE' <<<"$dynamic" || fail "$file" "its addresses are fixed"
      ;;&
    */bin/roofmark | */libroofmark.so.*)  # large enough to use both
      grep -q __stack_chk_fail <<<"$symbols" || fail "$file" "no stack protector"
      grep -q '__[a-z]*_chk@' <<<"$symbols" || fail "$file" "no fortified call"
      ;;
  esac
done < <(find "$1" -type f)
[ $files -ge 2 ] || fail "$1" "only $files programs and libraries"
exit $failed
