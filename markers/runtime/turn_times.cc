// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/turn_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "lib/core/first_names.h"

namespace roofmark::runtime {
namespace {

using markers::PathTurns;
using markers::Turns;

constexpr size_t kMostNamed = 12;

// What visits that were counted took more than the mean of those that were timed.
double ExcessOf(const ThreadPathTotals& own, uint64_t visits, uint64_t ticks) {
  if (visits == 0 || own.measured == 0) return 0;
  const double mean = static_cast<double>(own.ticks) / static_cast<double>(own.measured);
  return static_cast<double>(ticks) - static_cast<double>(visits) * mean;
}

uint64_t Less(uint64_t ticks, double excess) {
  return static_cast<uint64_t>(std::llround(std::max(0.0, static_cast<double>(ticks) - excess)));
}

bool IsTimed(const FoldInput& input, uint32_t path) {
  const auto doubt = input.doubts.find({path, metric::kTimeNs});
  return doubt == input.doubts.end() || HasValue(doubt->second);
}

// As far as the markers know.
bool IsOfSeveralThreads(const FoldInput& input, uint32_t path, size_t main_thread) {
  if (input.nodes[path].openmp_threads > 1) return true;
  for (size_t t = 0; t < input.threads.size(); ++t) {
    if (t != main_thread && input.threads[t][path].visits > 0) return true;
  }
  return false;
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

}  // namespace

// Children have higher numbers than their parents, so their times are right before they are used.
uint64_t TakeOutCounting(const Turns& turns, const std::vector<PathNode>& nodes,
                         std::vector<ThreadPathTotals>& thread) {
  double all = 0;
  for (size_t p = std::min(nodes.size(), thread.size()); p-- > 1;) {
    const PathTurns of = turns.Of(static_cast<uint32_t>(p));
    all += ExcessOf(thread[p], of.alone, of.alone_ticks);
    const double excess = ExcessOf(thread[p], of.alone_in_open, of.alone_in_open_ticks);
    if (excess == 0) continue;
    for (uint32_t around = nodes[p].parent; around != 0; around = nodes[around].parent) {
      thread[around].ticks = Less(thread[around].ticks, excess);
    }
  }
  return static_cast<uint64_t>(std::max(0.0, all));
}

std::string DescribeTurns(const Turns& turns, const FoldInput& input,
                          const std::vector<ThreadPathTotals>& thread) {
  Group at_once, in_turns, uncounted, untimed, unreliable;
  const std::vector<bool> waits = WithMpiInside(input, thread);
  const std::vector<std::string> names = FullPaths(input.nodes, input.names);
  for (uint32_t p = 1; p < input.nodes.size(); ++p) {
    const PathTurns of = turns.Of(p);
    if (input.nodes[p].kind == RegionKind::kFound) continue;
    const bool counted = std::accumulate(of.counted.begin(), of.counted.end(), uint64_t{0}) > 0;
    if (!IsTimed(input, p)) untimed.Add(names[p], {});
    Group& group = !counted ? uncounted : of.at_once ? at_once : in_turns;
    group.Add(names[p], counted ? of.cost : std::nullopt);
    const bool few = p < thread.size() && thread[p].measured < markers::kLeastTimed;
    if (counted && waits[p] && few) unreliable.Add(names[p], {});
  }
  std::string text;
  at_once.Describe(
      "timed and counted at once, where counting costs less than 10 % of the time, and scaled to "
      "all visits",
      text);
  in_turns.Describe("timed and counted in turns, and scaled to all visits", text);
  uncounted.Describe("timed only, because they were visited too seldom to be counted", text);
  unreliable.Describe(
      fmt::format("without a reliable time, because fewer than {} visits were timed, and MPI in "
                  "them can have waited for a rank that was counted",
                  markers::kLeastTimed),
      text);
  untimed.Describe("counted only, because other threads work in them, which are always counted",
                   text);
  return text;
}

void JudgeTurns(const markers::Recorder& recorder, FoldInput& input, PassInfo& pass) {
  const Turns& turns = recorder.turns();
  size_t main_thread = 0, thread = 0;
  recorder.records().ForEach([&](const markers::ThreadRecord& record) {
    if (record.is_main) main_thread = thread;
    ++thread;
  });
  for (uint32_t p = 1; p < input.nodes.size(); ++p) {
    if (!IsOfSeveralThreads(input, p, main_thread)) continue;
    input.doubts[{p, metric::kTimeNs}] = Status::kInvalid;
  }
  const bool is_known = main_thread < input.threads.size();
  if (is_known) {
    const uint64_t ticks = TakeOutCounting(turns, input.nodes, input.threads[main_thread]);
    const double seconds = static_cast<double>(ticks) * input.ns_per_tick * 1e-9;
    pass.wall_s = std::max(0.0, pass.wall_s - seconds);
    pass.facts["counting_s"] = fmt::format("{:.3f}", seconds);
  }
  const std::vector<ThreadPathTotals> nobody;
  pass.facts[kTurnsFact] =
      DescribeTurns(turns, input, is_known ? input.threads[main_thread] : nobody);
}

}  // namespace roofmark::runtime
