#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# format_test.sh ROOT: every C and C++ file is as clang-format leaves it.
set -euo pipefail
cd "$1"
find lib include markers collectors benchmarks mpi command tests \
  \( -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cc' \) -print0 |
  xargs -0 clang-format --dry-run -Werror
echo "ok"
