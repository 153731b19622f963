// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/small_pages.h"

#include <fmt/format.h>

#include <algorithm>

namespace roofmark {

std::string SmallPagesId(std::string_view ceiling) {
  return fmt::format("{}.small_pages", ceiling);
}
std::string SmallPagesCeilingId(std::string_view level) {
  return SmallPagesId(fmt::format("bandwidth.{}", level));
}

Value SmallPagesShare(const RunInfo& run) {
  constexpr double kPageBytes = 4096;
  const Cell& faults = run.kernel.page_faults;
  const Cell& resident = run.kernel.resident_bytes;
  if (faults.ranks == 0 || resident.ranks == 0 || resident.SumAsDouble() <= 0) {
    return Value::None(Reason::kNoPageFaults);
  }
  const double share = faults.SumAsDouble() * kPageBytes / resident.SumAsDouble();
  return Value::Of(std::min(1.0, share), Status::kMeasured, "kernel");
}

bool AllPagesAreSmall(const Value& share) {
  constexpr double kNearlyAll = 0.9;
  return share && *share >= kNearlyAll;
}

}  // namespace roofmark
