// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/time_split.h"

#include <fmt/format.h>

#include <algorithm>

namespace roofmark {
namespace {

// What its own work takes: all of it where nothing tells how much of that is needed.
double LargestOtherPart(const TimeSplit& split) {
  if (!split.needed_s || !split.unexplained_s) return split.Usable();
  return std::max(*split.needed_s, *split.unexplained_s);
}

std::string_view MarkOf(std::string_view resource) {
  if (resource == "dependences") return "chain";
  if (resource == "branches") return "branch";
  return resource == "atomics" ? "atomic" : resource;
}

std::string_view KindOf(std::string_view resource) {
  for (const std::string_view core : {"compute", "dependences", "branches", "atomics"}) {
    if (resource == core) return "compute";
  }
  return "memory";
}

// Where the larger side alone, or nearly, takes the time, the other one overlaps with it. Where
// both one after the other do not fill it, something else does. A small one hardly matters. Only of
// a chain an experiment has shown that its time adds to that of memory (docs/model.md).
std::string Beside(const TimeSplit& split, const RuntimeModel& runtime) {
  constexpr double kAlone = 0.9, kFilled = 0.9;  // of the time that its work can use
  constexpr double kMattersOfLarger = 0.5;       // of the larger side
  const Sides& sides = runtime.sides;
  const auto [less, more] = std::minmax(sides.core_s, sides.memory_s);
  if (split.Explained() >= kAlone || less < kMattersOfLarger * more) return {};
  if (less + more < kFilled * split.Usable() || sides.core != "dependences") return {};
  const bool core = KindOf(runtime.binding) == "compute" || runtime.binding == "L1";
  return core ? sides.memory : sides.core;
}

// A bound that is hardly above the time still tells which resource takes it: others would have to
// be wrong by more.
Limit LikelyLimit(const TimeSplit& split, const RuntimeModel& runtime) {
  constexpr double kHardly = 1.5;
  Limit limit = {.what = LimitedBy::kBoundIsWrong};
  if (runtime.binding.empty() || split.Excess() > kHardly) return limit;
  limit.resource = runtime.binding;
  limit.mark = fmt::format("{}?", MarkOf(limit.resource));
  return limit;
}

}  // namespace

TimeInterval Widened(const TimeInterval& interval, double uncertainty, double all) {
  const double by = kLeastUncertainty + uncertainty;
  return {interval.least * std::max(0.0, 1 - by), std::min(all, interval.most * (1 + by))};
}

Value AboveTime(double ratio) {
  return Value::None({Reason::kBoundAboveTime, fmt::format("{:.0f}", 100 * ratio)});
}

double TimeSplit::Excess() const {
  constexpr double kMost = 100;
  const double outside = Usable() + in_kernel_s;
  return *bound_s < kMost * outside ? *bound_s / outside : kMost;
}

double TimeSplit::Explained() const {
  if (!needed_s || Usable() <= 0) return 0;
  return std::min(1.0, *needed_s / Usable());
}

std::string_view Limit::Kind() const {
  std::string_view kind;
  const auto add = [&kind](std::string_view named) {
    if (named.empty()) return;
    kind = kind.empty() || kind == KindOf(named) ? KindOf(named) : "both";
  };
  add(resource);
  add(beside);
  if (what != LimitedBy::kPhases) return kind;
  for (const Phase& phase : phases) {
    add(phase.resource);
    add(phase.beside);
  }
  return kind;
}

std::string_view Limit::Mark() const {
  switch (what) {
    case LimitedBy::kUnknown:
      return "";
    case LimitedBy::kWaiting:
      return "wait";
    case LimitedBy::kKernel:
      return "OS";
    case LimitedBy::kMpiWork:
      return "MPI";
    case LimitedBy::kUnexplained:
      return "?";
    case LimitedBy::kBoundIsWrong:
      return mark.empty() ? std::string_view("?") : mark;
    case LimitedBy::kPhases:
      return mark;
    case LimitedBy::kResource:
      break;
  }
  return mark.empty() ? MarkOf(resource) : mark;
}

TimeSplit SplitTime(const Value& time_s, const TimeShares& shares, const Value& attainable_s,
                    const Uncertainty& uncertain) {
  TimeSplit split;
  split.bound_s = attainable_s;
  split.needed_s = split.unexplained_s = time_s ? attainable_s : time_s;
  if (!time_s) return split;
  split.time_s = *time_s;
  const double mpi = shares.mpi ? std::clamp(*shares.mpi, 0.0, 1.0) : 0;
  // Threads may wait in OpenMP while one is inside MPI: that is MPI's.
  const double openmp = shares.openmp ? std::clamp(*shares.openmp, 0.0, 1 - mpi) : 0;
  // The kernel may work for MPI and for those who wait.
  const double kernel = shares.kernel ? std::clamp(*shares.kernel, 0.0, 1.0) - mpi - openmp : 0;
  split.inside_mpi_s = mpi * *time_s;
  split.in_openmp_s = openmp * *time_s;
  split.in_kernel_s = std::max(0.0, kernel) * *time_s;
  if (!attainable_s) return split;
  const double bound = *attainable_s, outside = split.Usable() + split.in_kernel_s;
  // In proportion to the whole time: shares of it are as uncertain as that.
  if (*time_s > 0 && IsBroken(1 + (bound - outside) / *time_s, uncertain)) {
    split.needed_s = split.unexplained_s = AboveTime(split.Excess());
    return split;
  }
  split.in_kernel_s = std::min(split.in_kernel_s, std::max(0.0, outside - bound));
  const double needed = std::min(bound, split.Usable());
  split.needed_s = Value::Of(needed, attainable_s.status, attainable_s.origin);
  split.unexplained_s =
      Value::Of(split.Usable() - needed, attainable_s.status, attainable_s.origin);
  return split;
}

Limit LimitOf(const TimeSplit& split, const Waiting& waiting, const RuntimeModel& runtime) {
  // Below this share of explained time, what was counted is not the cause.
  constexpr double kMostly = 0.5;
  if (waiting.waits()) return {.what = LimitedBy::kWaiting};
  if (waiting.mpi_works && split.inside_mpi_s > 0 &&
      split.inside_mpi_s >= std::max(LargestOtherPart(split), split.in_kernel_s)) {
    return {.what = LimitedBy::kMpiWork};
  }
  if (split.in_kernel_s > 0 && split.in_kernel_s >= LargestOtherPart(split)) {
    return {.what = LimitedBy::kKernel};
  }
  if (split.BoundIsAboveTime()) return LikelyLimit(split, runtime);
  if (!split.needed_s || split.time_s <= 0) return {};
  if (split.Explained() < kMostly) return {.what = LimitedBy::kUnexplained};
  Limit limit = {LimitedBy::kResource, runtime.binding, Beside(split, runtime)};
  if (!limit.beside.empty()) {
    limit.mark = fmt::format("{}+{}", MarkOf(limit.resource), MarkOf(limit.beside));
  } else if (limit.resource == "branches" && runtime.dependences.branches_cut) {
    limit.mark = fmt::format("{}?", MarkOf(limit.resource));
  }
  return limit;
}

}  // namespace roofmark
