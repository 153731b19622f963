// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark nests: which loops and functions take the time, and a file that makes regions of them.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/commands.h"
#include "command/files.h"
#include "command/nests/code.h"
#include "command/nests/idle.h"
#include "command/nests/plan.h"
#include "command/nests/straight_code.h"
#include "command/output.h"
#include "lib/core/file.h"
#include "lib/core/limits.h"
#include "lib/core/messages/command.h"
#include "lib/found/found_json.h"
#include "lib/samples/samples_json.h"

namespace roofmark::cli {
namespace {

struct NestsOptions {
  std::vector<std::string> executed, samples;
  std::string output;
  double percent = 1;
  uint32_t most = 50;
  uint32_t depth = 0;  // 0: all
  bool functions = false;
};

// What the files of all processes have. Nothing if one cannot be read, which is said.
template <typename T>
std::optional<std::vector<T>> ReadAll(const std::vector<std::string>& names, size_t most_bytes,
                                      Result<T> (*read)(std::string_view, const std::string&)) {
  std::vector<T> parts;
  for (const std::string& name : names) {
    const Result<std::string> text = ReadFile(name, most_bytes);
    Result<T> part = text ? read(*text, name) : Result<T>(Error{text.error()});
    if (!part) {
      PassOn(part.error());
      return std::nullopt;
    }
    parts.push_back(std::move(*part));
  }
  return parts;
}

void Show(const FoundCode& code, const loops::Choice& choice, const std::string& of) {
  const auto percent = [all = static_cast<double>(choice.samples)](auto part) {
    return PercentOf(static_cast<double>(part), all);
  };
  Print("{:>7} {:>7}  loop or function\n", "all %", "own %");
  for (const loops::Chosen& chosen : choice.chosen) {
    Print("{:7.1f} {:7.1f}  {}\n", percent(chosen.with_calls), percent(chosen.own_samples),
          NameOf(code, chosen));
  }
  Print("{:7.1f} {:7.1f}  (elsewhere)\n", percent(choice.elsewhere), percent(choice.elsewhere));
  Print(
      "Shares of {} {}; {:.1f} % are in loops. What a loop calls is in the first share, as if all "
      "calls of a function took equally long.\n",
      choice.samples, of, percent(choice.in_nests));
}

int Find(const NestsOptions& options) {
  auto executed = ReadAll<Executed>(options.executed, limits::kRooflineBytes, ExecutedFromJson);
  auto samples = ReadAll<Samples>(options.samples, limits::kSamplesBytes, SamplesFromJson);
  if (!executed || !samples) return kFailure;
  const Executed code_executed = MergeExecuted(std::move(*executed));
  const FoundCode code = FindCode(code_executed, options.functions);
  const bool timed = !options.samples.empty();
  Samples all = MergeSamples(std::move(*samples));
  DropIdle(YieldsIn(code), all);
  const std::vector<loops::Sample> shares =
      timed ? SamplesIn(all, code_executed, code) : InstructionsIn(code_executed);
  for (const std::string& note : NotesOf(code, shares)) PassOn(note);
  loops::ChooseOptions wanted;
  wanted.least_share = options.percent / 100;
  wanted.most = options.most;
  if (options.depth > 0) wanted.depth = options.depth;
  wanted.functions_only = options.functions;
  StraightCode straight(code_executed, code);
  wanted.computes_beside = [&](uint32_t module, uint32_t function) {
    return straight.Computes(module, function);
  };
  const loops::Choice choice = Choose(shares, code.modules, wanted);
  if (choice.samples == 0) {
    timed ? Say(message::kFilesHaveNoSamples) : Say(message::kFilesHaveNoCode);
    return kFailure;
  }
  Show(code, choice, timed ? "samples of CPU time" : "executed instructions");
  if (options.output.empty()) return 0;
  if (choice.chosen.empty()) {
    Say(message::kNestsNotWritten, options.percent, options.output);
    return kFailure;
  }
  if (!Save(options.output, NestPlanToJson(PlanOf(code, choice)), /*replace=*/false)) {
    return kFailure;
  }
  Say(message::kNestsWritten, options.output, options.output);
  return 0;
}

}  // namespace

void AddNestsCommand(CommandLine& line) {
  auto options = std::make_shared<NestsOptions>();
  const Command command = line.Add("nests",
                                   "Show which loops and functions of executed code take the time; "
                                   "write them as regions");
  command
      .Value("EXECUTED", options->executed, "Files of executed code (ROOFMARK_EXECUTED), all ranks")
      .Required();
  command
      .Value("--samples", options->samples,
             "Files of samples (ROOFMARK_SAMPLES), all ranks; without them, executed instructions "
             "tell the shares")
      .Shown("FILE")
      .OneEachTime();
  command.Output("-o,--output", options->output, "The file of nests, for ROOFMARK_NESTS",
                 {.extension = "json"});
  command.Value("--least", options->percent, "Take what has so much of the time, in percent")
      .Shown("PERCENT")
      .Within(0, 100);
  command.Value("--most", options->most, "Take at most so many").Shown("N").Within(1, 10000);
  command.Value("--depth", options->depth, "Take loops inside each other to this depth only")
      .Shown("N")
      .Within(1, 1000);
  command.Flag("--functions", options->functions, "Take functions only, no loops");
  command.Runs([options] { return Find(*options); });
}

}  // namespace roofmark::cli
