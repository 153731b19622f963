# SPDX-License-Identifier: BSD-3-Clause
#
# Sourced by x86 and arm.

# Runs a program that lies in the cache, or needs one that does.
use_cache() {
  LD_LIBRARY_PATH=$cache/host/usr/lib/x86_64-linux-gnu:$cache/host/lib/x86_64-linux-gnu "$@"
}

# emulate SECONDS CONSOLE QEMU ARGUMENTS: the guest switches itself off; one that does not is ended.
emulate() {
  local limit=$1 console=$2 status=0
  shift 2
  local emulator=$cache/host/usr/bin/$1
  [ -x "$emulator" ] || emulator=$(command -v "$1")  # installed: then it was not downloaded
  shift
  use_cache timeout "$limit" "$emulator" -L "$cache/host/usr/share/qemu" \
    -L "$cache/host/usr/share/seabios" -L /usr/share/qemu -L /usr/share/seabios \
    -nodefaults -display none -monitor none -no-reboot -serial "file:$console" "$@" \
    >"$console.emulator" 2>&1 || status=$?
  if [ $status != 0 ]; then
    echo "the emulator ended with status $status; its last words and the guest's:"
    grep -v "TCG doesn't support" "$console.emulator" | tail -n 5
    tail -n 20 "$console"
    exit 1
  fi
}
