// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/measure.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "command/ended.h"
#include "command/output.h"
#include "command/run/executions.h"
#include "command/run/found.h"
#include "command/run/in_turns.h"
#include "command/run/missing.h"
#include "command/run/why_nothing.h"
#include "command/run/work.h"
#include "lib/core/collector_names.h"
#include "lib/profile/join.h"

namespace roofmark::cli {
namespace {

struct Passes {
  PassResult time, work;
  ChildEnd looking;       // of the execution that looks for loops
  bool work_due = false;  // it was to be made, if those before had ended well
  bool work_tried = false;
  bool beyond_limit = false;  // it was due, and would take longer than the user allows
  std::optional<FoundRegions> found;
  std::map<uint32_t, Executed> executed;  // of the work pass, by rank, where regions are timed
  SameWork same;
  std::optional<ProgramKey> program;  // that all this is of

  bool HaveRegions() const { return found && found->why_none.empty(); }
};

// Why a file of the time pass alone lacks what nobody counted.
std::string WhyNoWork(const Passes& passes) {
  const auto how = [](const ChildEnd& end) {
    return end.interrupted ? std::string("was interrupted") : EndedWith(end.status);
  };
  if (passes.work_tried) {
    return fmt::format("the work pass left no counts (it {})", how(passes.work.end));
  }
  if (passes.beyond_limit) return "no work pass was made: --work-limit is too short for it";
  if (!passes.work_due) return "no work pass was made (--work always: it is)";
  const bool looked_in_vain = passes.looking.status != 0 || passes.looking.interrupted;
  if (looked_in_vain) {
    return fmt::format("no work pass was made, because the execution that looks for loops {}",
                       how(passes.looking));
  }
  return fmt::format("no work pass was made, because the time pass {}", how(passes.time.end));
}

// Hardware counters have reasons of their own, which stay.
void ExplainMissingWork(JobProfile& job, const std::string& why) {
  for (const MetricId id : CountedByNobody(job)) job.sources[id].reason = why;
}

std::optional<RooflineFile> Joined(Passes& passes, const SameWork& same) {
  if (passes.time.file && passes.work.file) {
    if (TookTurns(passes.time.file->job)) DropCounts(passes.time.file->job);
    RooflineFile joined;
    joined.job = JoinPasses(passes.time.file->job, passes.work.file->job, same.ratios);
    return joined;
  }
  if (!passes.time.file) return std::move(passes.work.file);
  if (TookTurns(passes.time.file->job)) return std::move(passes.time.file);
  ExplainMissingWork(passes.time.file->job, WhyNoWork(passes));
  return std::move(passes.time.file);
}

// What the time pass left out, and what follows from it.
NextPass DecideAloud(const RunOptions& options, const JobProfile& first) {
  NextPass next = DecideWorkPass(first, options);
  for (const std::string& reason : next.reasons) PassOn(reason);
  if (!next.refused.empty()) PassOn(next.refused);
  return next;
}

// What was executed anyway may tell that all executions did as much; if not, another one does.
void CompareExecutions(const RunOptions& options, const PassDirectory& directory,
                       const Child& time_child, Passes& passes) {
  passes.executed = ReadWorkCode(directory, ProgramOf(time_child));
  passes.same = CompareWithWork(passes.executed, *passes.found, passes.time);
  if (passes.executed.empty() || passes.same.answer == SameWork::Answer::kSame) return;
  if (CountPlaces(options, directory, time_child, passes.time, *passes.found))
    passes.same = CompareWithWork(passes.executed, *passes.found, passes.time);
}

// Loops are found by what the time pass leaves at its end.
FoundRegions NotLookedFor(const ChildEnd& end) {
  FoundRegions none;
  none.why_none = end.interrupted
                      ? "The command was interrupted. Loops are looked for after it has ended."
                      : fmt::format(
                            "The program ended with status {}, so no loops were looked for "
                            "(--ignore-status: they are).",
                            end.status);
  return none;
}

// What follows the time pass.
void ExecuteRest(RunOptions options, const PassDirectory& directory, const Children& children,
                 bool ended_well, Passes& passes) {
  if (!passes.time.file) return;
  const JobProfile& first = passes.time.file->job;
  if (!ended_well) {
    passes.work_due = DecideWorkPass(first, options).execute;
    if (options.find) passes.found = NotLookedFor(passes.time.end);
    return;
  }
  const NextPass next = DecideAloud(options, first);
  Child work = children.work;
  if (options.find) {
    passes.found = FindRegions(options, directory, first, work, passes.looking);
    passes.work_due = !passes.found;
    if (!passes.found) return;
  }
  passes.work_tried = next.execute && ExecuteWork(options, directory, work, next,
                                                  &passes.time.file->job, passes.work);
  passes.beyond_limit = next.execute && !passes.work_tried;
  if (passes.HaveRegions() && passes.work.file)
    CompareExecutions(options, directory, children.time, passes);
}

void ExecuteAll(const RunOptions& options, const PassDirectory& directory, const Children& children,
                Passes& passes) {
  if (RunsUnderEngine(options.collector)) {
    passes.work_tried = ExecuteWork(options, directory, children.work, {}, nullptr, passes.work);
    return;
  }
  const bool ended_well = options.one_execution
                              ? ExecuteInTurns(options, children.time, directory, passes.time)
                              : ExecuteForTime(options, children.time, directory, passes.time);
  ExecuteRest(options, directory, children, ended_well, passes);
}

// Whether loops are looked at.
bool Looks(const RunOptions& options, const Passes& passes) {
  if (!passes.work.file) return false;
  return options.loops || (passes.found && !passes.found->samples.empty());
}

// The work pass's executed code is large: it is read once.
void JoinAndLook(const RunOptions& options, const PassDirectory& directory, Passes& passes,
                 Measured& measured) {
  const bool timed = passes.HaveRegions();
  if (!Looks(options, passes)) {
    measured.file = Joined(passes, {});
    if (measured.file && passes.found && !timed) ExplainNone(*passes.found, measured.file->job);
    return;
  }
  std::map<uint32_t, Executed> executed =
      timed ? std::move(passes.executed) : ReadWorkCode(directory, passes.program);
  measured.file = Joined(passes, passes.same);
  if (timed) TimeRegions(*passes.found, executed, passes.same, measured.file->job);
  if (passes.found && !timed) ExplainNone(*passes.found, measured.file->job);
  auto samples =
      passes.found ? std::move(passes.found->samples) : ReadSamplesAloud(directory, passes.program);
  measured.file->hot = FindHotLoops(std::move(executed), std::move(samples), measured.file->job);
}

// The other programs of the command. Where regions are found, their work belongs to one program.
std::vector<Program> Others(Passes& passes) {
  if (!passes.time.file) return std::move(passes.work.others);
  if (passes.HaveRegions()) return std::move(passes.time.others);
  for (Program& other : passes.time.others) {
    JobProfile& job = other.file.job;
    if (passes.found) ExplainNone(*passes.found, job);
    if (TookTurns(job)) continue;
    if (const Program* same = FindProgram(other.key, passes.work.others)) {
      job = JoinPasses(job, same->file.job);
    } else {
      ExplainMissingWork(job, WhyNoWork(passes));
    }
  }
  return std::move(passes.time.others);
}

// Each process was a job of its own; the library has said so.
bool IsOfOtherMpi(const JobProfile& job) {
  return std::any_of(job.run.passes.begin(), job.run.passes.end(),
                     [](const PassInfo& pass) { return pass.facts.contains(kOtherMpiFact); });
}

// All of them as one.
Measured Together(const RunOptions& options, const PassDirectory& directory, Passes& passes) {
  Measured measured;
  for (const ChildEnd* end : {&passes.time.end, &passes.looking, &passes.work.end}) {
    if (measured.status == 0) measured.status = end->status;
  }
  if (measured.status == 0 && passes.found) measured.status = passes.found->counted.end.status;
  measured.unread = passes.time.unread || passes.work.unread;
  measured.others = Others(passes);
  measured.loops_found = passes.HaveRegions();
  measured.program = passes.program;
  JoinAndLook(options, directory, passes, measured);
  if (measured.status == 0 && measured.file && IsOfOtherMpi(measured.file->job)) {
    measured.status = kFailure;
  }
  const bool ran = passes.time.end.error.empty() && passes.work.end.error.empty();
  const bool interrupted = passes.time.end.interrupted || passes.work.end.interrupted;
  if (!measured.file && ran && !interrupted) {
    PassOn(
        WhyNothing(options.command, measured.status, options.preload || options.find, geteuid()));
  }
  return measured;
}

}  // namespace

Measured Measure(const RunOptions& options, const PassDirectory& directory,
                 const Children& children) {
  Passes passes;
  ExecuteAll(options, directory, children, passes);
  passes.program = ProgramOf(children.time);
  return Together(options, directory, passes);
}

Measured MeasureRest(const RunOptions& options, const PassDirectory& directory,
                     const Children& children, PassResult time, bool ended_well) {
  Passes passes;
  passes.time = std::move(time);
  ExecuteRest(options, directory, children, ended_well, passes);
  passes.program = ProgramOf(children.time);
  return Together(options, directory, passes);
}

}  // namespace roofmark::cli
