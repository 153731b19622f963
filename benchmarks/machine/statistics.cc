// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/statistics.h"

#include <algorithm>
#include <cmath>

namespace roofmark {
namespace {

struct Span {
  uint64_t first_begin, last_begin, last_end;
};

Span SpanOf(const std::vector<ThreadTiming>& timings) {
  Span span{timings.front().begin_ns, timings.front().begin_ns, timings.front().end_ns};
  for (const ThreadTiming& timing : timings) {
    span.first_begin = std::min(span.first_begin, timing.begin_ns);
    span.last_begin = std::max(span.last_begin, timing.begin_ns);
    span.last_end = std::max(span.last_end, timing.end_ns);
  }
  return span;
}

}  // namespace

double WallSeconds(const std::vector<ThreadTiming>& timings) {
  const Span span = SpanOf(timings);
  return static_cast<double>(span.last_end - span.first_begin) * 1e-9;
}

bool Undisturbed(const std::vector<ThreadTiming>& timings) {
  constexpr double kLeastShare = 0.985, kLargestSkew = 0.05;
  for (const ThreadTiming& timing : timings) {
    const auto wall = static_cast<double>(timing.end_ns - timing.begin_ns);
    if (timing.preempted != 0 || static_cast<double>(timing.cpu_ns) < kLeastShare * wall) {
      return false;
    }
  }
  const Span span = SpanOf(timings);
  return static_cast<double>(span.last_begin - span.first_begin) <=
         kLargestSkew * static_cast<double>(span.last_end - span.first_begin);
}

double Quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = at - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

MachinePoint Series::Summary() const {
  std::vector<double> sorted = accepted_.empty() ? disturbed_ : accepted_;
  std::sort(sorted.begin(), sorted.end());
  MachinePoint point;
  point.value = Quantile(sorted, 0.95);
  point.median = Quantile(sorted, 0.5);
  point.min = sorted.front();
  point.max = sorted.back();
  point.samples = static_cast<uint32_t>(sorted.size());
  return point;
}

bool Series::Settled(double tolerance) {
  constexpr uint32_t kFewest = 6;
  constexpr double kSpread = 0.1;
  if (accepted_.size() < kFewest) return false;
  const MachinePoint now = Summary();
  const bool stands = std::fabs(now.value - last_value_) <= tolerance * now.value;
  last_value_ = now.value;
  return stands && (now.median >= (1 - kSpread) * now.value || now.samples >= 2 * kFewest);
}

}  // namespace roofmark
