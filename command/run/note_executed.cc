// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/note_executed.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "command/output.h"
#include "command/run/executions.h"
#include "command/run/found_files.h"
#include "lib/core/collector_names.h"
#include "lib/core/engine_facts.h"
#include "lib/core/messages/command_run.h"
#include "lib/core/settings.h"
#include "lib/found/parts_at.h"

namespace roofmark::cli {
namespace {

// With less in code that was lost sight of, the loops that take the time are seen.
constexpr double kMostNotExecuted = 0.05;

// The least that notes executed code, outside of regions as well, by the engine that will count:
// another one may show other addresses, by which programs choose their way.
Child NotingChild(const RunOptions& options, const Child& work) {
  Child child = work;
  const bool natively = options.CountsNatively();
  if (!natively) child.environment[VariableName("engine")] = kEngineValgrind;
  if (natively) child.environment[VariableName("outside")] = "on";
  child.environment[VariableName("executed")] = "on";
  child.environment[VariableName("count")] = "flops";
  for (const char* key : {"cache", "sample", "visits", "nests"}) {
    child.environment[VariableName(key)] = std::nullopt;
  }
  return child;
}

struct Noted {
  Executed executed;
  std::string incomplete;  // what the engine says of code that it lost sight of; empty: nothing
};

std::optional<Noted> NoteOnce(const PassDirectory& directory, uint32_t number,
                              const JobProfile& time, const Noting& noting, ChildEnd& end) {
  const Result<std::string> place = directory.Inside(PassKind::kNoting, number);
  if (!place) {
    PassOn(place.error());
    return std::nullopt;
  }
  WorkExtent extent;
  extent.count = "flops";
  extent.native = noting.options.CountsNatively();
  const Expectation expectation = ExpectWork(time, extent);
  const Sequel sequel{time, expectation};
  PassResult result;
  const std::string what = fmt::format(
      "looking for loops under the counting engine: expected to take {}", Describe(expectation));
  const bool go_on = Execute(what, noting.options, NotingChild(noting.options, noting.work),
                             std::string(EngineCollector()), *place, result, &sequel);
  end = result.end;
  if (!go_on) return std::nullopt;
  auto by_rank = ReadExecutedIn(*place, ProgramOf(noting.work));
  if (!by_rank) {
    PassOn(by_rank.error());
    return std::nullopt;
  }
  Noted noted{MergeExecuted(ValuesOf(std::move(*by_rank))), {}};
  if (result.file) {
    const auto& facts = result.file->job.run.passes.front().facts;
    if (const auto found = facts.find(kIncompleteFact); found != facts.end())
      noted.incomplete = found->second;
  }
  return noted;
}

}  // namespace

double ShareNotExecuted(const Samples& samples, const Executed& executed) {
  const PartsByFile by_file(executed);
  uint64_t all = 0, seen = 0;
  for (const SampledModule& module : samples.modules) {
    if (module.file == kVdsoModule || module.file == kAnonymousModule) continue;
    const PartsAt* parts = by_file.Find(module.file);
    for (const SampledPlace& place : module.places) {
      bool is_seen = false;
      if (parts != nullptr) {
        parts->Each(place.offset, [&is_seen](const ExecutedPart&) { is_seen = true; });
      }
      all += place.samples;
      if (is_seen) seen += place.samples;
    }
  }
  return all == 0 ? 0 : 1 - static_cast<double>(seen) / static_cast<double>(all);
}

std::optional<Executed> NoteExecuted(const PassDirectory& directory, const JobProfile& time,
                                     const std::map<uint32_t, Samples>& samples, Noting noting,
                                     ChildEnd& end) {
  const bool may_be_other = noting.options.engine == kEngineAuto && noting.options.CountsNatively();
  std::optional<Noted> noted = NoteOnce(directory, 1, time, noting, end);
  if (noted && may_be_other && !noted->incomplete.empty()) {
    const double share = ShareNotExecuted(MergeSamples(ValuesOf(samples)), noted->executed);
    if (share > kMostNotExecuted) {
      Say(message::kNotFollowedNatively, 100 * share, noted->incomplete);
      noting.options.engine = kEngineValgrind;
      noting.work.environment[VariableName("engine")] = kEngineValgrind;
      noted = NoteOnce(directory, 2, time, noting, end);
    }
  }
  if (!noted) return std::nullopt;
  return std::move(noted->executed);
}

}  // namespace roofmark::cli
