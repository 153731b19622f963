// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/memory_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lib/model/small_pages.h"

namespace roofmark {
namespace {

// Closer to the best than measurements of bandwidths are to each other.
constexpr double kEnough = 0.95;

// The least of the counts that is not below `streams`.
size_t IndexOf(double streams) {
  const auto at = std::lower_bound(kStreamCounts.begin(), kStreamCounts.end(), streams);
  return static_cast<size_t>(std::min(at, kStreamCounts.end() - 1) - kStreamCounts.begin());
}

}  // namespace

std::string StreamCeilingId(int streams, PageSize pages) {
  const std::string id = fmt::format("bandwidth.DRAM.streams_{}", streams);
  return pages == PageSize::kSmall ? SmallPagesId(id) : id;
}

StreamCurve::StreamCurve(const Machine& machine, PageSize pages) {
  for (size_t i = 0; i < kStreamCounts.size(); ++i) {
    const CeilingCurve* ceiling = machine.Find(StreamCeilingId(kStreamCounts[i], pages));
    if (ceiling == nullptr || ceiling->curve.empty()) return;
    const MachinePoint& point = ceiling->curve.front();
    measured_[i] = point.value;
    // More streams draw no less: a core may leave some of them for later.
    limit_[i] = std::max(i > 0 ? limit_[i - 1] : 0, point.value * (1 + point.noise));
  }
  most_ = *std::max_element(measured_.begin(), measured_.end());
  const auto enough = std::find_if(measured_.begin(), measured_.end(),
                                   [this](double gbs) { return gbs >= kEnough * most_; });
  enough_ = kStreamCounts[static_cast<size_t>(enough - measured_.begin())];
  known_ = measured_.front() > 0;
}

double StreamCurve::Limit(double streams) const {
  if (!known_) return 0;
  const double limit = limit_[IndexOf(streams)];
  if (streams > kStreamCounts.back() || limit >= kEnough * most_) {
    return std::numeric_limits<double>::infinity();
  }
  return std::min(limit, streams * limit_.front());
}

double StreamCurve::Measured(double streams) const {
  return std::min(measured_[IndexOf(streams)], streams * measured_.front());
}

}  // namespace roofmark
