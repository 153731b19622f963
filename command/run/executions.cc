// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/executions.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

#include "command/ended.h"
#include "command/output.h"
#include "command/recover/pass_spools.h"
#include "command/run/job_end.h"
#include "command/run/progress.h"
#include "lib/core/collector_names.h"
#include "lib/core/device_facts.h"
#include "lib/core/messages/command_run.h"
#include "lib/profile/join_groups.h"
#include "lib/profile/repeats.h"

namespace roofmark::cli {
namespace {

// The groups that together count everything (ROOFMARK_GROUP), the one of the time pass first: it
// should cost little.
constexpr const char* kGroupsApart[] = {"dp", "sp", "mem", "cache", "mix"};

// How a pass that did not end well ended, in one sentence.
std::string DescribeEnd(const RunOptions& options, const std::string& collector,
                        const PassResult& result) {
  if (!result.end.error.empty()) return result.end.error;
  std::string text = options.command[0];
  text += result.end.interrupted ? " was interrupted" : " " + EndedWith(result.end.status);
  if (result.file) text += "; the measurements until then are kept";
  const bool work_may_follow = !RunsUnderEngine(collector) && options.work != kWorkNever &&
                               (options.collector == "auto" || options.work == kWorkAlways);
  if (result.file && work_may_follow && !result.end.interrupted && !options.ignore_status) {
    text += ". No work pass follows (--ignore-status: it does)";
  }
  return text;
}

// The processes of the pass on this node.
std::vector<JobProfile> Running(const std::string& output, std::filesystem::file_time_type begin) {
  constexpr size_t kMost = 16;  // ranks are alike
  std::vector<JobProfile> running;
  for (const FoundSpool& found : SpoolsOfPass(output, begin, 0).running) {
    if (running.size() < kMost) running.push_back(FoldFound(found));
  }
  return running;
}

void TellForecast(const PassForecast::Found& found, bool is_work) {
  Say(message::kPassForecast, 100 * found.share, Duration(found.elapsed_s), Duration(found.left_s));
  const std::string too_short =
      WhyJobIsTooShort({found.left_s, found.left_s}, LeftOfJob(), is_work);
  if (!too_short.empty()) PassOn(too_short);
}

PassResult Watched(const Child& child, const std::string& collector, const std::string& directory,
                   const Sequel& sequel) {
  const std::string output = OutputOfPass(collector, directory);
  const auto begin = std::filesystem::file_time_type::clock::now();
  const LookAtRunning look = [&] { return Running(output, begin); };
  if (isatty(STDERR_FILENO) == 0) {
    PassForecast forecast(sequel.time, look, [&sequel](const PassForecast::Found& found) {
      TellForecast(found, sequel.is_work);
    });
    return RunPass(child, collector, directory, [&forecast] { forecast.Tick(); });
  }
  PassProgress progress(sequel.time, sequel.expectation, look, STDERR_FILENO);
  return RunPass(child, collector, directory, [&progress] { progress.Tick(); });
}

double WallOf(const JobProfile& job) {
  return job.run.passes.empty() ? 0 : job.run.passes[0].wall_s;
}

// One of those that take as long as the first.
struct Alike {
  std::string what, collector;
  const Child& child;
};

bool ExecuteIn(const RunOptions& options, const Alike& pass, const std::string& place,
               const JobProfile* first, PassResult& result) {
  if (first == nullptr) {
    return Execute(pass.what, options, pass.child, pass.collector, place, result);
  }
  const double wall_s = WallOf(*first);
  const Sequel sequel{*first, {wall_s, wall_s}};
  return Execute(fmt::format("{}: about {}", pass.what, Duration(wall_s)), options, pass.child,
                 pass.collector, place, result, &sequel);
}

// The directory of the time pass of this number is a new one, but for the first.
Result<std::string> PlaceOf(const PassDirectory& directory, uint32_t number) {
  return number == 1 ? Result<std::string>(directory.path())
                     : directory.Inside(PassKind::kTime, number);
}

// Executions for time. False if nothing more should be tried.
bool Repeat(const RunOptions& options, const Child& child, const PassDirectory& directory,
            PassResult& result) {
  TimePasses passes(options, child);
  bool go_on = true;
  for (uint32_t number = 1; go_on && number <= options.repeat; ++number) {
    const std::string what = options.repeat == 1
                                 ? "time pass"
                                 : fmt::format("time pass {} of {}", number, options.repeat);
    const Result<std::string> place = PlaceOf(directory, number);
    if (!place) PassOn(place.error());
    go_on = place && passes.Execute(what, *place);
  }
  result = passes.Join();
  return go_on;
}

constexpr char kGroup[] = "ROOFMARK_GROUP";

// An execution that counts what those before it cannot.
struct Further {
  std::string what, collector, group;
};

std::vector<Further> FurtherExecutions(const RunOptions& options) {
  if (options.CountsGpus()) {
    return {{"kernels and copies of GPUs, with their times", kGpuCollector, "time"},
            {"what kernels execute on GPUs", kGpuCollector, "auto"},
            {"traffic of GPUs", kGpuCollector, "mem"},
            {"traffic of GPUs over PCIe and NVLink", kGpuCollector, "links"}};
  }
  std::vector<Further> further;
  if (options.groups.empty()) return further;
  for (const char* group : kGroupsApart) {
    if (group == kGroupsApart[0]) continue;  // of the execution for time
    further.push_back({fmt::format("counters of ROOFMARK_GROUP={}, {} of {}", group,
                                   further.size() + 2, std::size(kGroupsApart)),
                       options.collector, group});
  }
  return further;
}

// It is said, and the file says so.
bool EndsForLackOfGpus(const JobProfile& counted, JobProfile& first) {
  const std::string why = WhyNoGpu(counted);
  if (why.empty()) return false;
  Say(message::kNothingCountedOnGpus, why);
  first.run.warnings.push_back(InWords(message::kNothingCountedOnGpus, why));
  return true;
}

// Each once. What was counted before one that fails is kept.
bool CountMore(const RunOptions& options, Child child, const PassDirectory& directory,
               const std::vector<Further>& further, PassResult& result) {
  std::vector<JobProfile> counted = {result.file->job};
  bool go_on = true;
  uint32_t number = 0;
  for (const Further& next : further) {
    child.environment[kGroup] = next.group;
    PassResult one;
    const Result<std::string> place = directory.Inside(PassKind::kCounters, ++number);
    if (!place) PassOn(place.error());
    go_on = place &&
            ExecuteIn(options, {next.what, next.collector, child}, *place, &counted.front(), one);
    result.unread = result.unread || one.unread;
    result.end = one.end;
    if (!go_on) break;
    if (options.CountsGpus() && EndsForLackOfGpus(one.file->job, counted.front())) break;
    counted.push_back(std::move(one.file->job));
  }
  result.file->job = JoinGroups(counted);
  return go_on;
}

}  // namespace

std::string WhyNoGpu(const JobProfile& job) {
  if (!job.run.devices.empty()) return {};
  for (const PassInfo& pass : job.run.passes) {
    const auto why = pass.facts.find(kNoCountersFact);
    if (why != pass.facts.end()) return why->second;
    const auto around = pass.facts.find(kGpuSurroundingsFact);
    if (around != pass.facts.end()) {
      return fmt::format("the program used none; {}", around->second);
    }
  }
  return "the program used none";
}

bool Execute(const std::string& what, const RunOptions& options, const Child& child,
             const std::string& collector, const std::string& directory, PassResult& result,
             const Sequel* sequel) {
  PassOn(what);
  Child executed = child;
  executed.ends_with_command = sequel != nullptr;
  result = sequel != nullptr ? Watched(executed, collector, directory, *sequel)
                             : RunPass(executed, collector, directory);
  for (const std::string& note : result.notes) PassOn(note);
  const ChildEnd& end = result.end;
  if (end.status != 0 || end.interrupted) PassOn(DescribeEnd(options, collector, result));
  if (!result.file || !end.error.empty() || end.interrupted) return false;
  return end.status == 0 || options.ignore_status;
}

bool TimePasses::Execute(const std::string& what, const std::string& place) {
  const JobProfile* before = measured_.empty() ? nullptr : &measured_.front();
  PassResult one;
  // What counts on GPUs stops them at each boundary: times are of an execution without it.
  const std::string collector = options_.CountsGpus() ? "auto" : options_.collector;
  const bool go_on = ExecuteIn(options_, {what, collector, child_}, place, before, one);
  unread_ = unread_ || one.unread;
  const bool kept = one.file && (go_on || measured_.empty());
  if (kept) measured_.push_back(one.file->job);
  if (kept || measured_.empty()) {
    last_ = std::move(one);
  } else {
    last_.end = one.end;
  }
  return go_on;
}

PassResult TimePasses::Join() {
  last_.unread = unread_;
  if (last_.file) last_.file->job = JoinRepeats(std::move(measured_));
  return std::move(last_);
}

bool ExecuteForTime(const RunOptions& options, const Child& child, const PassDirectory& directory,
                    PassResult& result) {
  Child first = child;
  if (!options.groups.empty()) first.environment[kGroup] = kGroupsApart[0];
  const bool go_on = Repeat(options, first, directory, result);
  const std::vector<Further> further = FurtherExecutions(options);
  if (!go_on || !result.file || further.empty()) return go_on;
  return CountMore(options, child, directory, further, result);
}

}  // namespace roofmark::cli
