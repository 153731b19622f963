// SPDX-License-Identifier: BSD-3-Clause
#include "command/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "command/ended.h"
#include "command/files.h"
#include "command/forked.h"
#include "command/forward.h"
#include "command/options.h"
#include "command/output.h"
#include "command/parts.h"
#include "command/pass_files.h"
#include "command/recover/assemble.h"
#include "command/recover/pass_spools.h"
#include "command/run/expectation.h"
#include "command/work_folder.h"
#include "lib/core/collector_names.h"
#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "lib/core/settings.h"
#include "lib/core/shell_word.h"
#include "lib/profile/late_profile.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

bool IsForkedSpool(const FoundSpool& found) { return IsForked(found.spool.described.run); }

// The other programs that were interrupted before they had a region: that is all that is known of
// them.
void NoteCutShort(std::vector<Program>& others, std::vector<std::string>& notes) {
  for (Program& other : others) {
    RunInfo& run = other.file.job.run;
    if (run.recovered_ranks == 0 || run.passes.empty() || !other.file.job.paths.empty()) continue;
    std::string sentence =
        InWords(message::kCutShort, Shown(other.key), Duration(run.passes[0].wall_s));
    notes.push_back(sentence);
    run.warnings.push_back(std::move(sentence));
  }
}

// Each program of the execution has a file here. False if it is not known which one is measured.
bool TakePrograms(std::vector<RooflineFile> files, const std::vector<std::string>& command,
                  ProgramChoice& choice, PassResult& result) {
  std::vector<Program> programs = ProgramsOf(choice.JoinForked(std::move(files)));
  if (result.end.status != 0) {
    std::erase_if(programs, [&](const Program& each) { return IsOnTheWay(each, command); });
    if (programs.empty()) return true;
  }
  const std::optional<size_t> chosen = choice.In(programs, result.notes);
  if (!chosen) return false;
  result.file = std::move(programs[*chosen].file);
  programs.erase(programs.begin() + static_cast<ptrdiff_t>(*chosen));
  if (result.end.interrupted) NoteCutShort(programs, result.notes);
  std::erase_if(programs,
                [&](const Program& other) { return !DeservesAFile(other, *result.file); });
  result.others = std::move(programs);
  return true;
}

// `job`: what processes left that died; `forked`: those of them that were forked. False if there is
// more than is taken.
bool TakeFiles(const Child& child, const PassFiles& left, std::optional<RooflineFile> job,
               std::vector<RooflineFile> forked, PassResult& result) {
  std::optional<std::vector<RooflineFile>> files = LoadRooflines(left.whole, ComesFrom::kDirectory);
  if (!files) return left.AreNone();
  const bool has_whole = HasUnforked(*files);
  if (!job && !has_whole) job = MergePartFiles(left.parts, result.notes);
  if (files->empty() && forked.empty()) {
    result.file = std::move(job);
    return result.file || left.AreNone();
  }
  if (job) files->push_back(std::move(*job));
  std::move(forked.begin(), forked.end(), std::back_inserter(*files));
  ProgramChoice any("");
  ProgramChoice& choice = child.programs ? *child.programs : any;
  return TakePrograms(std::move(*files), child.command, choice, result);
}

// From processes that died, and the parts of those that ended well; nothing where none did.
std::optional<RooflineFile> Recovered(const std::vector<FoundSpool>& ended,
                                      const std::string& directory,
                                      std::vector<std::string>& notes) {
  if (ended.empty()) return std::nullopt;
  Collected collected;
  collected.spools = OneOfEachRank(ended, collected.notes);
  Assembled assembled = Assemble(collected, {directory});
  notes.insert(notes.end(), assembled.notes.begin(), assembled.notes.end());
  return std::move(assembled.file);
}

// Forked processes that were killed, as the workers of a pool are at its end: each is a job of its
// own, and that it was killed is worth no word.
std::vector<RooflineFile> ForkedAndKilled(const std::vector<FoundSpool>& ended) {
  std::vector<RooflineFile> files;
  for (const FoundSpool& found : ended) {
    if (IsForkedSpool(found)) files.push_back({FoldFound(found), {}});
  }
  return files;
}

void NoteRunning(const PassSpools& spools, std::vector<std::string>& notes) {
  if (spools.running.empty()) return;
  const std::string place = fs::path(spools.running[0].spool.file).parent_path();
  notes.push_back(fmt::format(
      "{} process{} of this run did not end: `roofmark top {}` watches them, and when they have "
      "ended `roofmark recover {} --remove` collects their data",
      spools.running.size(), spools.running.size() == 1 ? "" : "es", ShellWord(place),
      ShellWord(place)));
}

// Beside the files that other processes wrote themselves.
bool KeepRecovered(const RooflineFile& file, const std::string& directory,
                   const std::string& collector) {
  const std::string name = fmt::format("{}/{}.recovered.json", directory, collector);
  return static_cast<bool>(WriteFile(name, RooflineToJson(file), IfExists::kRefuse));
}

void NoteKept(const PassSpools& spools, std::vector<std::string>& notes) {
  const std::string place = fs::path(spools.ended[0].spool.file).parent_path();
  notes.push_back(
      fmt::format("spools that could not be saved stay in {}: see `roofmark recover`", place));
}

// Whether the pass has the program's times.
bool Times(const Child& child, const std::string& collector) {
  const auto visits = child.environment.find("ROOFMARK_VISITS");
  return !RunsUnderEngine(collector) ||
         (visits != child.environment.end() && visits->second == "in-turns");
}

// Of several programs another one may be the one that did not end well.
void NoteStatus(const ChildEnd& end, bool times, bool is_alone, RooflineFile& file) {
  RunInfo& run = file.job.run;
  for (PassInfo& pass : run.passes) pass.facts["exit_status"] = std::to_string(end.status);
  const std::string how = end.interrupted ? std::string("was interrupted") : EndedWith(end.status);
  const bool is_of_it = is_alone || run.recovered_ranks > 0;
  run.warnings.push_back(fmt::format("the {} {} in the {} pass", is_of_it ? "program" : "command",
                                     how, times ? "time" : "work"));
}

ChildEnd RunInFolder(Child& child, const ChildWatch& watch) {
  if (!child.folder || !child.directory.empty()) return RunChild(child, watch);
  Result<std::string> directory = child.folder->Begin();
  if (!directory) return {kFailure, directory.error(), false};
  child.directory = *directory;
  ChildEnd end = RunChild(child, watch);
  end.reread = child.folder->End();
  return end;
}

// Visits behind MPI_Finalize, which are in no file. Of several programs, those of this one.
void NoteLate(const std::vector<std::string>& names, PassResult& result) {
  RunInfo& run = result.file->job.run;
  const auto is_of_it = [&](const RunInfo& other) {
    const bool known = !run.passes.empty() && !other.passes.empty();
    return result.others.empty() || (known && other.passes[0].command == run.passes[0].command);
  };
  std::optional<JobProfile> late;
  for (const std::string& name : names) {
    Result<RooflineFile> file = ReadRoofline(name, ComesFrom::kDirectory);
    if (!file || !is_of_it(file->job.run)) continue;
    if (late) {
      MergeProfiles(*late, file->job);
    } else {
      late = std::move(file->job);
    }
  }
  if (!late) return;
  std::string warning = DescribeLate(*late);
  result.notes.push_back(warning);
  run.warnings.push_back(std::move(warning));
}

// The work of this execution may be other work than that of the first.
void NoteReread(const std::vector<std::string>& files, PassResult& result) {
  const std::string more = files.size() > 1 ? fmt::format(" and {} more", files.size() - 1) : "";
  std::string warning = InWords(message::kFilesAreReadAgain, files.front(), more);
  result.notes.push_back(warning);
  result.file->job.run.warnings.push_back(std::move(warning));
}

}  // namespace

std::string OutputOfPass(const std::string& collector, const std::string& directory) {
  return fmt::format("{}/{}.json", directory, collector);
}

std::optional<ProgramKey> ProgramOf(const Child& child) {
  return child.programs ? child.programs->key() : std::nullopt;
}

PassResult RunPass(Child child, const std::string& collector, const std::string& directory,
                   const ChildWatch& watch) {
  const std::string output = OutputOfPass(collector, directory);
  child.environment["ROOFMARK"] = std::nullopt;
  child.environment["ROOFMARK_COLLECTOR"] = collector;
  child.environment["ROOFMARK_OUTPUT"] = LiteralPath(output);
  child.environment[kOutputOfRun] = LiteralPath(output);
  if (!child.environment["ROOFMARK_QUIET"]) child.environment["ROOFMARK_QUIET"] = "1";
  ForwardVariables(child);
  PassResult result;
  const auto begin = fs::file_time_type::clock::now();
  // What an execution recorded until then that the user did not start is of no use.
  child.after_ended = [output, begin] { RemoveSpools(SpoolsOfPass(output, begin).ended); };
  result.end = RunInFolder(child, watch);
  // Waits for processes that end later than the command: they write their files then.
  const PassSpools spools = SpoolsOfPass(output, begin);
  PassFiles left = FilesIn(directory, collector);
  if (left.AreNone()) {
    left = FilesElsewhere(*child.environment["ROOFMARK_OUTPUT"], collector);
    if (!left.AreNone()) {
      const std::string& first = left.whole.empty() ? left.parts[0] : left.whole[0];
      result.notes.push_back(InWords(message::kWrittenElsewhere, directory, first));
    }
  }
  bool in_memory_only = false;
  std::vector<FoundSpool> died = spools.ended;
  std::erase_if(died, &IsForkedSpool);
  // The engine keeps the counts of a process until its end: a spool has none of them.
  if (RunsUnderEngine(collector)) died.clear();
  std::optional<RooflineFile> recovered = Recovered(died, directory, result.notes);
  if (recovered) in_memory_only = !KeepRecovered(*recovered, directory, collector);
  result.unread =
      !TakeFiles(child, left, std::move(recovered), ForkedAndKilled(spools.ended), result);
  if (in_memory_only) {
    NoteKept(spools, result.notes);
  } else {
    RemoveSpools(spools.ended);
  }
  NoteRunning(spools, result.notes);
  const bool ended_well = result.end.status == 0 && !result.end.interrupted;
  if (result.file && !ended_well) {
    NoteStatus(result.end, Times(child, collector), result.others.empty(), *result.file);
  }
  if (result.file) NoteLate(left.late, result);
  if (result.file && !result.end.reread.empty()) NoteReread(result.end.reread, result);
  return result;
}

}  // namespace roofmark::cli
