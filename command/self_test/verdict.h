// SPDX-License-Identifier: BSD-3-Clause
//
// Counted against known: plain data and pure functions, so that verdicts are tested without
// counters.
#ifndef ROOFMARK_COMMAND_SELF_TEST_VERDICT_H_
#define ROOFMARK_COMMAND_SELF_TEST_VERDICT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/metric.h"
#include "lib/core/status.h"

namespace roofmark::cli {

// What a kernel does is known up to what the machine may choose: whether a stored line is read
// first, how many cycles an addition takes.
struct Range {
  double least = 0, most = 0;

  bool Exact() const { return least == most; }
};
inline Range Exactly(double value) { return {value, value}; }

enum class Family : uint8_t { kFlops, kInstructions, kCycles, kThreads, kDram, kCaches };
// "flops", "instructions", ...: as in files.
std::string_view FamilyName(Family family);
std::optional<Family> ParseFamily(std::string_view name);

// Metric names, as in files, and what a kernel does of them. A metric that is not in it is not
// judged.
using Known = std::map<std::string, Range>;

// FLOPs by class (FlopMetric) as every FLOP metric would see them: classes, sums over kinds, sums
// over precisions; what must stay zero is in it too.
Known KnownFlops(const std::map<MetricId, double>& classes);

enum class Verdict : uint8_t {
  kExact,  // the very number
  kOk,     // within the tolerance
  kOff,
};
std::string_view VerdictName(Verdict verdict);
std::optional<Verdict> ParseVerdict(std::string_view name);

struct Check {
  Family family = Family::kFlops;
  std::string exercise;  // "dp 256 fma"
  std::string metric;    // "flops_dp_256"
  Range known;
  double counted = 0;
  Status status = Status::kMeasured;
  Verdict verdict = Verdict::kOff;
  std::string hint;  // of kOff: what it may mean

  // Counted over known, 1 anywhere within the range; nothing if the known value is 0.
  std::optional<double> Ratio() const;
};

// Relative deviations that are still right.
struct Tolerance {
  double work = 0;     // FLOPs and instructions
  double traffic = 0;  // bytes, cycles
  // A class that a kernel does not execute may show this much of what it does.
  double leak = 0;
};
// Of a count of this status; `engine`: the counting engine's, which is exact.
Tolerance ToleranceOf(Status status, bool engine);

// `scale` is the size of what the kernel does of this kind of metric: the measure of leaks.
Check Judge(Family family, std::string exercise, std::string metric, Range known, double counted,
            Status status, bool engine, double scale);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_SELF_TEST_VERDICT_H_
