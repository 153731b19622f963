#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# aarch64_test.sh ROOT: the kernels of the ceilings, built for AArch64, compute what they must under
# emulation of a core with NEON only and of one with SVE and half precision. Needs
# g++-aarch64-linux-gnu, qemu-user-static and libhwy-dev:arm64.
set -euo pipefail
root=$1
compiler=aarch64-linux-gnu-g++
emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
library=/usr/lib/aarch64-linux-gnu/libhwy.so
for needed in "$(command -v $compiler || echo)" "$emulator" "$(ls $library 2>/dev/null || true)"; do
  if [ -z "$needed" ]; then
    echo "SKIP: needs g++-aarch64-linux-gnu, qemu-user-static and libhwy-dev:arm64"
    exit 77
  fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
machine=$root/benchmarks/machine
sources="$machine/compute_kernels.cc $machine/compute_check.cc $machine/mix_kernels.cc
  $machine/narrow_kernels.cc $machine/memory_kernels.cc $machine/memory_check.cc
  $machine/ladder_kernels.cc $machine/memory_load.cc $machine/buffer.cc $root/lib/core/file.cc
  $root/tests/benchmarks/machine/programs/check_kernels.cc"
for source in $sources; do
  $compiler -std=c++20 -O2 -DFMT_HEADER_ONLY=1 -DHWY_SHARED_DEFINE -I"$root" -c "$source" \
    -o "$work/$(basename "$source" .cc).o"
done
$compiler "$work"/*.o -o "$work/check" -lhwy

for core in cortex-a57 max; do
  "$emulator" -L / -cpu $core "$work/check" >"$work/$core" || { cat "$work/$core"; exit 1; }
  echo "$core: $(wc -l <"$work/$core") kernels right"
done
# The larger core must have run more: half precision, and wider vectors.
grep -q "^hp fma" "$work/max"
! grep -q "^hp" "$work/cortex-a57"
grep -q "^dp fma lanes 8" "$work/max"
