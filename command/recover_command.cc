// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "command/commands.h"
#include "command/files.h"
#include "command/output.h"
#include "command/pass_directory.h"
#include "command/recover/assemble.h"
#include "command/recover/choose.h"
#include "command/recover/collect.h"
#include "command/recover/left_passes.h"
#include "command/recover/pass_spools.h"
#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "lib/core/shell_word.h"

namespace roofmark::cli {
namespace {

struct RecoverOptions {
  CollectOptions collect;
  std::vector<std::string> parts;
  std::string output;
  bool remove = false;
};

// Where parts may lie: where snapshots do, where the file goes, and where the user says.
std::vector<std::string> PartPlaces(const RecoverOptions& options) {
  std::vector<std::string> places = options.parts;
  places.insert(places.end(), options.collect.directories.begin(),
                options.collect.directories.end());
  const std::string folder = std::filesystem::path(options.output).parent_path();
  if (options.output != "-") places.push_back(folder.empty() ? "." : folder);
  return places;
}

// As the library names a file that nobody gave a name.
std::string DefaultOutput(const RunInfo& run) {
  std::string job = run.job_id;
  std::replace(job.begin(), job.end(), '/', '_');
  return fmt::format("roofmark-{}.json", job);
}

// To the name given, which must be free; else to one made of the job's, which gets a number where
// it is taken. Returns the name written; nothing after saying why not.
std::optional<std::string> Write(const std::string& output, const RooflineFile& file) {
  const std::string text = RooflineToJson(file);
  if (!output.empty()) {
    if (!Save(output, text, /*replace=*/false)) return std::nullopt;
    return output;
  }
  const Result<std::string> written =
      WriteFile(DefaultOutput(file.job.run), text, IfExists::kRename);
  if (written) return *written;
  PassOn(written.error());
  return std::nullopt;
}

// Those of executions that had not ended, which are in no file: what reads them. False if there is
// none.
bool SayWhatIsInMemory(const std::string& directory) {
  const PassSpools spools = SpoolsOfLeftPasses(directory);
  std::set<std::pair<std::string, std::string>> ended;
  for (const FoundSpool& found : spools.ended) {
    const std::filesystem::path place = std::filesystem::path(found.spool.file).parent_path();
    ended.emplace(place, found.spool.described.run.job_id);
  }
  for (const auto& [place, job] : ended) {
    Say(message::kSpoolsOfLeftPasses, place, ShellWord(place), ShellWord(job));
  }
  if (!spools.running.empty()) Say(message::kLeftPassStillRuns, directory);
  return !ended.empty() || !spools.running.empty();
}

// What a killed `roofmark run` left.
int RecoverPasses(const RecoverOptions& options, const std::string& directory) {
  if (PassDirectory::IsInUse(directory)) {
    Say(message::kPassesAreInUse, directory);
    return kFailure;
  }
  const bool more = SayWhatIsInMemory(directory);
  const Result<RooflineFile> file = JoinLeftPasses(directory);
  if (!file) {
    PassOn(file.error());
    return kFailure;
  }
  for (const std::string& warning : file->job.run.warnings) PassOn(warning);
  const std::optional<std::string> written = Write(options.output, *file);
  if (!written) return kFailure;
  const RunInfo& run = file->job.run;
  Say(message::kRecovered, run.ranks_merged, run.ranks, *written);
  std::error_code error;
  if (options.remove && !more) std::filesystem::remove_all(directory, error);
  return 0;
}

int Recover(RecoverOptions options) {
  const auto left = FindLeftPasses(options.collect.directories);
  if (!left) {
    PassOn(left.error());
    return kFailure;
  }
  if (*left && options.collect.jobs.empty()) return RecoverPasses(options, **left);
  Result<std::vector<std::string>> directories = SpoolDirectories(options.collect, Wanted::kEnded);
  if (!directories) {
    PassOn(directories.error());
    return kFailure;
  }
  options.collect.directories = *directories;
  const Result<Collected> collected = CollectSpools(options.collect);
  if (!collected) {
    PassOn(collected.error());
    return kFailure;
  }
  if (collected->spools.empty()) {
    for (const std::string& note : collected->notes) PassOn(note);
    Say(message::kNothingRecovered);
    return kFailure;
  }
  const Assembled assembled = Assemble(*collected, PartPlaces(options));
  for (const std::string& note : assembled.notes) PassOn(note);
  const std::optional<std::string> written = Write(options.output, assembled.file);
  if (!written) return kFailure;
  const RunInfo& run = assembled.file.job.run;
  if (assembled.parts.empty()) {
    Say(message::kRecovered, run.ranks_merged, run.ranks, *written);
  } else {
    Say(message::kRecoveredWithParts, run.ranks_merged, run.ranks, *written,
        assembled.parts.size());
  }
  if (options.remove) RemoveSpools(collected->spools);
  return 0;
}

}  // namespace

void AddRecoverCommand(CommandLine& line) {
  auto options = std::make_shared<RecoverOptions>();
  const Command command = line.Add(
      "recover", "Make the roofline file of a job that died, from the spools that it left");
  command.Value(
      "DIR", options->collect.directories,
      "Directories of spools (ROOFMARK_SPOOL) or snapshots, or what a killed `roofmark run` "
      "left (.FILE.passes.XXXXXX); default: the one of these in the working directory, "
      "else the spools that your job left on this node");
  command.Output("-o,--output", options->output, "The roofline file; default: roofmark-JOB.json",
                 {.extension = "json"});
  command.Value("--job", options->collect.jobs, "Only this job (its id; may be repeated)")
      .Shown("ID")
      .OneEachTime();
  command
      .Value("--parts", options->parts,
             "Directory with parts that other ranks wrote; DIR and the directory of the roofline "
             "file are always searched")
      .Shown("DIR")
      .OneEachTime();
  command.Flag("--live", options->collect.live, "Include processes that are still running");
  command.Flag("--remove", options->remove, "Remove the recovered spools or passes");
  command.Runs([options] { return Recover(*options); });
}

}  // namespace roofmark::cli
