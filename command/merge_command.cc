// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>

#include "command/commands.h"
#include "command/files.h"
#include "command/output.h"
#include "command/parts.h"
#include "lib/core/messages/command.h"

namespace roofmark::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> parts;
  std::string output;
};

// The files meant: of a directory the parts in it. Nothing if it has none, which is said.
std::optional<std::vector<std::string>> Names(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (const std::string& name : given) {
    std::error_code error;
    if (!std::filesystem::is_directory(name, error)) {
      names.push_back(name);
      continue;
    }
    const std::vector<std::string> parts = PartFiles({name});
    if (parts.empty()) {
      Say(message::kNoParts, name);
      return std::nullopt;
    }
    names.insert(names.end(), parts.begin(), parts.end());
  }
  return names;
}

int Merge(const MergeOptions& options) {
  const std::optional<std::vector<std::string>> names = Names(options.parts);
  if (!names) return kFailure;
  std::optional<std::vector<RooflineFile>> files = LoadRooflines(*names);
  if (!files) return kFailure;
  Result<RooflineFile> merged = MergeParts(std::move(*files), *names);
  if (!merged) {
    PassOn(merged.error());
    return kFailure;
  }
  if (!Save(options.output, RooflineToJson(*merged), /*replace=*/false)) return kFailure;
  Say(message::kMerged, merged->job.run.ranks_merged, merged->job.run.ranks, options.output);
  return 0;
}

}  // namespace

void AddMergeCommand(CommandLine& line) {
  auto options = std::make_shared<MergeOptions>();
  const Command command =
      line.Add("merge", "Join parts: the files of ranks that were not merged over MPI");
  command
      .Value("PART", options->parts,
             "Parts: roofline files of one rank each, or directories of them")
      .Required();
  command.Output("-o,--output", options->output, "The merged roofline file", {.extension = "json"})
      .Required();
  command.Runs([options] { return Merge(*options); });
}

}  // namespace roofmark::cli
