// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/join.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "lib/profile/match_visits.h"

namespace roofmark {
namespace {

constexpr size_t kMostDifferences = 10, kMostScaled = 3;

// "a" 3 and 4 times, "b" 1 and 2 times and 5 more.
std::string DescribeScaled(const std::vector<std::string>& scaled) {
  const size_t named = std::min(scaled.size(), kMostScaled);
  std::string text = fmt::format("{}", fmt::join(std::span(scaled).first(named), ", "));
  if (named < scaled.size()) text += fmt::format(" and {} more", scaled.size() - named);
  return fmt::format(
      "the program did not do equally much in the time pass and in the work pass; what was counted "
      "is scaled to the time pass: {}",
      text);
}

std::vector<std::string> VisitDifferences(const JobProfile& time, const JobProfile& work,
                                          const JobProfile& joined) {
  std::vector<std::string> differences, scaled;
  for (const PathInfo& info : joined.paths) {
    const int in_time = time.FindPath(info.path), in_work = work.FindPath(info.path);
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
      if (IsOfTimePass(id) == time_metrics) into.At(row, id) = from.At(p, id);
    }
    for (size_t m = 0; m < kSpreads; ++m) {
      const auto measure = static_cast<Drawn>(m);
      if ((measure == Drawn::kTime) != time_metrics) continue;
      into.spreads[row * kSpreads + m] = from.SpreadAt(p, measure);
    }
  }
}

// What one of the passes does not know nobody does.
std::vector<Cell> JoinWhole(const std::vector<Cell>& time, const std::vector<Cell>& work) {
  if (time.empty() || work.empty()) return {};
  std::vector<Cell> joined = work;
  for (size_t i = 0; i < joined.size(); ++i) {
    if (IsOfTimePass(static_cast<MetricId>(i % kMetrics))) joined[i] = time[i];
  }
  return joined;
}

}  // namespace

JobProfile JoinPasses(const JobProfile& time, const JobProfile& work) {
  JobProfile joined;
  joined.run = time.run;
  joined.run.threads_max = std::max(time.run.threads_max, work.run.threads_max);
  TakeHostWork(work.run.hosts, joined.run.hosts);
  joined.run.passes.insert(joined.run.passes.end(), work.run.passes.begin(), work.run.passes.end());
  for (MetricId id = 0; id < kMetrics; ++id) {
    joined.sources[id] = (IsOfTimePass(id) ? time : work).sources[id];
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
  joined.cells.resize(joined.paths.size() * kMetrics);
  joined.spreads.resize(joined.paths.size() * kSpreads);
  joined.rank_hosts = time.rank_hosts;
  joined.rank_hosts.insert(work.rank_hosts.begin(), work.rank_hosts.end());
  TakeCells(time, true, joined);
  TakeCells(work, false, joined);
  joined.whole = JoinWhole(time.whole, work.whole);
  MatchVisits(work, joined);
  Append(joined.run.warnings, work.run.warnings);
  Append(joined.run.warnings, VisitDifferences(time, work, joined));
  if (!time.run.passes.empty() && !work.run.passes.empty()) {
    Append(joined.run.warnings, DispatchDifferences(time.run.passes[0], work.run.passes[0]));
  }
  return joined;
}

}  // namespace roofmark
