// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/limits.h"

#include "lib/core/messages/collectors.h"

namespace roofmark::counting {

std::string WhyTooLittle(std::span<const Need> needs) {
  for (const Need& need : needs) {
    rlimit limit;
    if (getrlimit(need.resource, &limit) != 0 || limit.rlim_cur >= need.least) continue;
    return InWords(message::kLimitTooLow, need.what, limit.rlim_cur, need.least);
  }
  return {};
}

}  // namespace roofmark::counting
