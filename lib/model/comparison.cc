// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/comparison.h"

#include <algorithm>
#include <set>

#include "lib/model/derived.h"
#include "lib/model/health.h"
#include "lib/model/repeats.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

constexpr double kLeastTimeShare = 0.01;

// A region of one run, with its times in all executions.
struct Side {
  const JobProfile& job;
  size_t path;
  const PathAnalysis& analysis;
  std::vector<double> times_s;
};

bool DependsOnTime(Quantity quantity) { return quantity != Quantity::kIntensity; }

// The quantity in each execution whose time is known; only the time differs between them.
std::vector<double> InEach(const Side& side, Quantity quantity, const Value& value) {
  std::vector<double> values;
  if (!value || !(*value > 0) || !side.analysis.time_s) return values;
  for (const double time_s : side.times_s) {
    const double factor = *side.analysis.time_s / time_s;
    values.push_back(quantity == Quantity::kTime ? time_s : *value * factor);
  }
  return values;
}

Value MeanOf(const Value& value, const std::vector<double>& values) {
  if (values.size() < 2) return value;
  return Value::Of(GeometricMean(values), value.status, value.origin);
}

Value ValueOf(const Side& side, Quantity quantity) {
  const DerivedInfo* info = FindDerived(kQuantityTable[static_cast<size_t>(quantity)].derived);
  return info->value({side.job, side.path, side.analysis});
}

// Whether the intervals of what was extrapolated leave it open that there is a change.
bool IntervalsMeet(const Value& a, const Value& b) {
  if (!a.within && !b.within) return false;
  const Bounds first = a.within.value_or(Bounds{*a, *a});
  const Bounds second = b.within.value_or(Bounds{*b, *b});
  return first.least <= second.most && second.least <= first.most;
}

Change ChangeOf(const Side& before, const Side& after, Quantity quantity) {
  Change change;
  change.before = ValueOf(before, quantity);
  change.after = ValueOf(after, quantity);
  const bool timed = DependsOnTime(quantity);
  std::vector<double> first, second;
  if (timed) {
    first = InEach(before, quantity, change.before);
    second = InEach(after, quantity, change.after);
    change.before = MeanOf(change.before, first);
    change.after = MeanOf(change.after, second);
  }
  if (!change.before || !change.after || !(*change.before > 0)) return change;
  change.factor = *change.after / *change.before;
  change.difference = TestDifference(first, second);
  const bool open = !timed && IntervalsMeet(change.before, change.after);
  change.noise = open                ? NoiseKind::kUnknown
                 : !timed            ? NoiseKind::kCountedOnce
                 : change.difference ? NoiseKind::kTested
                                     : NoiseKind::kUnknown;
  return change;
}

std::string LimitOf(const Side& side) { return std::string(side.analysis.limit.Mark()); }

bool IsSmall(const Side& side) {
  return side.analysis.time_share && *side.analysis.time_share < kLeastTimeShare;
}

void Compare(const Side& before, const Side& after, RegionChange& region) {
  for (const QuantityInfo& info : kQuantityTable) {
    region.changes[static_cast<size_t>(info.id)] = ChangeOf(before, after, info.id);
  }
  region.limit_before = LimitOf(before);
  region.limit_after = LimitOf(after);
}

// What is too small is not tested: the correction for many regions would hide changes of others.
void LeaveOut(RegionChange& region) {
  for (Change& change : region.changes) {
    if (change.noise != NoiseKind::kTested) continue;
    change.noise = NoiseKind::kSmall;
    change.difference.reset();
  }
}

// Changes of times that do not hold are no changes of the program.
void Doubt(RegionChange& region) {
  for (const QuantityInfo& info : kQuantityTable) {
    Change& change = region.changes[static_cast<size_t>(info.id)];
    if (!DependsOnTime(info.id) || !change.factor) continue;
    change.noise = NoiseKind::kDoubtful;
    change.difference.reset();
  }
}

void OnlyOne(const Side& side, Presence presence, RegionChange& region) {
  region.presence = presence;
  for (const QuantityInfo& info : kQuantityTable) {
    Change& change = region.changes[static_cast<size_t>(info.id)];
    Value& value = presence == Presence::kNew ? change.after : change.before;
    value = ValueOf(side, info.id);
    if (DependsOnTime(info.id)) value = MeanOf(value, InEach(side, info.id, value));
  }
  (presence == Presence::kNew ? region.limit_after : region.limit_before) = LimitOf(side);
}

Side SideOf(const ComparedRun& run, size_t path) {
  return {run.job, path, run.analysis.paths[path], ExecutionTimes(run.job.paths[path])};
}

void CompareRegions(const ComparedRun& before, const ComparedRun& after, const RenameMap& renamed,
                    const TestedAlways& always, Comparison& comparison) {
  std::set<std::string> matched;
  for (size_t p = 0; p < before.job.paths.size(); ++p) {
    RegionChange region;
    region.path = before.job.paths[p].path;
    region.new_path = renamed.Renamed(region.path);
    const int there = after.job.FindPath(region.new_path);
    const Side side = SideOf(before, p);
    if (there < 0 || !matched.insert(region.new_path).second) {
      OnlyOne(side, Presence::kVanished, region);
    } else {
      const Side other = SideOf(after, static_cast<size_t>(there));
      Compare(side, other, region);
      const bool small = IsSmall(side) && IsSmall(other);
      if (small && !(always && always(region))) LeaveOut(region);
    }
    comparison.regions.push_back(std::move(region));
  }
  for (size_t p = 0; p < after.job.paths.size(); ++p) {
    const std::string& path = after.job.paths[p].path;
    if (matched.count(path) != 0) continue;
    RegionChange region = {path, path, {}, {}, {}, {}};
    OnlyOne(SideOf(after, p), Presence::kNew, region);
    comparison.regions.push_back(std::move(region));
  }
  std::stable_sort(comparison.regions.begin(), comparison.regions.end(),
                   [](const auto& a, const auto& b) { return a.path < b.path; });
}

// The executions' wall times, as times of the program: from its start to its end rather than from
// MPI_Init to finalize, which differ by the same factor.
std::vector<double> TimesOfProgram(const JobProfile& job, const Value& time_s) {
  std::vector<double> times = job.run.repeats_s;
  if (!time_s || job.run.passes.empty() || !(job.run.passes.front().wall_s > 0)) return {};
  for (double& time : times) {
    if (!(time > 0)) return {};
    time *= *time_s / job.run.passes.front().wall_s;
  }
  return times;
}

void CompareWhole(const ComparedRun& before, const ComparedRun& after, Comparison& comparison) {
  if (before.analysis.whole.size() != kWholeRows || after.analysis.whole.size() != kWholeRows) {
    return;
  }
  constexpr auto kProgram = static_cast<size_t>(WholeRow::kProgram);
  const JobProfile first = WholeOf(before.job), second = WholeOf(after.job);
  RegionChange region;
  region.path = region.new_path = std::string(kProgramName);
  const PathAnalysis& program = before.analysis.whole[kProgram];
  const PathAnalysis& other = after.analysis.whole[kProgram];
  Compare({first, kProgram, program, TimesOfProgram(before.job, program.time_s)},
          {second, kProgram, other, TimesOfProgram(after.job, other.time_s)}, region);
  comparison.regions.push_back(std::move(region));
}

void Correct(Quantity quantity, Comparison& comparison) {
  std::vector<Change*> tested;
  std::vector<double> probabilities;
  for (RegionChange& region : comparison.regions) {
    Change& change = region.changes[static_cast<size_t>(quantity)];
    if (!change.difference) continue;
    tested.push_back(&change);
    probabilities.push_back(change.difference->probability);
  }
  const std::vector<double> corrected = CorrectedByHolm(probabilities);
  for (size_t i = 0; i < tested.size(); ++i) {
    tested[i]->corrected = corrected[i];
    tested[i]->significant = corrected[i] <= kFalseAlarms;
  }
  if (quantity == Quantity::kTime) comparison.tested = tested.size();
}

std::string TurnsWith(const JobProfile& job) {
  if (job.run.passes.empty()) return {};
  const auto fact = job.run.passes.front().facts.find(kAgainstFact);
  return fact == job.run.passes.front().facts.end() ? std::string() : fact->second;
}

}  // namespace

Comparison CompareRuns(const ComparedRun& before, const ComparedRun& after,
                       const RenameMap& renamed, const TestedAlways& always) {
  Comparison comparison;
  comparison.executions_before = std::max<size_t>(1, before.job.run.repeats_s.size());
  comparison.executions_after = std::max<size_t>(1, after.job.run.repeats_s.size());
  const std::string turns = TurnsWith(before.job);
  comparison.interleaved = !turns.empty() && turns == TurnsWith(after.job);
  CompareRegions(before, after, renamed, always, comparison);
  CompareWhole(before, after, comparison);
  comparison.doubtful_before = TimesAreDoubtful(HealthOf(before.job, before.analysis));
  comparison.doubtful_after = TimesAreDoubtful(HealthOf(after.job, after.analysis));
  if (!comparison.times_hold()) {
    for (RegionChange& region : comparison.regions) Doubt(region);
  }
  for (const QuantityInfo& info : kQuantityTable) Correct(info.id, comparison);
  return comparison;
}

std::vector<const RegionChange*> Significant(const Comparison& comparison, Quantity quantity) {
  std::vector<const RegionChange*> changed;
  for (const RegionChange& region : comparison.regions) {
    if (region.Of(quantity).significant) changed.push_back(&region);
  }
  return changed;
}

}  // namespace roofmark
