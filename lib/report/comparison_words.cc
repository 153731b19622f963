// SPDX-License-Identifier: BSD-3-Clause
//
// A comparison in sentences.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lib/model/health.h"
#include "lib/report/comparison_report.h"
#include "lib/report/format.h"
#include "lib/report/health_words.h"

namespace roofmark {
namespace {

constexpr size_t kMostNamed = 20;

std::string NameOf(const RegionChange& region) {
  const std::string name = Printable(region.path);
  return region.path == region.new_path ? name : name + ", now " + Printable(region.new_path) + ",";
}

std::string Amount(double factor) {
  if (factor >= 3 || factor <= 1.0 / 3) return fmt::format("{:.3g} times", factor);
  return fmt::format("{:.1f} %", std::abs(factor - 1) * 100);
}

// "took 10.2 % more time (+8.1 % to +12.3 %)".
std::string Happened(const Change& change, Quantity quantity) {
  const double factor = *change.factor;
  const bool times = factor >= 3 || factor <= 1.0 / 3;
  const std::string_view more = times ? "" : factor >= 1 ? " more" : " less";
  std::string text;
  switch (quantity) {
    case Quantity::kTime:
      text = fmt::format("took {}{}{}", Amount(factor), times ? " the" : more, " time");
      break;
    case Quantity::kGflops:
      text = fmt::format("has {}{} GFLOP/s", Amount(factor), times ? " the" : more);
      break;
    case Quantity::kIntensity:
      text = fmt::format("has {}{} FLOPs per byte", Amount(factor), times ? " the" : more);
      break;
    case Quantity::kEfficiency:
      text = fmt::format("has {}{} of its efficiency", Amount(factor), more);
      break;
  }
  if (!change.difference) return text;
  const FactorInterval& interval = change.difference->change;
  return fmt::format("{} ({} to {})", text, ChangeText(interval.least), ChangeText(interval.most));
}

std::string Regions(size_t count) {
  return fmt::format("{} region{}", count, count == 1 ? "" : "s");
}

std::string NotTested(const Comparison& comparison) {
  size_t small = 0;
  for (const RegionChange& region : comparison.regions) {
    small +=
        region.presence == Presence::kBoth && region.Of(Quantity::kTime).noise == NoiseKind::kSmall;
  }
  if (small == 0) return {};
  return fmt::format("; {} less than 1 % of both runs and {} not tested",
                     small == 1 ? "1 takes" : fmt::format("{} take", small),
                     small == 1 ? "was" : "were");
}

// "times of old.json do not hold: 4 threads share 2 CPUs ...": why, and the cure.
std::string WhyTimesDoNotHold(const ComparedJobs& jobs) {
  const ReportJob& job = jobs.comparison.doubtful_after ? jobs.after : jobs.before;
  const std::vector<HealthIssue> issues = HealthOf(job.profile, job.analysis);
  const auto reason = std::find_if(issues.begin(), issues.end(), MakesTimesDoubtful);
  return fmt::format("times of {} do not hold: {}", Printable(job.name),
                     reason == issues.end() ? "" : HealthSentence(*reason, job));
}

// Of what happened to time.
void AddTimes(const ComparedJobs& jobs, std::vector<std::string>& sentences) {
  const Comparison& comparison = jobs.comparison;
  if (!comparison.times_hold()) {
    sentences.push_back(
        fmt::format("whether times changed cannot be decided, because {}; or execute both in turns "
                    "(`roofmark run --against OLD -- NEW`)",
                    WhyTimesDoNotHold(jobs)));
    return;
  }
  if (!comparison.noise_known()) {
    const ReportJob& once = comparison.executions_before < 2 ? jobs.before : jobs.after;
    sentences.push_back(fmt::format(
        "noise between runs is not known, because {} has one execution: changes of time may be "
        "noise (`roofmark run --repeat 5` executes more often; `roofmark run --against OLD -- NEW` "
        "executes two commands in turns)",
        Printable(once.name)));
    return;
  }
  const auto changed = Significant(comparison, Quantity::kTime);
  if (changed.empty()) {
    sentences.push_back(fmt::format("no change of time beyond noise, in {}{}",
                                    Regions(comparison.tested), NotTested(comparison)));
    return;
  }
  sentences.push_back(fmt::format("{} of {} changed in time beyond noise{}", changed.size(),
                                  Regions(comparison.tested), NotTested(comparison)));
  for (size_t i = 0; i < std::min(changed.size(), kMostNamed); ++i) {
    sentences.push_back(fmt::format("{} {}", NameOf(*changed[i]),
                                    Happened(changed[i]->Of(Quantity::kTime), Quantity::kTime)));
  }
  if (changed.size() > kMostNamed) {
    sentences.push_back(fmt::format("and {} more", Regions(changed.size() - kMostNamed)));
  }
}

void AddPresence(const Comparison& comparison, Presence presence, std::string_view what,
                 std::vector<std::string>& sentences) {
  std::vector<std::string> names;
  for (const RegionChange& region : comparison.regions) {
    if (region.presence == presence) names.push_back(Printable(region.path));
  }
  if (names.empty()) return;
  const size_t all = names.size();
  if (all > kMostNamed) names.resize(kMostNamed);
  sentences.push_back(
      fmt::format("{}: {}{}", what, fmt::join(names, ", "), all > kMostNamed ? ", ..." : ""));
}

}  // namespace

std::string ChangeText(double factor) {
  if (factor >= 3 || factor <= 1.0 / 3) return fmt::format("x{:.3g}", factor);
  const double percent = (factor - 1) * 100;
  return fmt::format("{:+.1f} %", std::abs(percent) < 0.05 ? 0 : percent);
}

std::vector<std::string> Conclusions(const ComparedJobs& jobs) {
  std::vector<std::string> sentences;
  AddTimes(jobs, sentences);
  AddPresence(jobs.comparison, Presence::kNew, "new", sentences);
  AddPresence(jobs.comparison, Presence::kVanished, "vanished", sentences);
  if (jobs.comparison.noise_known() && !jobs.comparison.interleaved) {
    sentences.push_back(
        "the executions of the two did not take turns: what changed on the machine between them "
        "counts as a change of the program");
  }
  return sentences;
}

std::string RuleSentence(const ChangeRule& rule, const RuleResult& result,
                         const ComparedJobs& jobs) {
  const std::string text = Printable(rule.text());
  switch (result.state) {
    case RuleState::kKept:
      return fmt::format("kept: {}", text);
    case RuleState::kNoRegion:
      return fmt::format("{}: no region of either run has such a name", text);
    case RuleState::kUndecided: {
      const RegionChange& first = *result.regions.front();
      const Change& change = first.Of(rule.quantity());
      std::string why = "noise between runs is not known (`roofmark run --repeat 5`)";
      if (first.presence == Presence::kNew) why = "it is new";
      if (first.presence == Presence::kVanished) why = "it has vanished";
      if (first.presence == Presence::kBoth && !change.factor) why = "one of the runs has no value";
      if (change.noise == NoiseKind::kDoubtful) why = WhyTimesDoNotHold(jobs);
      return fmt::format("undecided: {}: {}: {}", text, NameOf(first), why);
    }
    case RuleState::kBroken:
      break;
  }
  std::vector<std::string> happened;
  for (const RegionChange* region : result.regions) {
    if (happened.size() == kMostNamed) break;
    happened.push_back(fmt::format("{} {}", NameOf(*region),
                                   Happened(region->Of(rule.quantity()), rule.quantity())));
  }
  return fmt::format("broken: {}: {}", text, fmt::join(happened, "; "));
}

}  // namespace roofmark
