# SPDX-License-Identifier: BSD-3-Clause
#
# Sourced by x86 and arm.

cached_libraries() { echo "$cache/host/usr/lib/x86_64-linux-gnu:$cache/host/lib/x86_64-linux-gnu"; }

# Runs a program that lies in the cache, or needs one that does.
use_cache() { LD_LIBRARY_PATH=$(cached_libraries) "$@"; }

# emulate SECONDS CONSOLE QEMU ARGUMENTS: the guest switches itself off; one that does not is ended.
# A guest's kernel needs some seconds to start. Seldom one stands still there for ever, which is the
# emulator's: it is started again, twice at most.
emulate() {
  local limit=$1 console=$2 attempt emulated status
  shift 2
  local emulator=$cache/host/usr/bin/$1
  [ -x "$emulator" ] || emulator=$(command -v "$1")  # installed: then it was not downloaded
  shift
  for attempt in 1 2 3; do
    : >"$console"
    LD_LIBRARY_PATH=$(cached_libraries) timeout "$limit" "$emulator" -L "$cache/host/usr/share/qemu" \
      -L "$cache/host/usr/share/seabios" -L /usr/share/qemu -L /usr/share/seabios \
      -nodefaults -display none -monitor none -no-reboot -serial "file:$console" "$@" \
      >"$console.emulator" 2>&1 &
    emulated=$! status=0
    if ! comes_up "$emulated" "$console" && [ $attempt != 3 ]; then
      echo "the guest's kernel stood still while it started; once more"
      kill "$emulated" 2>/dev/null || true
      wait "$emulated" || true
      continue
    fi
    wait "$emulated" || status=$?
    break
  done
  if [ $status != 0 ]; then
    echo "the emulator ended with status $status; its last words and the guest's:"
    grep -v "TCG doesn't support" "$console.emulator" | tail -n 5
    tail -n 20 "$console"
    exit 1
  fi
}

# comes_up PROCESS CONSOLE: waits until the guest says that it is up, for ${GUEST_STARTS_IN:-90} s.
# False if it does not, but for an emulator that has ended.
comes_up() {
  local second
  for ((second = 0; second < ${GUEST_STARTS_IN:-90}; ++second)); do
    if grep -qa ' up after ' "$2" || ! kill -0 "$1" 2>/dev/null; then return 0; fi
    sleep 1
  done
  return 1
}
