# SPDX-License-Identifier: BSD-3-Clause
#
# For gates, to be sourced. in_time COMMAND...: executes it, with its output at the end of the file
# $log. With ROOFMARK_GATES=short it ends at ROOFMARK_GATES_END (seconds since 1970), and the gate is
# skipped (77). What SIGKILL ended has often left nothing to read, so that is said.

# The seconds until the end.
time_left() {
  if [ "${ROOFMARK_GATES:-}" = short ] && [ -n "${ROOFMARK_GATES_END:-}" ]; then
    echo $((ROOFMARK_GATES_END - $(date +%s)))
  else
    echo 7200
  fi
}

in_time() {
  local status=0 left
  left=$(time_left)
  if [ "$left" -gt 0 ]; then timeout "$left" "$@" >>"$log" 2>&1 || status=$?; else status=124; fi
  if [ "$status" = 124 ]; then
    echo "SKIP: the time for the gates was over before the end of: $*"
    tail -n 1 "$log"
    exit 77
  fi
  if [ "$status" = 137 ]; then
    echo "SIGKILL ended: $*; it had said:"
    tail -n 5 "$log"
  fi
  return "$status"
}
