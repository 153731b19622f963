// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>

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

double ReachedRepeatedly(std::vector<double> rates) {
  const size_t tenth = (rates.size() + 9) / 10;
  const size_t wanted = std::min(rates.size(), std::max<size_t>(2, tenth));
  std::sort(rates.begin(), rates.end(), std::greater<>());
  return rates[wanted - 1];
}

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
  point.value = ReachedRepeatedly(sorted);
  point.median = Quantile(sorted, 0.5);
  point.min = sorted.front();
  point.max = sorted.back();
  point.samples = static_cast<uint32_t>(sorted.size());
  point.noise = Noise();
  return point;
}

double Series::Noise() const {
  if (accepted_.size() < 4) return 1;
  const auto middle = accepted_.begin() + static_cast<ptrdiff_t>(accepted_.size() / 2);
  const double first = ReachedRepeatedly({accepted_.begin(), middle});
  const double second = ReachedRepeatedly({middle, accepted_.end()});
  return std::fabs(first - second) / std::max(first, second);
}

bool Series::Settled(double tolerance, uint32_t enough) {
  constexpr uint32_t kFewestSeries = 6;
  constexpr double kQuiet = 0.02;
  if (accepted_.size() < kFewestSeries) return false;
  const double value = ReachedRepeatedly(accepted_);
  const bool stands = std::fabs(value - last_value_) <= tolerance * value;
  last_value_ = value;
  return stands && (Noise() <= kQuiet || accepted_.size() >= enough);
}

}  // namespace roofmark
