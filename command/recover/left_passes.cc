// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/left_passes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "command/files.h"
#include "command/forked.h"
#include "command/parts.h"
#include "command/pass_directory.h"
#include "command/pass_files.h"
#include "command/programs.h"
#include "command/recover/left_loops.h"
#include "command/run/executions.h"
#include "command/run/in_turns.h"
#include "command/run/options.h"
#include "lib/core/collector_names.h"
#include "lib/core/messages/command.h"
#include "lib/core/messages/command_run.h"
#include "lib/profile/join.h"
#include "lib/profile/join_groups.h"
#include "lib/profile/repeats.h"

namespace roofmark::cli {
namespace {

bool HoldsAny(const std::string& place) { return !FilesIn(place, "").AreNone(); }

// What one collector left of an execution.
struct LeftExecution {
  std::string collector;
  JobProfile job;
};

class LeftJoiner {
 public:
  Result<RooflineFile> Run(const std::string& directory) {
    for (LeftExecution& first : ExecutionsIn(directory)) {
      RunsUnderEngine(first.collector) ? Take(std::move(first), work_)
                                       : Take(std::move(first), times_);
    }
    for (const std::string& place : PassDirectory::PlacesInside(directory)) TakePlace(place);
    if (times_.empty() && work_.empty()) {
      if (notes_.empty()) notes_ = {InWords(message::kNoPassesToRecover)};
      return Error{fmt::format("{}: {}", directory, fmt::join(notes_, "; "))};
    }
    const bool counted = !work_.empty(), timed = !times_.empty();
    RooflineFile file;
    file.job = Joined();
    if (timed) {
      std::string why = TimeLeftLoops(directory, choice_.key(), counted, file);
      if (!why.empty()) notes_.push_back(std::move(why));
    }
    auto& warnings = file.job.run.warnings;
    warnings.push_back(
        InWords(message::kPassesWereLeft, counted ? "" : ": what it counts is missing"));
    warnings.insert(warnings.end(), notes_.begin(), notes_.end());
    return file;
  }

 private:
  using Jobs = std::vector<JobProfile>;

  void TakePlace(const std::string& place) {
    const std::optional<PassKind> kind = PassDirectory::KindOf(place);
    if (!kind) return notes_.push_back(InWords(message::kUnknownPass, place));
    // They looked for loops, for executions that follow.
    if (kind == PassKind::kNoting || kind == PassKind::kPlaces) return;
    for (LeftExecution& left : ExecutionsIn(place)) {
      Take(std::move(left), kind == PassKind::kCounters ? counters_ : times_);
    }
  }

  std::vector<LeftExecution> ExecutionsIn(const std::string& place) {
    std::vector<LeftExecution> executions;
    for (const std::string& collector : CollectorsIn(place)) {
      const PassFiles left = FilesIn(place, collector + ".");
      std::vector<RooflineFile> files;
      for (const std::string& name : left.whole) {
        Result<RooflineFile> file = ReadRoofline(name, ComesFrom::kDirectory);
        file ? files.push_back(std::move(*file)) : notes_.push_back(file.error());
      }
      if (!HasUnforked(files)) {
        auto merged = MergePartFiles(left.parts, notes_);
        if (merged) files.push_back(std::move(*merged));
      }
      if (auto job = Chosen(std::move(files))) executions.push_back({collector, std::move(*job)});
    }
    return executions;
  }

  std::optional<JobProfile> Chosen(std::vector<RooflineFile> files) {
    if (files.empty()) return std::nullopt;
    std::vector<Program> programs = ProgramsOf(choice_.JoinForked(std::move(files)));
    const std::optional<size_t> chosen = choice_.In(programs, notes_);
    if (!chosen) return std::nullopt;
    return std::move(programs[*chosen].file.job);
  }

  // The last execution may have been on its way.
  void Take(LeftExecution left, Jobs& into) {
    const RunInfo& run = left.job.run;
    ranks_ = std::max(ranks_, run.ranks_merged);
    if (run.ranks_merged < ranks_) {
      return notes_.push_back(
          InWords(message::kPassIsIncomplete, run.ranks_merged, run.ranks, left.collector));
    }
    const std::string why = left.collector == kGpuCollector ? WhyNoGpu(left.job) : "";
    if (!why.empty()) return notes_.push_back(InWords(message::kNothingCountedOnGpus, why));
    into.push_back(std::move(left.job));
  }

  JobProfile Joined() {
    if (times_.empty()) return std::move(work_.front());
    counters_.insert(counters_.begin(), JoinRepeats(std::move(times_)));
    JobProfile job = JoinGroups(counters_);
    if (work_.empty()) return job;
    if (TookTurns(job)) DropCounts(job);
    return JoinPasses(job, work_.front());
  }

  ProgramChoice choice_{""};
  Jobs times_, counters_, work_;
  uint32_t ranks_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace

bool HoldsFiles(const std::string& directory) {
  const std::vector<std::string> inside = PassDirectory::PlacesInside(directory);
  return HoldsAny(directory) || std::any_of(inside.begin(), inside.end(), &HoldsAny);
}

Result<std::optional<std::string>> FindLeftPasses(const std::vector<std::string>& directories) {
  std::vector<std::string> found;
  for (const std::string& directory :
       directories.empty() ? PassDirectory::LeftIn(".") : directories) {
    if (PassDirectory::IsName(directory) && HoldsFiles(directory)) found.push_back(directory);
  }
  if (found.empty()) return std::optional<std::string>();
  if (found.size() == 1) return std::optional(found.front());
  std::sort(found.begin(), found.end());
  return Error{InWords(message::kSeveralLeftPasses, fmt::format("{}", fmt::join(found, ", ")))};
}

Result<RooflineFile> JoinLeftPasses(const std::string& directory) {
  return LeftJoiner().Run(directory);
}

}  // namespace roofmark::cli
