// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/left_loops.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "command/pass_directory.h"
#include "command/pass_files.h"
#include "command/passes.h"
#include "command/run/found.h"
#include "command/run/found_files.h"
#include "command/run/sampled_code.h"
#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "lib/found/found_json.h"

namespace roofmark::cli {
namespace {

using ByRank = std::map<uint32_t, Executed>;

// The last execution that noted code counts: another engine made it where the first one did not
// see enough. Empty: the command did not look for loops.
std::string PlaceOfNoting(const std::string& directory) {
  std::string last;
  for (const std::string& place : PassDirectory::PlacesInside(directory)) {
    if (PassDirectory::KindOf(place) == PassKind::kNoting) last = std::max(last, place);
  }
  return last;
}

Result<NestPlan> ReadPlan(const std::string& directory) {
  const std::string name = directory + "/" + kNestsFile;
  const Result<std::string> text = ReadFound(name);
  return text ? NestPlanFromJson(*text, name) : Result<NestPlan>(Error{text.error()});
}

// As --auto has them, once the work pass has ended. No place was counted to compare executions by.
Result<FoundRegions> ReadFoundRegions(const std::string& directory, const std::string& noting,
                                      const std::optional<ProgramKey>& program) {
  FoundRegions found;
  auto plan = ReadPlan(directory);
  if (!plan) return Error{plan.error()};
  found.plan = std::move(*plan);
  auto samples = ReadSamplesIn(directory, program);
  if (!samples) return Error{samples.error()};
  if (samples->empty()) return Error{"the time pass left no samples"};
  found.samples = std::move(*samples);
  Result<ByRank> noted = ReadExecutedIn(noting, program);
  if (!noted) return Error{noted.error()};
  found.executed = MergeExecuted(ValuesOf(std::move(*noted)));
  found.notes = LookAtSamples(found.executed, /*functions=*/false, found.samples).Notes();
  for (auto& [rank, each] : found.samples) {
    each.processes.front().why_not_counted = "`roofmark run` was killed before that";
  }
  return found;
}

std::string Explain(const std::string& why, JobProfile& job) {
  FoundRegions none;
  none.why_none = InWords(message::kLeftLoopsHaveNoTimes, why);
  ExplainNone(none, job);
  return none.why_none;
}

}  // namespace

std::string TimeLeftLoops(const std::string& directory, const std::optional<ProgramKey>& program,
                          bool counted, RooflineFile& file) {
  const std::string noting = PlaceOfNoting(directory);
  if (noting.empty()) return {};
  if (!counted) return Explain("no execution that counts them had ended", file.job);
  if (!std::filesystem::exists(directory + "/" + kNestsFile)) {
    return Explain("none takes 1 % of the time", file.job);
  }
  Result<FoundRegions> found = ReadFoundRegions(directory, noting, program);
  if (!found) return Explain(found.error(), file.job);
  Result<ByRank> executed = ReadExecutedIn(directory, program);
  if (!executed) return Explain(executed.error(), file.job);
  if (executed->empty()) return Explain("the work pass left no executed code", file.job);
  PassResult time;
  const SameWork same = CompareWithWork(*executed, *found, time);
  TimeRegions(*found, *executed, same, file.job);
  file.hot = FindHotLoops(std::move(*executed), std::move(found->samples), file.job);
  return {};
}

}  // namespace roofmark::cli
