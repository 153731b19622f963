// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/plateau.h"

#include <algorithm>

#include "benchmarks/machine/statistics.h"

namespace roofmark {
namespace {

constexpr double kFlat = 1.15;  // largest / smallest rate on a plateau
constexpr double kStep = 1.15;  // a level is faster than what follows by at least this
constexpr size_t kFewest = 3;

double MedianRate(const std::vector<SweepPoint>& sweep, size_t begin, size_t end) {
  std::vector<double> rates;
  for (size_t i = begin; i < end; ++i) rates.push_back(sweep[i].rate);
  std::sort(rates.begin(), rates.end());
  return Quantile(rates, 0.5);
}

struct Run {
  size_t begin = 0, end = 0;  // half open
};

// The longest run of points within kFlat of each other in [begin, end); the first of equals.
Run LongestFlat(const std::vector<SweepPoint>& sweep, size_t begin, size_t end) {
  Run best{begin, begin};
  for (size_t first = begin; first < end; ++first) {
    double low = sweep[first].rate, high = low;
    size_t last = first + 1;
    for (; last < end; ++last) {
      low = std::min(low, sweep[last].rate);
      high = std::max(high, sweep[last].rate);
      if (high > kFlat * low) break;
    }
    if (last - first > best.end - best.begin) best = {first, last};
  }
  return best;
}

// Points of [begin, end) whose working set is at most `bytes`.
size_t CountUpTo(const std::vector<SweepPoint>& sweep, size_t begin, uint64_t bytes) {
  size_t end = begin;
  while (end < sweep.size() && sweep[end].bytes <= bytes) ++end;
  return end;
}

// One past the last point from `end` on that still belongs to a plateau of `rate`.
size_t Extend(const std::vector<SweepPoint>& sweep, size_t end, double rate) {
  const auto belongs = [&](size_t i) { return i < sweep.size() && sweep[i].rate * kFlat >= rate; };
  while (belongs(end) || belongs(end + 1)) end += belongs(end) ? 1 : 2;
  return end;
}

// The plateau that begins in [begin, end), if one stands out from what follows it.
std::optional<Plateau> FindPlateau(const std::vector<SweepPoint>& sweep, size_t begin, size_t end) {
  // Where much less than the reported size is fast, memory behind it is the longest flat run.
  for (Run run; (run = LongestFlat(sweep, begin, end)).end - run.begin >= kFewest;
       end = run.begin) {
    const double rate = MedianRate(sweep, run.begin, run.end);
    const size_t last = Extend(sweep, run.end, rate);
    // What follows: the median of what is left, at most an octave's worth beyond the slope.
    const size_t tail = std::min(last + 2, sweep.size());
    if (tail < sweep.size() &&
        rate >= kStep * MedianRate(sweep, tail, std::min(tail + kFewest, sweep.size()))) {
      return Plateau{sweep[last - 1].bytes, rate};
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::optional<Plateau>> FindPlateaus(const std::vector<SweepPoint>& sweep,
                                                 const std::vector<uint64_t>& reported) {
  std::vector<std::optional<Plateau>> plateaus;
  size_t begin = 0;
  for (const uint64_t size : reported) {
    const size_t end = CountUpTo(sweep, begin, size);
    plateaus.push_back(FindPlateau(sweep, begin, end));
    // The next level begins where this one was told to end, found or not.
    if (plateaus.back()) begin = CountUpTo(sweep, begin, plateaus.back()->end_bytes);
    begin = std::max(begin, end);
  }
  return plateaus;
}

}  // namespace roofmark
