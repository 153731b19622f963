// SPDX-License-Identifier: BSD-3-Clause
//
// DRAM traffic that lies on few of the packages, or on few of a package's memory controllers
// (2008 A.1.2, A.3). Values of package scope: one entry of a cell is a package.
#ifndef ROOFMARK_LIB_MODEL_SHORTFALLS_PACKAGES_H_
#define ROOFMARK_LIB_MODEL_SHORTFALLS_PACKAGES_H_

#include <algorithm>

#include "lib/model/shortfall_rule.h"

namespace roofmark::shortfalls {

inline Value AffinityExtent(const RegionSource& from, RegionInputs& region) {
  const Cell& both = from.job.At(from.path, metric::kPackageDramBytes);
  const MetricId used = both.ranks > 0 ? metric::kPackageDramBytes : metric::kPackageDramReadBytes;
  const Cell& bytes = from.job.At(from.path, used);
  const Value total = from.Sum(used);
  if (!total) return total;
  if (from.model.packages < 2 || bytes.ranks < 2) return Value::None(Reason::kOnePackage);
  if (*total <= 0) return Value::None(Reason::kNoBytes);
  const double packages = bytes.ranks;
  const double skew = static_cast<double>(bytes.max) * packages / *total;
  const double roof = from.model.DramBandwidth(1);
  // All pages on one node is what "read_far" measured; in between, time is in proportion.
  const double all_far =
      from.model.far_gbs > 0 ? std::max(1.0, roof / from.model.far_gbs) : packages;
  region.affinity = 1 + (skew - 1) / (packages - 1) * (all_far - 1);
  // At least so much is read by other packages, whose cores are as busy.
  return Value::Of(std::max(0.0, (skew - 1) / packages), total.status, total.origin);
}

inline Value ControllersExtent(const RegionSource& from, RegionInputs& region) {
  const Value busiest = from.Sum(metric::kPackageControllerBytesMax);
  const Value count = from.Sum(metric::kPackageControllers);
  const Value packages =
      Value::Of(std::max(1u, from.job.At(from.path, metric::kPackageControllers).ranks),
                Status::kMeasured, "");
  const Value each = Combine(count, packages, [](double n, double p) { return n / p; });
  Value factor = Combine(busiest, each, [](double most, double n) { return most * n; });
  factor = Combine(factor, region.bytes[kDramLevel], [](double product, double bytes) {
    return bytes > 0 ? std::max(1.0, product / bytes) : 1;
  });
  if (factor) region.controllers = *factor;
  return factor;
}

// DRAM's least time grows by `factor`: a limit of its own, it need not multiply with others.
inline void RaiseDram(const TimesSource& of, double factor, ResourceTimes& times) {
  const auto& roof = of.model.roofs.bandwidth[kDramLevel];
  if (!of.region.bytes[kDramLevel] || !roof) return;
  const double best = DramBytes(of.region, of.left, of.untold) * 1e-9 / roof->value;
  times.level_s[kDramLevel] = std::max(times.level_s[kDramLevel], best * factor);
}

inline void AffinityCost(const TimesSource& of, ResourceTimes& times) {
  RaiseDram(of, of.region.affinity, times);
}

inline void ControllersCost(const TimesSource& of, ResourceTimes& times) {
  RaiseDram(of, of.region.controllers, times);
}

inline constexpr ShortfallRule kAffinity = {AffinityExtent, AffinityCost};
inline constexpr ShortfallRule kControllers = {ControllersExtent, ControllersCost};

}  // namespace roofmark::shortfalls

#endif  // ROOFMARK_LIB_MODEL_SHORTFALLS_PACKAGES_H_
