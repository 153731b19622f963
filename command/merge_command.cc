// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <filesystem>
#include <iterator>

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

struct Parts {
  std::vector<std::string> names;
  std::vector<RooflineFile> files;
};

// The files meant: of a directory the parts in it. Nothing after saying why not.
std::optional<Parts> Load(const std::vector<std::string>& given) {
  Parts parts;
  for (const std::string& name : given) {
    std::error_code error;
    const bool is_directory = std::filesystem::is_directory(name, error);
    const std::vector<std::string> names =
        is_directory ? PartFiles({name}) : std::vector<std::string>{name};
    if (names.empty()) {
      Say(message::kNoParts, name);
      return std::nullopt;
    }
    auto files = LoadRooflines(names, is_directory ? ComesFrom::kDirectory : ComesFrom::kUser);
    if (!files) return std::nullopt;
    parts.names.insert(parts.names.end(), names.begin(), names.end());
    std::move(files->begin(), files->end(), std::back_inserter(parts.files));
  }
  return parts;
}

int Merge(const MergeOptions& options) {
  std::optional<Parts> parts = Load(options.parts);
  if (!parts) return kFailure;
  Result<RooflineFile> merged = MergeParts(std::move(parts->files), parts->names);
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
