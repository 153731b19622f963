# SPDX-License-Identifier: BSD-3-Clause
#
# For gates, to be sourced. in_time COMMAND...: executes it, with its output at the end of the file
# $log. With ROOFMARK_GATES=short it ends at ROOFMARK_GATES_END (seconds since 1970), and the gate is
# skipped (77).
in_time() {
  local status=0 left=7200
  if [ "${ROOFMARK_GATES:-}" = short ] && [ -n "${ROOFMARK_GATES_END:-}" ]; then
    left=$((ROOFMARK_GATES_END - $(date +%s)))
  fi
  if [ "$left" -gt 0 ]; then timeout "$left" "$@" >>"$log" 2>&1 || status=$?; else status=124; fi
  if [ "$status" = 124 ]; then
    echo "SKIP: the time for the gates was over before the end of: $*"
    tail -n 1 "$log"
    exit 77
  fi
  return "$status"
}
