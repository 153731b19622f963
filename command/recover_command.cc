// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "command/commands.h"
#include "command/files.h"
#include "command/recover/assemble.h"
#include "command/recover/collect.h"
#include "lib/spool/place.h"

namespace roofmark::cli {
namespace {

struct Options {
  CollectOptions collect;
  std::vector<std::string> parts;
  std::string output;
  bool remove = false;
};

// Where parts may lie: where snapshots do, where the file goes, and where the user says.
std::vector<std::string> PartPlaces(const Options& options) {
  std::vector<std::string> places = options.parts;
  places.insert(places.end(), options.collect.directories.begin(),
                options.collect.directories.end());
  const std::string folder = std::filesystem::path(options.output).parent_path();
  if (options.output != "-") places.push_back(folder.empty() ? "." : folder);
  return places;
}

void RemoveSpools(const Collected& collected) {
  for (const FoundSpool& found : collected.spools) {
    if (found.life != spool::Life::kDead) continue;
    unlink(found.spool.file.c_str());
    spool::RemoveDirectory(std::filesystem::path(found.spool.file).parent_path());
  }
}

int Recover(Options options) {
  Result<std::vector<std::string>> directories = SpoolDirectories(options.collect.directories);
  if (!directories) {
    Say(directories.error());
    return kFailure;
  }
  options.collect.directories = *directories;
  const Result<Collected> collected = CollectSpools(options.collect);
  if (!collected) {
    Say(collected.error());
    return kFailure;
  }
  if (collected->spools.empty()) {
    for (const std::string& note : collected->notes) Say(note);
    Say("nothing was recovered");
    return kFailure;
  }
  const Assembled assembled = Assemble(*collected, PartPlaces(options));
  for (const std::string& note : assembled.notes) Say(note);
  if (!Save(options.output, RooflineToJson(assembled.file), /*replace=*/false)) return kFailure;
  const RunInfo& run = assembled.file.job.run;
  Say(fmt::format(
      "{} of {} ranks recovered into {}{}", run.ranks_merged, run.ranks, options.output,
      assembled.parts.empty()
          ? ""
          : fmt::format(" ({} from the part that the rank had written)", assembled.parts.size())));
  if (options.remove) RemoveSpools(*collected);
  return 0;
}

}  // namespace

void AddRecoverCommand(CommandLine& line) {
  auto options = std::make_shared<Options>();
  const Command command =
      line.Add("recover", "Make the roofline file of a job that died, from the spools it left");
  command.Value("DIR", options->collect.directories,
                "Directories of spools (ROOFMARK_SPOOL) or of snapshots; by default the one "
                "that your job left on this node");
  command.Value("-o,--output", options->output, "The roofline file").Shown("FILE").Required();
  command.Value("--job", options->collect.jobs, "Of this job alone (its id; may be repeated)")
      .Shown("ID")
      .OneEachTime();
  command
      .Value("--parts", options->parts,
             "A directory with parts that other ranks wrote; DIR and that of the roofline file "
             "are looked through anyway")
      .Shown("DIR")
      .OneEachTime();
  command.Flag("--live", options->collect.live, "Take processes that still run, too");
  command.Flag("--remove", options->remove, "Remove the spools that were recovered");
  command.Runs([options] { return Recover(*options); });
}

}  // namespace roofmark::cli
