// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/found.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

#include "command/files.h"
#include "command/loops/collect.h"
#include "command/nests/code.h"
#include "command/nests/plan.h"
#include "command/nests/straight_code.h"
#include "command/output.h"
#include "command/pass_files.h"
#include "command/run/executions.h"
#include "command/run/found_files.h"
#include "command/run/note_executed.h"
#include "command/run/same_work_words.h"
#include "command/run/sampled_code.h"
#include "lib/core/messages/command_run.h"
#include "lib/core/node_identity.h"
#include "lib/core/settings.h"
#include "lib/found/counted_places.h"
#include "lib/found/found_json.h"
#include "lib/found/found_times.h"

namespace roofmark::cli {
namespace {

// Natively. A loop that takes less each time costs the counting engine more to follow than to
// count.
constexpr double kLeastNsEachEntry = 100;

loops::ChooseOptions WantedOf(const RunOptions& options, const Samples& samples) {
  loops::ChooseOptions wanted;
  for (const SampledProcess& process : samples.processes) {
    if (process.threads.empty()) continue;
    const auto period_ns = static_cast<double>(process.threads.front().period_ns);
    wanted.least_each_entry = kLeastNsEachEntry / period_ns;
  }
  if (options.depth > 0) wanted.depth = options.depth;
  wanted.functions_only = options.functions;
  return wanted;
}

FoundRegions None(std::map<uint32_t, Samples> samples, std::string why) {
  FoundRegions none;
  none.samples = std::move(samples);
  none.why_none = std::move(why);
  return none;
}

std::string WithNotes(std::string text, const std::vector<std::string>& notes) {
  for (std::string note : notes) {
    note.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(note.front())));
    text += fmt::format(" {}.", note);
  }
  return text;
}

std::string WhyNothingIsChosen(const loops::Choice& choice, const std::vector<std::string>& notes) {
  // Fewer choose nothing, whatever they have fallen on.
  if (static_cast<double>(choice.samples) < loops::ChooseOptions().least_samples) {
    return "The program took too little CPU time for samples, which tell what takes the time.";
  }
  const double in_loops =
      PercentOf(static_cast<double>(choice.in_nests), static_cast<double>(choice.samples));
  return WithNotes(
      fmt::format("No loop and no function takes 1 % of the time, by {} samples: {:.0f} % of them "
                  "are in loops, the others in functions or in code that was not counted.",
                  choice.samples, in_loops),
      notes);
}

// How good the times are.
std::string Quality(const FoundRegions& found, const SameWork& work,
                    const std::vector<FoundTimes>& times) {
  double wall = 0, cpu = 0, sampled = 0, other = 0, unknown = 0, in_mpi = 0, mpi_cpu = 0;
  for (const FoundTimes& one : times) {
    wall += static_cast<double>(one.wall_ns);
    cpu += one.main_cpu_ns;
    sampled += one.main_sampled_ns;
    other += one.main_other_ns;
    unknown += one.main_unknown_ns;
    in_mpi += one.mpi_wall_ns;
    mpi_cpu += one.mpi_cpu_ns;
  }
  const uint32_t hz = found.samples.begin()->second.processes.front().hz;
  std::string text = fmt::format(
      "Times of loops and functions are estimated from {} samples ({} for each second of a "
      "thread's CPU time).",
      CountSamples(found.samples), hz);
  const auto add = [&](double part, double all, const char* what) {
    if (PercentOf(part, all) >= 1) text += fmt::format(" {:.0f} % {}", PercentOf(part, all), what);
  };
  add(other, sampled,
      "of the main threads' are in code that the counting engine did not execute: they are divided "
      "as the rest of their library is.");
  add(unknown, sampled,
      "of the main threads' are in libraries that the counting engine did not execute.");
  add(cpu - sampled, cpu,
      "of the main threads' CPU time was in the operating system, and belongs to no loop.");
  add(wall - in_mpi - (cpu - mpi_cpu), wall,
      "of the main threads' time they did not run, and it belongs to no loop.");
  if (in_mpi > 0) {
    text +=
        " Time inside calls of MPI was measured at each call, and belongs to where it was made.";
  }
  if (const std::string sentence = DescribeWork(work); !sentence.empty()) text += " " + sentence;
  return WithNotes(std::move(text), found.notes);
}

void LeaveUncounted(const std::string& why, FoundRegions& found) {
  Say(message::kPlacesNotCounted, why);
  for (auto& [rank, samples] : found.samples) samples.processes.front().why_not_counted = why;
}

}  // namespace

std::optional<FoundRegions> FindRegions(RunOptions& options, const PassDirectory& directory,
                                        const JobProfile& time, Child& work, ChildEnd& end) {
  auto samples = ReadSamplesIn(directory.path(), ProgramOf(work));
  if (!samples || samples->empty()) {
    samples ? Say(message::kTimePassHasNoSamples) : PassOn(samples.error());
    return None({}, "The time pass left no samples, so that no loops were looked for.");
  }
  std::optional<Executed> executed = NoteExecuted(directory, time, *samples, {options, work}, end);
  if (!executed) return std::nullopt;
  if (executed->modules.empty()) {
    Say(message::kNoCodeNoted);
    return None(std::move(*samples),
                "The counting engine noted no executed code, so that no loops were looked for.");
  }
  SampledCode sampled = LookAtSamples(*executed, options.functions, *samples);
  const FoundCode& code = sampled.code;
  const Samples& all = sampled.all;
  loops::ChooseOptions wanted = WantedOf(options, all);
  StraightCode straight(*executed, code);
  wanted.computes_beside = [&](uint32_t module, uint32_t function) {
    return straight.Computes(module, function);
  };
  const loops::Choice choice = Choose(sampled.shares, code.modules, wanted);
  if (choice.chosen.empty()) {
    Say(message::kNothingTakesOnePercent);
    work.environment[VariableName("executed")] = "on";
    return None(std::move(*samples), WhyNothingIsChosen(choice, NotesOf(code, sampled.shares)));
  }
  const std::string file = directory.path() + "/" + kNestsFile;
  std::vector<double> with_calls;
  NestPlan plan = PlanOf(code, choice, &with_calls);
  if (!Save(file, NestPlanToJson(plan), /*replace=*/true)) return std::nullopt;
  const double chosen = static_cast<double>(choice.samples - choice.elsewhere);
  Say(message::kRegionsFound, choice.chosen.size(),
      PercentOf(chosen, static_cast<double>(choice.samples)));
  work.environment[VariableName("nests")] = file;
  work.environment[VariableName("executed")] = "on";
  std::vector<ChosenPlace> places = ChoosePlaces(plan, with_calls, all.modules, *executed,
                                                 static_cast<uint32_t>(samples->size()));
  FoundRegions found;
  found.samples = std::move(*samples);
  found.notes = sampled.Notes();
  found.yields = std::move(sampled.yields);
  found.executed = std::move(*executed);
  found.plan = std::move(plan);
  found.places = std::move(places);
  return found;
}

bool CountPlaces(const RunOptions& options, const PassDirectory& directory, const Child& time_child,
                 const PassResult& time, FoundRegions& found) {
  for (const auto& [rank, samples] : found.samples) {
    if (!samples.processes.front().why_not_counted.empty()) return false;
  }
  if (found.places.empty()) return false;
  const Result<std::string> place = directory.Inside(PassKind::kPlaces, 1);
  if (!place) {
    PassOn(place.error());
    return false;
  }
  Child child = time_child;
  child.discard_output = true;
  std::vector<CodePlace> places;
  for (const ChosenPlace& chosen : found.places) places.push_back(chosen.place);
  child.environment[VariableName("places")] = TextOf(places);
  const double wall_s = time.file->job.run.passes.front().wall_s;
  const Sequel sequel{time.file->job, {wall_s, wall_s}};
  RunOptions can_do_without = options;
  can_do_without.ignore_status = true;
  const bool go_on = Execute(
      fmt::format("time pass once more, in which the executions of {} places of the code are "
                  "counted: about {}",
                  found.places.size(), Duration(wall_s)),
      can_do_without, child, options.collector, *place, found.counted, &sequel);
  const ChildEnd& end = found.counted.end;
  if (end.interrupted) {
    LeaveUncounted("that execution was interrupted", found);
    return true;
  }
  if (!go_on || end.status != time.end.status) {
    LeaveUncounted("the program ended otherwise where they were counted", found);
    found.counted = {};  // its status is not that of the command
    return true;
  }
  auto samples = ReadSamplesIn(*place, ProgramOf(time_child));
  const bool whole = samples && samples->size() == found.samples.size();
  if (!found.counted.file || !whole) return true;
  for (auto& [rank, each] : *samples) DropIdle(found.yields, each);
  found.counted_samples = std::move(*samples);
  return true;
}

std::map<uint32_t, Executed> ReadWorkCode(const PassDirectory& directory,
                                          const std::optional<ProgramKey>& program) {
  auto executed = ReadExecutedIn(directory.path(), program);
  if (executed && !executed->empty()) return std::move(*executed);
  executed ? Say(message::kWorkPassHasNoCode) : PassOn(executed.error());
  return {};
}

std::map<uint32_t, Samples> ReadSamplesAloud(const PassDirectory& directory,
                                             const std::optional<ProgramKey>& program) {
  auto samples = ReadSamplesIn(directory.path(), program);
  if (samples) return std::move(*samples);
  PassOn(samples.error());
  return {};
}

SameWork CompareWithWork(const std::map<uint32_t, Executed>& executed, FoundRegions& found,
                         PassResult& time) {
  const bool was_counted = !found.counted_samples.empty();
  std::vector<RankWork> ranks;
  for (const auto& [rank, samples] : was_counted ? found.counted_samples : found.samples) {
    const auto same = executed.find(rank);
    if (same != executed.end()) ranks.push_back({&samples, &same->second});
  }
  SameWork work;
  work.why_unknown = "the work pass did not say which code it executed";
  if (ranks.size() != found.samples.size()) return work;
  work = CompareWork(ranks, found.places, found.executed);
  if (was_counted && work.answer == SameWork::Answer::kDiffers) {
    found.samples = std::move(found.counted_samples);
    time = std::move(found.counted);
  }
  return work;
}

void ExplainNone(const FoundRegions& found, JobProfile& job) {
  if (!job.run.passes.empty()) job.run.passes.front().facts[kFoundFact] = found.why_none;
}

void TimeRegions(const FoundRegions& found, const std::map<uint32_t, Executed>& executed,
                 const SameWork& work, JobProfile& job) {
  std::vector<FoundTimes> times;
  for (const auto& [rank, samples] : found.samples) {
    const auto same = executed.find(rank);
    if (same != executed.end()) times.push_back(EstimateTimes(samples, same->second, found.plan));
  }
  if (times.empty()) return;
  SetFoundTimes(times, job);
  job.run.passes.front().facts[kFoundFact] = Quality(found, work, times);
  DropDoubtfulCounts(work, job);
  WarnOf(work, job);
}

HotLoops FindHotLoops(std::map<uint32_t, Executed> executed, std::map<uint32_t, Samples> samples,
                      const JobProfile& job) {
  if (executed.empty()) return {};
  HotLoops hot = CollectHotLoops(MergeExecuted(ValuesOf(std::move(executed))),
                                 MergeSamples(ValuesOf(std::move(samples))));
  // The job may have run on other nodes than this command.
  const std::vector<HostInfo>& hosts = job.run.hosts;
  if (!hosts.empty() && hosts[0].kind != KindOf(ReadNodeIdentity())) {
    hot.cpu_vendor.clear();
    hot.cpu_family = hot.cpu_model = 0;
  }
  return hot;
}

}  // namespace roofmark::cli
