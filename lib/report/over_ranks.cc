// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/over_ranks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "lib/core/table.h"
#include "lib/model/work.h"
#include "lib/report/format.h"

namespace roofmark {
namespace {

constexpr Named<Drawn> kDrawn[] = {
    {Drawn::kTime, "time"}, {Drawn::kFlops, "FLOPs"}, {Drawn::kDramBytes, "DRAM bytes"}};
static_assert(InOrder(kDrawn, Drawn::kDramBytes));

// Farther out than this from the median is worth a line.
constexpr double kNotable = 0.05;

std::string Shown(Drawn drawn, uint64_t value) {
  const auto number = static_cast<double>(value);
  if (drawn == Drawn::kTime) return Seconds(number * 1e-9);
  return SiUnit(number, drawn == Drawn::kFlops ? "FLOP" : "B");
}

std::string Who(const JobProfile& job, const Ranked& ranked, Drawn drawn) {
  const auto host = job.rank_hosts.find(ranked.rank);
  return fmt::format("rank {}{} {}", ranked.rank,
                     host == job.rank_hosts.end() ? "" : " on " + Printable(host->second),
                     Shown(drawn, ranked.value));
}

// Of the run: regions that take less are not judged.
constexpr double kMatters = 0.01;

// An estimate above the whole says no more than that.
std::string MarkersPercent(double share) { return share > 1 ? ">100 %" : Percent(share); }

std::string MaxAndMean(const Cell& cell) {
  return fmt::format("{} (mean {})", Seconds(static_cast<double>(cell.max) * 1e-9),
                     Seconds(cell.mean * 1e-9));
}

}  // namespace

std::string_view DrawnName(Drawn drawn) { return RowOf(kDrawn, drawn).name; }

std::string SpreadSentence(const JobProfile& job, size_t path, Drawn drawn) {
  const Spread& spread = job.SpreadAt(path, drawn);
  if (spread.ranks < 2) return {};
  const auto median = static_cast<double>(Percentile(spread, 50));
  const Ranked &least = spread.lowest[0], &most = spread.highest[0];
  if (static_cast<double>(most.value) <= (1 + kNotable) * median &&
      static_cast<double>(least.value) >= (1 - kNotable) * median) {
    return {};
  }
  return fmt::format(
      "{} over {} ranks: median {}, 5th to 95th percentile {} to {}; most: {}, "
      "least: {}",
      RowOf(kDrawn, drawn).name, spread.ranks, Shown(drawn, Percentile(spread, 50)),
      Shown(drawn, Percentile(spread, 5)), Shown(drawn, Percentile(spread, 95)),
      Who(job, most, drawn), Who(job, least, drawn));
}

std::string CostSentence(const JobProfile& job) {
  const OwnCost& cost = job.run.cost;
  std::vector<std::string> parts;
  if (cost.startup_ns.ranks > 0) parts.push_back("start-up " + MaxAndMean(cost.startup_ns));
  if (cost.finalize_ns.ranks > 0) parts.push_back("finalize " + MaxAndMean(cost.finalize_ns));
  double most = -1;
  for (size_t p = 0; p < job.paths.size(); ++p) {
    const Value share = MarkerShare(job, p), of_run = TimeShare(job, p);
    if (share && (!of_run || *of_run >= kMatters)) most = std::max(most, *share);
  }
  if (most >= 0 && cost.marker_pair_ps.ranks > 0) {
    parts.push_back(fmt::format("markers {} a pair, at most {} of a region's time",
                                Seconds(cost.marker_pair_ps.mean * 1e-12), MarkersPercent(most)));
  }
  if (parts.empty()) return {};
  return fmt::format("roofmark's own cost: {}", fmt::join(parts, ", "));
}

}  // namespace roofmark
