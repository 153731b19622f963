// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "command/self_test/laboratory.h"
#include "command/self_test/self_test.h"
#include "markers/runtime/collectors.h"

namespace roofmark::cli {
namespace {

// Long enough that what an interrupt or a migration disturbs is small beside it; where events take
// turns on the counters, that each has many.
uint64_t RegionNs(const Collector& collector) {
  if (!collector.TimesAreReal()) return 0;
  const std::map<std::string, std::string> facts = collector.Facts();
  const auto groups = facts.find("event_groups");
  const int turns = groups == facts.end() ? 1 : std::atoi(groups->second.c_str());
  return turns > 1 ? static_cast<uint64_t>(turns) * 50'000'000 : 5'000'000;
}

bool WasTested(const std::vector<Check>& checks, const std::string& metric) {
  return std::any_of(checks.begin(), checks.end(),
                     [&](const Check& check) { return check.metric == metric; });
}

// Reasons once, with the metrics that they hold for.
std::vector<NotTested> ListNotTested(const runtime::Choice& choice,
                                     const std::vector<Check>& checks) {
  std::map<std::pair<Status, std::string>, std::string> by_reason;
  for (MetricId id = 0; id < kMetrics; ++id) {
    if (IsTotal(id)) continue;  // sums of what is tested
    const MetricSource& source = choice.sources[id];
    const MetricInfo& info = GetMetric(id);
    const bool counted = HasValue(source.status) && source.origin == choice.name;
    if (counted ? WasTested(checks, info.name) : HasValue(source.status)) continue;
    std::string& names =
        by_reason[{source.status,
                   counted ? "there is no kernel of known work with this name" : source.reason}];
    names += (names.empty() ? "" : ", ") + info.name;
  }
  std::vector<NotTested> list;
  for (const auto& [reason, names] : by_reason)
    list.push_back({names, reason.first, reason.second});
  return list;
}

}  // namespace

size_t SelfTest::CountOff() const {
  return static_cast<size_t>(std::count_if(checks.begin(), checks.end(), [](const Check& check) {
    return check.verdict == Verdict::kOff;
  }));
}

SelfTest RunSelfTest(const Settings& settings, Extent extent) {
  runtime::Choice choice = runtime::ChooseCollectors(settings);
  SelfTest test;
  test.collector = choice.name;
  test.line = choice.error.empty() ? choice.line : choice.error;
  if (choice.counter == nullptr) return test;
  Collector& collector = *choice.counter;
  test.engine = !collector.TimesAreReal();
  collector.SetCounting(roofmark::Extent::kAll);
  Laboratory laboratory(collector, choice.sources, RegionNs(collector));
  RunFlopExercises(laboratory, extent == Extent::kProbe);
  if (extent == Extent::kAll) {
    RunInstructionExercises(laboratory);
    RunThreadExercises(laboratory);
    RunMemoryExercises(laboratory);
  }
  test.checks = laboratory.Judge();
  test.facts = collector.Facts();
  test.not_tested = ListNotTested(choice, test.checks);
  return test;
}

void Merge(SelfTest& into, SelfTest other) {
  const std::vector<Check> known = into.checks;
  for (Check& check : other.checks) {
    const bool twice = std::any_of(known.begin(), known.end(), [&](const Check& each) {
      return each.metric == check.metric && each.exercise == check.exercise;
    });
    if (!twice) into.checks.push_back(std::move(check));
  }
  // What one group leaves out another one counts.
  std::vector<NotTested> still;
  for (const NotTested& each : into.not_tested) {
    std::string names;
    for (size_t at = 0; at < each.metric.size();) {
      const size_t end = std::min(each.metric.find(", ", at), each.metric.size());
      const std::string name = each.metric.substr(at, end - at);
      if (!WasTested(into.checks, name)) names += (names.empty() ? "" : ", ") + name;
      at = end + 2;
    }
    if (!names.empty()) still.push_back({names, each.status, each.reason});
  }
  into.not_tested = std::move(still);
}

}  // namespace roofmark::cli
