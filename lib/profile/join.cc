// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "lib/core/first_names.h"
#include "lib/profile/match_visits.h"
#include "lib/profile/moved_visits.h"
#include "lib/profile/pass_choice.h"
#include "lib/profile/totals.h"

namespace roofmark {
namespace {

constexpr size_t kMostDifferences = 10, kMostScaled = 3;

// "a" 3 and 4 times, "b" 1 and 2 times and 5 more.
std::string DescribeScaled(const std::vector<std::string>& scaled) {
  return fmt::format(
      "the program did not do equally much in the time pass and in the work pass; what was counted "
      "is scaled to the time pass: {}",
      FirstNames(scaled, kMostScaled));
}

std::string DescribeMoved(std::vector<std::string> names) {
  for (std::string& name : names) name = fmt::format("\"{}\"", name);
  return fmt::format(
      "other regions were around {} in the work pass than in the time pass, as they are around "
      "tasks; what was counted goes with the visits of the time pass",
      FirstNames(names, kMostScaled));
}

void AddScaled(const std::string& path, const FoundRatios& ratios,
               std::vector<std::string>& scaled) {
  const auto found = ratios.find(path);
  if (found == ratios.end() || found->second.ratio == 1) return;
  const double counted = found->second.counted;
  scaled.push_back(fmt::format("code of \"{}\" {:.0f} and {:.0f} times", path,
                               counted * found->second.ratio, counted));
}

std::vector<std::string> VisitDifferences(const JobProfile& time, const JobProfile& work,
                                          const JobProfile& joined,
                                          const FoundRatios& found_ratios) {
  std::vector<std::string> differences, scaled;
  for (const PathInfo& info : joined.paths) {
    const int in_time = time.FindPath(info.path), in_work = work.FindPath(info.path);
    if (info.kind == RegionKind::kFound) {  // a time pass knows none
      AddScaled(info.path, found_ratios, scaled);
      continue;
    }
    if (in_time < 0 || in_work < 0) {
      differences.push_back(fmt::format("region \"{}\" was entered only in the {} pass", info.path,
                                        in_time < 0 ? "work" : "time"));
      continue;
    }
    const Cell& a = time.At(static_cast<size_t>(in_time), metric::kVisits);
    const Cell& b = work.At(static_cast<size_t>(in_work), metric::kVisits);
    if (a.ranks != b.ranks) {
      differences.push_back(fmt::format(
          "region \"{}\" was entered by {} ranks in the time pass and by {} in the work pass",
          info.path, a.ranks, b.ranks));
    } else if (a.Sum() != b.Sum()) {
      scaled.push_back(fmt::format("\"{}\" {} and {} times", info.path,
                                   static_cast<uint64_t>(a.Sum()), static_cast<uint64_t>(b.Sum())));
    } else if (a.min != b.min || a.max != b.max) {
      differences.push_back(fmt::format(
          "region \"{}\" was entered by other ranks more often in the time pass than in the work "
          "pass",
          info.path));
    }
  }
  if (differences.size() > kMostDifferences) {
    const size_t more = differences.size() - kMostDifferences;
    differences.resize(kMostDifferences);
    differences.push_back(fmt::format("{} more regions differ between the passes", more));
  }
  if (!scaled.empty()) differences.insert(differences.begin(), DescribeScaled(scaled));
  return differences;
}

// "dispatch.<library>" facts name the code that a library chose for the CPU that it saw.
std::vector<std::string> DispatchDifferences(const PassInfo& time, const PassInfo& work) {
  constexpr std::string_view kPrefix = "dispatch.";
  std::vector<std::string> differences;
  for (const auto& [name, chosen] : time.facts) {
    const auto other = work.facts.find(name);
    if (name.rfind(kPrefix, 0) != 0 || other == work.facts.end() || other->second == chosen)
      continue;
    differences.push_back(
        fmt::format("{} used code for {} in the time pass and for {} in the work pass: FLOPs "
                    "agree, but widths and traffic may differ",
                    name.substr(kPrefix.size()), chosen, other->second));
  }
  return differences;
}

void Append(std::vector<std::string>& into, const std::vector<std::string>& more) {
  for (const std::string& text : more) {
    if (std::find(into.begin(), into.end(), text) == into.end()) into.push_back(text);
  }
}

// Rows of `from` into the rows of the same paths of `into`.
void TakeCells(const JobProfile& from, bool time_metrics, JobProfile& into) {
  for (size_t p = 0; p < from.paths.size(); ++p) {
    const auto row = static_cast<size_t>(into.FindPath(from.paths[p].path));
    for (MetricId id = 0; id < kMetrics; ++id) {
      if (IsOfTimePass(id) == time_metrics) into.cells.Set(row, id, from.At(p, id));
    }
    for (size_t m = 0; m < kSpreads; ++m) {
      const auto measure = static_cast<Drawn>(m);
      if ((measure == Drawn::kTime) != time_metrics) continue;
      into.spreads[row * kSpreads + m] = from.SpreadAt(p, measure);
    }
  }
}

// What one of the passes does not know nobody does. Hardware counters tell nothing of the program
// as a whole, so its counts are the engine's.
CellTable JoinWhole(const CellTable& time, const CellTable& work) {
  if (time.empty() || work.empty()) return {};
  CellTable joined = work;
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (IsOfTimePass(m)) joined.SetColumn(m, time.Column(m));
  }
  return joined;
}

std::optional<CountedBy> SumOf(const JobProfile& job, size_t path, MetricId metric) {
  const Total total = TotalOf(job, path, metric);
  if (!total) return std::nullopt;
  const std::string origin =
      IsTotal(metric) ? OriginOfTotal(job, path, metric) : job.sources[metric].origin;
  return CountedBy{origin, total.status, static_cast<double>(*total.sum)};
}

// What both passes counted, where there was anything. `joined` has the counts of `work` alone,
// scaled to the visits of `time`.
void CheckAcross(const JobProfile& time, JobProfile& joined) {
  for (size_t row = 0; row < joined.paths.size(); ++row) {
    const int in_time = time.FindPath(joined.paths[row].path);
    if (in_time < 0) continue;
    for (const MetricId metric : kCrossChecked) {
      const auto hardware = SumOf(time, static_cast<size_t>(in_time), metric);
      const auto engine = SumOf(joined, row, metric);
      if (!hardware || !engine || (hardware->sum == 0 && engine->sum == 0)) continue;
      joined.paths[row].cross_checks.push_back({metric, *hardware, *engine});
    }
  }
}

// What hardware counted in the time pass and is to stand among the metrics.
void TakeHardware(const JobProfile& time, const PassChoice& choice, JobProfile& joined) {
  const auto taken = [&choice](MetricId id) { return !IsOfTimePass(id) && choice.FromTime(id); };
  for (size_t row = 0; row < joined.paths.size(); ++row) {
    const int in_time = time.FindPath(joined.paths[row].path);
    for (MetricId id = 0; id < kMetrics; ++id) {
      if (!taken(id)) continue;
      joined.cells.Set(row, id, in_time < 0 ? Cell() : time.At(static_cast<size_t>(in_time), id));
    }
    for (const auto& [measure, metric] : {std::pair(Drawn::kFlops, metric::kFlops),
                                          std::pair(Drawn::kDramBytes, metric::kDramBytes)}) {
      if (!taken(metric)) continue;
      joined.spreads[row * kSpreads + static_cast<size_t>(measure)] =
          in_time < 0 ? Spread() : time.SpreadAt(static_cast<size_t>(in_time), measure);
    }
  }
  // A total of other parts: it is added up from what the program has.
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (taken(m)) joined.whole.SetColumn(m, {});
  }
}

}  // namespace

JobProfile JoinPasses(const JobProfile& time, const JobProfile& counted,
                      const FoundRatios& found_ratios) {
  const std::optional<MovedWork> moved = MoveVisits(time, counted);
  const JobProfile& work = moved ? moved->work : counted;
  const PassChoice choice(time, work);
  JobProfile joined;
  joined.run = time.run;
  joined.run.threads_max = std::max(time.run.threads_max, work.run.threads_max);
  TakeHostWork(work.run.hosts, joined.run.hosts);
  JoinDevices(joined.run.devices, work.run.devices);
  joined.run.passes.insert(joined.run.passes.end(), work.run.passes.begin(), work.run.passes.end());
  for (MetricId id = 0; id < kMetrics; ++id) {
    joined.sources[id] = (choice.FromTime(id) ? time : work).sources[id];
  }
  joined.paths = time.paths;
  for (const PathInfo& info : work.paths) {
    const int known = time.FindPath(info.path);
    if (known < 0) {
      joined.paths.push_back(info);
    } else {
      joined.paths[static_cast<size_t>(known)].critical = info.critical;
    }
  }
  std::sort(joined.paths.begin(), joined.paths.end(),
            [](const PathInfo& a, const PathInfo& b) { return a.path < b.path; });
  joined.cells = CellTable(joined.paths.size());
  joined.spreads.resize(joined.paths.size() * kSpreads);
  joined.rank_hosts = time.rank_hosts;
  joined.rank_hosts.insert(work.rank_hosts.begin(), work.rank_hosts.end());
  TakeCells(time, true, joined);
  TakeCells(work, false, joined);
  joined.whole = JoinWhole(time.whole, work.whole);
  MatchVisits(work, joined, found_ratios);
  CheckAcross(time, joined);
  TakeHardware(time, choice, joined);
  Append(joined.run.warnings, work.run.warnings);
  Append(joined.run.warnings, VisitDifferences(time, work, joined, found_ratios));
  if (moved) Append(joined.run.warnings, {DescribeMoved(moved->names)});
  if (!time.run.passes.empty() && !work.run.passes.empty()) {
    Append(joined.run.warnings, DispatchDifferences(time.run.passes[0], work.run.passes[0]));
  }
  return joined;
}

}  // namespace roofmark
