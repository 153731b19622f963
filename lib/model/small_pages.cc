// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/small_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "lib/model/work.h"

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

HugePages HugePagesOf(const JobProfile& job, size_t path) {
  constexpr double kMostly = 0.5, kMuch = 0.05;
  const auto fact = [&job](const char* name) -> std::string {
    for (const PassInfo& pass : job.run.passes) {
      const auto at = pass.facts.find(name);
      if (pass.times_are_real && at != pass.facts.end()) return at->second;
    }
    return "";
  };
  const std::string setting = fact(kHugePagesFact);
  if (setting == "always") return HugePages::kAlready;
  if (setting != "madvise") return setting.empty() ? HugePages::kNotKnown : HugePages::kNever;
  const Cell& resident = job.run.kernel.resident_bytes;
  const double static_bytes = std::strtod(fact(kStaticBytesFact).c_str(), nullptr);
  if (resident.ranks > 0 && static_bytes > kMostly * static_cast<double>(resident.max)) {
    return HugePages::kOfStatic;
  }
  const Value kernel = KernelShare(job, path);
  return kernel && *kernel >= kMuch ? HugePages::kInFaults : HugePages::kOnDemand;
}

bool AllPagesAreSmall(const Value& share) {
  constexpr double kNearlyAll = 0.9;
  return share && *share >= kNearlyAll;
}

}  // namespace roofmark
