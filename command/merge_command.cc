// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "command/commands.h"
#include "command/files.h"
#include "command/output.h"
#include "command/parts.h"

namespace roofmark::cli {
namespace {

struct Options {
  std::vector<std::string> parts;
  std::string output;
};

int Merge(const Options& options) {
  std::optional<std::vector<RooflineFile>> files = LoadRooflines(options.parts);
  if (!files) return kFailure;
  Result<RooflineFile> merged = MergeParts(std::move(*files), options.parts);
  if (!merged) {
    Say(merged.error());
    return kFailure;
  }
  if (!Save(options.output, RooflineToJson(*merged), /*replace=*/false)) return kFailure;
  Say(fmt::format("{} of {} ranks merged into {}", merged->job.run.ranks_merged,
                  merged->job.run.ranks, options.output));
  return 0;
}

}  // namespace

void AddMergeCommand(CommandLine& line) {
  auto options = std::make_shared<Options>();
  const Command command =
      line.Add("merge", "Join parts: the files of ranks that were not merged over MPI");
  command.Value("PART", options->parts, "Parts: roofline files of one rank each").Required();
  command.Value("-o,--output", options->output, "The merged roofline file")
      .Shown("FILE")
      .Required();
  command.Runs([options] { return Merge(*options); });
}

}  // namespace roofmark::cli
