#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# sweep.sh PROGRAM: every system call that can fail fails once, on each machine of the virtual PMU. With
# ROOFMARK_GATES=short it is skipped (77): ./test executes one call in six on each machine.
set -euo pipefail
if [ "${ROOFMARK_GATES:-}" = short ]; then
  echo "SKIP: ./test lets one call in six fail on each machine"
  exit 77
fi
VPMU_CPUS=0-7 VPMU_SWEEP=every exec "$1" --gtest_brief=1
