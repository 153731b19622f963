// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/in_turns.h"

#include <algorithm>
#include <string>
#include <vector>

#include "command/output.h"
#include "command/run/executions.h"
#include "lib/core/collector_names.h"
#include "lib/core/first_names.h"
#include "lib/core/messages/command_run.h"
#include "lib/core/terminal_text.h"
#include "lib/profile/match_visits.h"
#include "lib/profile/totals.h"

namespace roofmark::cli {
namespace {

constexpr size_t kMostNamed = 6;

// Regions whose `metric` is of this status, without `others`.
std::vector<std::string> PathsWith(const JobProfile& job, MetricId metric, Status status,
                                   const std::vector<std::string>& others = {}) {
  std::vector<std::string> names;
  for (size_t path = 0; path < job.paths.size(); ++path) {
    const Cell& cell = job.At(path, metric);
    if (cell.ranks == 0 || Worst(cell.status_bits) != status) continue;
    std::string name = Printable(job.paths[path].path);
    if (std::find(others.begin(), others.end(), name) == others.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

// What is not known after it, and how to know it.
void SayWhatIsMissing(const RunOptions& options, const JobProfile& job) {
  const auto untimed = PathsWith(job, metric::kTimeNs, Status::kInvalid);
  if (!untimed.empty()) {
    Say(message::kNoTimesInTurns, FirstNames(untimed, kMostNamed));
  }
  // Of a class that every collector of counts has.
  const auto uncounted = PathsWith(job, metric::kInstructions, Status::kUnsupported);
  if (options.work == kWorkAlways) return;
  const auto unsure = PathsWith(job, metric::kFlopsMargin, Status::kUnsupported, uncounted);
  if (!unsure.empty()) {
    Say(message::kFlopsUncertainInTurns, FirstNames(unsure, kMostNamed));
  }
  if (uncounted.empty()) return;
  Say(message::kNoCountsInTurns, FirstNames(uncounted, kMostNamed));
}

}  // namespace

bool ExecuteInTurns(const RunOptions& options, Child child, const PassDirectory& directory,
                    PassResult& result) {
  child.environment["ROOFMARK_ENGINE"] = kEngineNative;
  child.environment["ROOFMARK_COUNT"] = "flops";
  child.environment["ROOFMARK_VISITS"] = "in-turns";
  const Result<std::string> place = directory.Inside(PassKind::kTurns, 1);
  if (!place) {
    PassOn(place.error());
    return false;
  }
  const bool go_on =
      Execute("one execution under the native engine: visits are timed or counted, in turns",
              options, child, std::string(EngineCollector()), *place, result);
  if (result.file && TookTurns(result.file->job)) SayWhatIsMissing(options, result.file->job);
  return go_on;
}

bool TookTurns(const JobProfile& job) {
  return std::any_of(job.run.passes.begin(), job.run.passes.end(),
                     [](const PassInfo& pass) { return pass.facts.contains(kTurnsFact); });
}

void DropCounts(JobProfile& job) {
  const std::string_view engine = EngineCollector();
  for (MetricId id = 0; id < kMetrics; ++id) {
    if (IsOfTimePass(id) || job.sources[id].origin != engine) continue;
    job.sources[id] = {"", Status::kUnsupported, "the second execution counts"};
    job.cells.SetColumn(id, {});
    if (!job.whole.empty()) job.whole.SetColumn(id, {});
  }
  for (PassInfo& pass : job.run.passes) {
    const auto fact = pass.facts.find(kTurnsFact);
    if (fact == pass.facts.end()) continue;
    fact->second =
        "timed in the others than those that were counted, and these times scaled to all; all "
        "counts are those of a second execution";
  }
}

}  // namespace roofmark::cli
