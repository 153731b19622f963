// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark suggest: where markers should go, by the loops and functions that were found.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/commands.h"
#include "command/files.h"
#include "command/output.h"
#include "command/suggest/proposals.h"
#include "lib/core/messages/command.h"
#include "lib/core/shell_word.h"
#include "lib/profile/region_name.h"
#include "lib/suggest/function_name.h"

namespace roofmark::cli {
namespace {

struct SuggestOptions {
  std::string file, source = ".", output;
  std::vector<std::string> machines;
  double least_us = 10;
  bool diff = false;
};

struct ChosenRegions {
  suggest::Candidates candidates;
  std::string ranking;  // a sentence about the order
};

std::string Ranking(const suggest::Candidates& candidates, const std::string& why_no_gain) {
  switch (candidates.weight) {
    case suggest::Weight::kTime:
      break;
    case suggest::Weight::kInstructions:
      return fmt::format(
          "The file has no times of what was found: ranked by executed instructions; {:g} "
          "instructions stand for a microsecond.",
          suggest::kInstructionsPerUs);
    case suggest::Weight::kFlops:
      return fmt::format(
          "The file has no times of what was found: ranked by FLOPs; {:g} of them stand for a "
          "microsecond.",
          suggest::kFlopsPerUs);
  }
  if (candidates.by_gain) {
    return "Ranked by gain: what the advice of the report is expected to save of the run.";
  }
  return "Ranked by time alone: " + why_no_gain;
}

// Nothing after saying why.
std::optional<ChosenRegions> Choose(const RooflineFile& file, const SuggestOptions& options,
                                    Sources& sources) {
  const FoundMachines found = FindMachines(options.machines, file, options.file);
  if (found.failed) return std::nullopt;
  const JobAnalysis analysis = Analyze(file.job, found.machines);
  suggest::ChooseOptions wanted;
  wanted.least_us = options.least_us;
  wanted.in_parallel = [&](const PathInfo& info) {
    const Result<SourceFile*> source = sources.Open(info.file);
    const std::string leaf = LeafName(info.path);
    return source && IsInParallelConstruct(
                         (*source)->structure(),
                         {info.line, suggest::FunctionOf(leaf), suggest::NamesAFunction(leaf)});
  };
  Result<suggest::Candidates> candidates = suggest::Choose(file.job, &analysis, wanted);
  if (!candidates) {
    PassOn(fmt::format("{}: {}", options.file, candidates.error()));
    return std::nullopt;
  }
  const std::string why = found.why_none.empty() ? "there is no advice for them." : found.why_none;
  std::string ranking = Ranking(*candidates, why);
  return ChosenRegions{std::move(*candidates), std::move(ranking)};
}

int WriteDifference(const SuggestOptions& options, const RooflineFile& file, const Sources& sources,
                    const std::vector<Proposal>& proposals) {
  for (const std::string& sentence : Refusals(file.job, proposals)) PassOn(sentence);
  const std::string difference = sources.Difference();
  if (difference.empty()) {
    Say(message::kNothingToPatch);
    return kFailure;
  }
  if (!Save(options.output.empty() ? "-" : options.output, difference, /*replace=*/false)) {
    return kFailure;
  }
  if (!options.output.empty() && options.output != "-") {
    Say(message::kPatchWritten, options.output, ShellWord(options.output),
        options.source == "." ? "this directory" : options.source);
  }
  return 0;
}

int Suggest(const SuggestOptions& options) {
  const std::optional<RooflineFile> file = LoadRoofline(options.file);
  if (!file) return kFailure;
  Sources sources(options.source);
  const std::optional<ChosenRegions> chosen = Choose(*file, options, sources);
  if (!chosen) return kFailure;
  const std::vector<Proposal> proposals = Propose(file->job, chosen->candidates, sources);
  if (options.diff) return WriteDifference(options, *file, sources, proposals);
  Print(RenderProposals(file->job, chosen->candidates, proposals, chosen->ranking));
  return 0;
}

}  // namespace

void AddSuggestCommand(CommandLine& line) {
  auto options = std::make_shared<SuggestOptions>();
  const Command command = line.Add(
      "suggest", "Propose markers for loops and functions that were found, also as a patch");
  command
      .Value("FILE", options->file, "A roofline file with regions that were found (ROOFMARK_NESTS)")
      .Required();
  command.Flag(
      "--diff", options->diff,
      "Write a patch for the sources: `patch -p1` or `git apply` in their folder applies it");
  command.Value("--source", options->source, "The folder of the sources (default: this directory)")
      .ExistingDirectory();
  command
      .Output("-o,--output", options->output, "The file of the patch (default: standard output)",
              {.extension = "patch"})
      .Needs("--diff");
  command
      .Value("--least", options->least_us,
             "Propose what takes so long per entry, in microseconds (default: 10)")
      .Shown("MICROSECONDS")
      .Within(0, 1e9);
  command
      .Value("--machine", options->machines,
             "Machine file, one for each kind of node (default: those in FILE, or kept ones)")
      .Shown("FILE")
      .OneEachTime();
  command.Runs([options] { return Suggest(*options); });
}

}  // namespace roofmark::cli
