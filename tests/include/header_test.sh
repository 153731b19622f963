#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# header_test.sh INCLUDE_DIR WHAT: compiles small programs against the public headers by every
# compiler that is there. WHAT is `warnings` (there is none), `literals` (a name that is no literal is
# an error which names the function to use), `disabled` (with ROOFMARK_DISABLE a program links without
# the library) or `fortran` (both modules have the same interface; the disabled one needs no library).
set -uo pipefail
include=$1
what=$2
programs=$(cd "$(dirname "$0")" && pwd)/programs
work=$(mktemp -d /tmp/roofmark-header-XXXXXX)
trap 'rm -rf "$work"' EXIT
failures=0
checks=0

fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

# For each compiler and standard: `$1 COMPILER LANGUAGE STANDARD`.
for_each() {
  local compiler standard
  for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for standard in c99 c11 c17; do "$1" $compiler c $standard; done
  done
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for standard in c++11 c++14 c++17 c++20; do "$1" $compiler c++ $standard; done
  done
}

# Left out of -Weverything: what speaks of C++98, of padding in the program's own types, and of C89.
all_warnings() {
  echo -Werror -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef
  case $1:$2 in
    *:c) echo -Wmissing-prototypes -Wstrict-prototypes ;;
    *) echo -Wold-style-cast -Wzero-as-null-pointer-constant -Wnon-virtual-dtor ;;
  esac
  case $1 in clang*) echo -Weverything -Wno-c++98-compat -Wno-c++98-compat-pedantic -Wno-padded \
    -Wno-declaration-after-statement ;; esac
}

program_of() { [ $1 = c ] && echo "$programs/uses_all.c" || echo "$programs/uses_all.cc"; }

warnings() {
  local flags
  for flags in "" -fopenmp -DROOFMARK_DISABLE; do
    # Not as a system header: there compilers are silent.
    $1 -std=$3 $(all_warnings $1 $2) $flags -I"$include" -c "$(program_of $2)" -o "$work/o" \
      2>"$work/err" || fail "$1 -std=$3 $flags warns: $(cat "$work/err")"
    checks=$((checks + 1))
  done
}

# `reject COMPILER LANGUAGE STANDARD STATEMENT FUNCTION`
reject() {
  local header=roofmark.h flags
  [ $2 = c++ ] && header=roofmark.hpp
  printf '#include <roofmark/%s>\nvoid f(const char* name);\nvoid f(const char* name) {\n  (void)name;\n  %s;\n}\n' \
    $header "$4" >"$work/snippet"
  for flags in "" $([[ $3 = *11 ]] && echo -DROOFMARK_DISABLE); do
    $1 -std=$3 $flags -I"$include" -x $2 -fsyntax-only "$work/snippet" 2>"$work/err" &&
      fail "$1 -std=$3 $flags accepts $4"
    grep -q "$5" "$work/err" || fail "$1 -std=$3 $flags, $4: no word of $5: $(cat "$work/err")"
    checks=$((checks + 1))
  done
}

literals() {
  reject $1 $2 $3 'ROOF_REGION_BEGIN(name)' roofmark_begin
  reject $1 $2 $3 'ROOF_REGION_END(name)' roofmark_end
  reject $1 $2 $3 'ROOF_REGION_BEGIN(__func__)' roofmark_begin
  reject $1 $2 $3 'ROOF_REGION_OPERATIONS(name, 1)' roofmark_operations
  [ $2 = c++ ] && reject $1 $2 $3 'ROOF_REGION_SCOPE(name)' roofmark_begin
}

# Not optimised: nothing is left out that is called.
disabled() {
  $1 -std=$3 -O0 -DROOFMARK_DISABLE -I"$include" "$(program_of $2)" -o "$work/program" \
    2>"$work/err" || { fail "$1 -std=$3 with ROOFMARK_DISABLE: $(cat "$work/err")"; return; }
  nm -u "$work/program" | grep -i roof && fail "$1 -std=$3: undefined symbols with ROOFMARK_DISABLE"
  ROOFMARK=on "$work/program" || fail "$1 -std=$3: the program ends with $?"
  checks=$((checks + 1))
}

fortran() {
  command -v gfortran >/dev/null || return
  local module
  for module in roofmark roofmark_disabled; do
    mkdir -p "$work/$module"
    # Dummies of the disabled module are not used, of course.
    (cd "$work/$module" && gfortran -std=f2018 -Wall -Wextra -Wno-unused-dummy-argument -Werror \
       -c "$include/roofmark/$module.f90" "$programs/uses_all.f90") 2>"$work/err" ||
      fail "$module.f90: $(cat "$work/err")"
    checks=$((checks + 1))
  done
  gfortran "$work"/roofmark_disabled/*.o -o "$work/program" 2>"$work/err" ||
    fail "roofmark_disabled.f90 needs a library: $(cat "$work/err")"
  "$work/program" || fail "the Fortran program ends with $?"
}

if [ "$what" = fortran ]; then fortran; else for_each "$what"; fi
[ $checks -gt 0 ] || { echo "no compiler was found"; exit 77; }
[ $failures = 0 ] && echo "ok: $checks checks"
exit $((failures > 0))
