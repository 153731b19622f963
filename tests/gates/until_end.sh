#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# until_end.sh COMMAND...: executes a test labelled `long` that knows nothing of the time for the gates,
# as in_time does.
set -euo pipefail
. "${BASH_SOURCE%/*}/in_time.sh"
log=$(mktemp)
trap 'cat "$log"; rm -f "$log"' EXIT
in_time "$@"
