// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/same_work_words.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "lib/core/first_names.h"

namespace roofmark::cli {
namespace {

struct Reason {
  std::string_view as, cure;
};
// Why programs do not do equally much each time. Without places to compare both are possible.
Reason WhyOf(const SameWork& work) {
  constexpr Reason kTime = {"as one that runs until a time is over",
                            "Give it a fixed amount of work, such as a number of iterations"};
  constexpr Reason kChance = {"as one whose tables depend on addresses or on chance",
                              "With Python, PYTHONHASHSEED=0 makes executions more alike"};
  constexpr Reason kEither = {
      "as one that runs until a time is over, polls, or whose tables depend on addresses or on "
      "chance",
      "A fixed amount of work, such as a number of iterations, makes executions more alike"};
  if (work.places == 0) return kEither;
  return work.differs_little ? kChance : kTime;
}

}  // namespace

std::string DescribeWork(const SameWork& work) {
  switch (work.answer) {
    case SameWork::Answer::kSame:
      if (work.places == 0) {
        return fmt::format(
            "{} of its code called MPI as often in this execution as in both under the counting "
            "engine.",
            work.calls == 1 ? "One place" : fmt::format("{} places", work.calls));
      }
      return fmt::format(
          "{} executed as often in another execution without the counting engine as under it.",
          work.places == 1 ? "One place of its code was"
                           : fmt::format("{} places of its code were", work.places));
    case SameWork::Answer::kUnknown:
      return fmt::format(
          "It was not checked whether this execution did as much as the one that was counted: {}.",
          work.why_unknown);
    case SameWork::Answer::kDiffers:
      break;
  }
  return {};
}

void WarnOf(const SameWork& work, JobProfile& job) {
  if (work.answer != SameWork::Answer::kDiffers) return;
  std::vector<std::string> doubtful;
  for (const PathInfo& info : job.paths) {
    const bool found = info.kind == RegionKind::kFound;
    if (found && work.IsDoubtful(info.path)) doubtful.push_back(fmt::format("\"{}\"", info.path));
  }
  if (work.IsDoubtful("")) doubtful.emplace_back("the program as a whole");
  if (doubtful.empty()) return;
  const std::string regions = FirstNames(doubtful, 3);
  const Reason why = WhyOf(work);
  job.run.warnings.push_back(fmt::format(
      "the program did not do equally much in its executions, {}; how much of the work of {} was "
      "done in the time pass is not known, so what was counted there is not shown. {}",
      why.as, regions, why.cure));
}

}  // namespace roofmark::cli
