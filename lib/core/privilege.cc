// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/privilege.h"

#include <sys/auxv.h>

namespace roofmark {

bool HasMoreRightsThanItsCaller() noexcept { return getauxval(AT_SECURE) != 0; }

}  // namespace roofmark
