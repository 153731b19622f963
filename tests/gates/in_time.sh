# SPDX-License-Identifier: BSD-3-Clause
#
# For gates, to be sourced. in_time COMMAND...: executes it, with its output at the end of the file
# $log. With ROOFMARK_GATES=short it ends at ROOFMARK_GATES_END (seconds since 1970), and the gate is
# skipped (77). A command that SIGKILL ended found nothing: no test does that to what runs it. It is
# executed once more, and the kernel's last words say whether memory was short.

# The seconds until the end.
time_left() {
  if [ "${ROOFMARK_GATES:-}" = short ] && [ -n "${ROOFMARK_GATES_END:-}" ]; then
    echo $((ROOFMARK_GATES_END - $(date +%s)))
  else
    echo 7200
  fi
}

in_time() {
  local status attempt left
  for attempt in 1 2; do
    status=0 left=$(time_left)
    if [ "$left" -gt 0 ]; then timeout "$left" "$@" >>"$log" 2>&1 || status=$?; else status=124; fi
    if [ "$status" != 137 ] || [ "$attempt" = 2 ]; then break; fi
    echo "SIGKILL ended: $*; once more. The kernel's last words and the memory:"
    { dmesg 2>/dev/null || true; } | tail -n 3
    free -m
  done
  if [ "$status" = 124 ]; then
    echo "SKIP: the time for the gates was over before the end of: $*"
    tail -n 1 "$log"
    exit 77
  fi
  return "$status"
}
