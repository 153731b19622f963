// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/turn_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "lib/core/first_names.h"

namespace roofmark::runtime {
namespace {

using markers::PathTurns;
using markers::Turns;

constexpr size_t kMostNamed = 12;

// Of a visit that took turns and was timed. If none was, as long as the first one, which was, but
// no longer than those that were counted: caches were cold, and counting makes nothing faster. 0 if
// neither is known.
double MeanTicks(const PathTurns& of, const ThreadPathTotals& own) {
  if (const markers::VisitsAfterFirst others = TimedAfterFirst(of); others.visits > 0) {
    return others.Mean();
  }
  const auto mean = [](uint64_t ticks, uint64_t visits) {
    return static_cast<double>(ticks) / static_cast<double>(visits);
  };
  if (of.untimed == 0) return own.measured == 0 ? 0 : mean(own.ticks, own.measured);
  const double counted = mean(of.untimed_ticks, of.untimed);
  return own.measured == 0 ? counted : std::min(counted, mean(own.ticks, own.measured));
}

// Nothing but the first visit was timed, or not even that one, and others were counted.
bool IsTimedInFirstAlone(const PathTurns& of, const ThreadPathTotals& own) {
  return TimedAfterFirst(of).visits == 0 && own.visits > own.measured && of.untimed > 0;
}

// What visits that were counted took more than those that were timed.
double ExcessOf(double mean, uint64_t visits, uint64_t ticks) {
  return mean == 0 ? 0 : static_cast<double>(ticks) - static_cast<double>(visits) * mean;
}

uint64_t Less(uint64_t ticks, double excess) {
  return static_cast<uint64_t>(std::llround(std::max(0.0, static_cast<double>(ticks) - excess)));
}

bool IsTimed(const FoldInput& input, uint32_t path) {
  const auto doubt = input.doubts.find({path, metric::kTimeNs});
  return doubt == input.doubts.end() || HasValue(doubt->second);
}

// As far as the markers know.
bool IsOfSeveralThreads(const FoldInput& input, uint32_t path,
                        const std::vector<ThreadPathTotals>* main_thread) {
  if (input.nodes[path].openmp_threads > 1) return true;
  return std::any_of(input.threads.begin(), input.threads.end(), [&](const auto& thread) {
    return &thread != main_thread && path < thread.size() && thread[path].visits > 0;
  });
}

// Paths with time inside MPI in themselves or in one inside them, as `thread` knows it.
std::vector<bool> WithMpiInside(const FoldInput& input,
                                const std::vector<ThreadPathTotals>& thread) {
  std::vector<bool> with(input.nodes.size());
  for (size_t p = std::min(with.size(), thread.size()); p-- > 1;) {
    if (thread[p].mpi_ticks > 0) with[p] = true;
    if (with[p]) with[input.nodes[p].parent] = true;
  }
  return with;
}

// Regions of which the same is said.
class Group {
 public:
  void Add(const std::string& name, std::optional<double> cost) {
    names_.push_back(cost ? fmt::format("{} ({:+.0f} %)", name, *cost * 100) : name);
  }
  void Describe(std::string_view what, std::string& text) const {
    if (names_.empty()) return;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", what, FirstNames(names_, kMostNamed));
  }

 private:
  std::vector<std::string> names_;
};

// The main one's rows; nothing if it has none.
std::vector<ThreadPathTotals>* MainThread(const TakenTurns& taken, FoldInput& input) {
  return taken.main_thread < input.threads.size() ? &input.threads[taken.main_thread] : nullptr;
}

// Ticks of all visits, which the region's time is.
double TicksOfAll(const ThreadPathTotals& own) {
  if (own.of_all_visits || own.measured == 0) return static_cast<double>(own.ticks);
  return static_cast<double>(own.ticks) * static_cast<double>(own.visits) /
         static_cast<double>(own.measured);
}

// Half the width of the interval (95 %) of the region's ticks. Nothing if too few visits tell it.
std::optional<double> MarginOf(const PathTurns& of, const ThreadPathTotals& own) {
  if (own.measured >= own.visits) return 0;
  if (own.measured == 0 || own.ticks == 0) return std::nullopt;
  return MarginOfTicks(of, own.visits - own.measured);
}

// The same for the profile.
void JudgeMargin(const PathTurns& of, uint32_t path, ThreadPathTotals& own, FoldInput& input) {
  const std::optional<double> margin = MarginOf(of, own);
  if (margin) {
    own.margin_ticks = static_cast<uint64_t>(std::llround(*margin));
  } else {
    input.doubts[{path, metric::kTimeMarginNs}] = Status::kUnsupported;
  }
}

// Of everything but what `first` has: `scale` times as much.
void ScaleOthers(const markers::BesideTime& first, uint64_t first_ticks, double scale,
                 ThreadPathTotals& own) {
  const auto once = [scale](uint64_t& sum, uint64_t of_first) {
    of_first = std::min(of_first, sum);
    const auto others = static_cast<double>(sum - of_first);
    sum = of_first + static_cast<uint64_t>(std::llround(others * scale));
  };
  once(own.ticks, first_ticks);
  once(own.mpi_ticks, first.mpi_ticks);
  once(own.parallel_ticks, first.parallel_ticks);
  once(own.team_ticks, first.team_ticks);
  once(own.busy_ticks, first.busy_ticks);
  once(own.busiest_ticks, first.busiest_ticks);
  once(own.kernel.page_faults, first.kernel.page_faults);
  once(own.kernel.system_ns, first.kernel.system_ns);
  once(own.kernel.preemptions, first.kernel.preemptions);
  own.of_all_visits = true;
}

// Where no other visit was timed: each of the others is taken to have of everything what the first
// one had, in proportion to MeanTicks().
void TakeOthersByFirst(const PathTurns& of, ThreadPathTotals& own) {
  const double others = MeanTicks(of, own) * static_cast<double>(own.visits - own.measured);
  if (own.ticks > 0) {
    ScaleOthers({}, 0, 1 + others / static_cast<double>(own.ticks), own);
    return;
  }
  own.ticks = static_cast<uint64_t>(std::llround(others));
  own.of_all_visits = true;
}

// Visits that are not known are taken to be as those that are, but for the first one: caches were
// cold, and memory was touched that the others find. `own` becomes such that what the first one had
// counts once.
void CountFirstOnce(const PathTurns& of, ThreadPathTotals& own) {
  if (IsTimedInFirstAlone(of, own)) return TakeOthersByFirst(of, own);
  const std::optional<uint64_t> first = FirstTicks(of, own.measured, own.ticks);
  if (!first || own.visits <= own.measured) return;
  const double scale = static_cast<double>(own.visits - 1) / static_cast<double>(own.measured - 1);
  ScaleOthers(of.first, *first, scale, own);
}

// By name, what was done of each region: some sentence parts.
std::string DescribeTurns(const Turns& turns, const FoldInput& input,
                          const std::vector<ThreadPathTotals>& thread) {
  constexpr double kUncertain = 0.1;
  Group at_once, in_turns, uncounted, untimed, unreliable, uncertain, by_first, by_counted;
  const std::vector<bool> waits = WithMpiInside(input, thread);
  const std::vector<std::string> names = FullPaths(input.nodes, input.names);
  for (uint32_t p = 1; p < input.nodes.size(); ++p) {
    const PathTurns of = turns.Of(p);
    if (input.nodes[p].kind == RegionKind::kFound) continue;
    const bool counted = std::accumulate(of.counted.begin(), of.counted.end(), uint64_t{0}) > 0;
    const bool timed = IsTimed(input, p);
    if (!timed) untimed.Add(names[p], {});
    Group& group = !counted ? uncounted : of.at_once ? at_once : in_turns;
    group.Add(names[p], counted ? of.cost : std::nullopt);
    if (!counted || !timed || p >= thread.size()) continue;
    if (IsTimedInFirstAlone(of, thread[p])) {
      (thread[p].measured > 0 ? by_first : by_counted).Add(names[p], {});
      continue;
    }
    const std::optional<double> margin = MarginOf(of, thread[p]);
    const double share = margin ? *margin / std::max(1.0, TicksOfAll(thread[p])) : 0;
    if (waits[p] && thread[p].measured < markers::kLeastTimed) {
      unreliable.Add(names[p], {});
    } else if (!margin || share > kUncertain) {
      uncertain.Add(margin ? fmt::format("{} (±{:.0f} %)", names[p], share * 100) : names[p], {});
    }
  }
  std::string text;
  at_once.Describe(
      "timed and counted at once, where counting costs less than 10 % of the time, and scaled to "
      "all visits",
      text);
  in_turns.Describe("timed and counted in turns, and scaled to all visits", text);
  uncounted.Describe("timed only, because they were visited too seldom to be counted", text);
  by_first.Describe(
      "timed in their first visit alone, and the others taken to be no longer than it, nor than "
      "they were while they were counted",
      text);
  by_counted.Describe("never timed: their time is that of visits that were counted", text);
  unreliable.Describe(
      fmt::format("without a reliable time, because fewer than {} visits were timed, and MPI in "
                  "them can have waited for a rank that was counted",
                  markers::kLeastTimed),
      text);
  uncertain.Describe(
      "with an uncertain time, because the visits that were timed are few, or differ", text);
  untimed.Describe("counted only, because other threads work in them, which are always counted",
                   text);
  return text;
}

}  // namespace

// Children have higher numbers than their parents, so their times are right before they are used.
uint64_t TakeOutCounting(const TakenTurns& taken, FoldInput& input) {
  std::vector<ThreadPathTotals>* thread = MainThread(taken, input);
  if (thread == nullptr) return 0;
  double all = 0;
  for (size_t p = std::min(input.nodes.size(), thread->size()); p-- > 1;) {
    const PathTurns of = taken.turns.Of(static_cast<uint32_t>(p));
    const double mean = MeanTicks(of, (*thread)[p]);
    all += ExcessOf(mean, of.alone, of.alone_ticks);
    const double excess = ExcessOf(mean, of.alone_in_open, of.alone_in_open_ticks);
    if (excess == 0) continue;
    for (uint32_t around = input.nodes[p].parent; around != 0;
         around = input.nodes[around].parent) {
      (*thread)[around].ticks = Less((*thread)[around].ticks, excess);
    }
  }
  return static_cast<uint64_t>(std::max(0.0, all));
}

void JudgeTurns(const TakenTurns& taken, uint64_t counting_ticks, FoldInput& input,
                PassInfo& pass) {
  const Turns& turns = taken.turns;
  std::vector<ThreadPathTotals>* thread = MainThread(taken, input);
  for (uint32_t p = 1; p < input.nodes.size(); ++p) {
    if (IsOfSeveralThreads(input, p, thread)) {
      input.doubts[{p, metric::kTimeNs}] = Status::kInvalid;
    } else if (thread != nullptr && p < thread->size()) {
      CountFirstOnce(turns.Of(p), (*thread)[p]);
      JudgeMargin(turns.Of(p), p, (*thread)[p], input);
    }
  }
  const double seconds = static_cast<double>(counting_ticks) * input.ns_per_tick * 1e-9;
  pass.wall_s = std::max(0.0, pass.wall_s - seconds);
  pass.facts["counting_s"] = fmt::format("{:.3f}", seconds);
  pass.facts[kTurnsFact] =
      DescribeTurns(turns, input, thread != nullptr ? *thread : std::vector<ThreadPathTotals>());
}

}  // namespace roofmark::runtime
