// SPDX-License-Identifier: BSD-3-Clause
#include "command/passes.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>

#include "command/files.h"
#include "command/forward.h"
#include "command/output.h"
#include "command/parts.h"
#include "command/recover/assemble.h"
#include "command/recover/pass_spools.h"
#include "lib/core/collector_names.h"
#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

struct Left {
  std::vector<std::string> whole, parts;
};

Left FilesIn(const std::string& directory, const std::string& collector) {
  Left left;
  std::error_code gone;  // the program may have removed it
  for (const auto& entry : fs::directory_iterator(directory, gone)) {
    const std::string name = entry.path().filename();
    if (name.rfind(collector, 0) != 0 || entry.path().extension() != ".json") continue;
    // Parts of the run that is merged whole, and what is no profile.
    const auto has = [&name](const char* text) { return name.find(text) != std::string::npos; };
    if (has(".reduce") || has(".samples") || has(".executed")) continue;
    (name.find(".part") != std::string::npos ? left.parts : left.whole).push_back(entry.path());
  }
  std::sort(left.whole.begin(), left.whole.end());
  std::sort(left.parts.begin(), left.parts.end());
  return left;
}

double WallOf(const RooflineFile& file) {
  return file.job.run.passes.empty() ? 0 : file.job.run.passes[0].wall_s;
}

// A command may start several marked programs one after the other: each writes a file. The longest
// is what was meant.
std::optional<RooflineFile> Longest(const std::vector<std::string>& names, PassResult& result) {
  std::optional<std::vector<RooflineFile>> files = LoadRooflines(names);
  if (!files || files->empty()) return std::nullopt;
  auto longest = std::max_element(files->begin(), files->end(), [](const auto& a, const auto& b) {
    return WallOf(a) < WallOf(b);
  });
  if (files->size() > 1) {
    result.notes.push_back(fmt::format(
        "the command ran {} marked programs; the one with the longest run is kept ({}): what the "
        "others measured stays with the passes",
        files->size(),
        longest->job.run.passes[0].command.empty() ? std::string("unnamed")
                                                   : longest->job.run.passes[0].command[0]));
  }
  return std::move(*longest);
}

std::optional<RooflineFile> Merged(const std::vector<std::string>& names,
                                   std::vector<std::string>& notes) {
  std::optional<std::vector<RooflineFile>> parts = LoadRooflines(names);
  if (!parts) return std::nullopt;
  Result<RooflineFile> merged = MergeParts(std::move(*parts), names);
  if (merged) return std::move(*merged);
  notes.push_back(merged.error());
  return std::nullopt;
}

// From processes that died, and the parts of those that ended well.
RooflineFile Recovered(const PassSpools& spools, const std::string& directory,
                       std::vector<std::string>& notes) {
  Collected collected;
  collected.spools = OneOfEachRank(spools.ended, collected.notes);
  Assembled assembled = Assemble(collected, {directory});
  notes.insert(notes.end(), assembled.notes.begin(), assembled.notes.end());
  return std::move(assembled.file);
}

void NoteRunning(const PassSpools& spools, std::vector<std::string>& notes) {
  if (spools.running.empty()) return;
  const std::string place = fs::path(spools.running[0].spool.file).parent_path();
  notes.push_back(fmt::format(
      "{} process{} of this run did not end: `roofmark top {}` watches them, and when they have "
      "ended `roofmark recover {} --remove` collects their data",
      spools.running.size(), spools.running.size() == 1 ? "" : "es", place, place));
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

void NoteStatus(const ChildEnd& end, bool times, RooflineFile& file) {
  RunInfo& run = file.job.run;
  for (PassInfo& pass : run.passes) pass.facts["exit_status"] = std::to_string(end.status);
  const std::string how = end.interrupted ? std::string("was interrupted")
                                          : fmt::format("ended with status {}", end.status);
  run.warnings.push_back(
      fmt::format("the program {} in the {} pass", how, times ? "time" : "work"));
}

}  // namespace

Result<PassDirectory> PassDirectory::Beside(const std::string& output) {
  const fs::path target(output);
  const fs::path parent = target.parent_path().empty() ? fs::path(".") : target.parent_path();
  std::error_code error;
  const fs::path absolute = fs::absolute(parent, error);
  std::string name = absolute / fmt::format(".{}.passes.XXXXXX", target.filename().string());
  if (mkdtemp(name.data()) == nullptr) {
    return Error{fmt::format("cannot write beside {}: {}; choose another place with -o", output,
                             std::strerror(errno))};
  }
  return PassDirectory(name);
}

PassDirectory::~PassDirectory() {
  std::error_code error;
  try {
    if (path_.empty() || fs::remove(path_, error) || !fs::exists(path_, error)) return;
    Say(message::kPassesStay, path_);
  } catch (const std::bad_alloc&) {  // then without the sentence
  }
}

Result<std::string> PassDirectory::Inside(uint32_t number) const {
  const std::string inside = fmt::format("{}/{}", path_, number);
  if (mkdir(inside.c_str(), 0700) == 0) return inside;
  return Error{fmt::format("cannot make {}: {}; choose another place with -o", inside,
                           std::strerror(errno))};
}

void PassDirectory::Discard() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  path_.clear();
}

std::string OutputOfPass(const std::string& collector, const std::string& directory) {
  return fmt::format("{}/{}.json", directory, collector);
}

PassResult RunPass(Child child, const std::string& collector, const std::string& directory,
                   const ChildWatch& watch) {
  const std::string output = OutputOfPass(collector, directory);
  child.environment["ROOFMARK"] = std::nullopt;
  child.environment["ROOFMARK_COLLECTOR"] = collector;
  child.environment["ROOFMARK_OUTPUT"] = LiteralPath(output);
  if (!child.environment["ROOFMARK_QUIET"]) child.environment["ROOFMARK_QUIET"] = "1";
  ForwardVariables(child);
  PassResult result;
  result.end = RunChild(child, watch);
  // Waits for processes that end later than the command: they write their files then.
  const PassSpools spools = SpoolsOfPass(output);
  const Left left = FilesIn(directory, collector);
  // The engine keeps the counts of a process until its end: a spool has none of them.
  const bool recoverable = !RunsUnderEngine(collector) && !spools.ended.empty();
  bool in_memory_only = false;
  if (!left.whole.empty()) {
    result.file = Longest(left.whole, result);
  } else if (recoverable) {
    result.file = Recovered(spools, directory, result.notes);
    in_memory_only = !result.file || !KeepRecovered(*result.file, directory, collector);
  } else if (!left.parts.empty()) {
    result.file = Merged(left.parts, result.notes);
  }
  if (in_memory_only) {
    NoteKept(spools, result.notes);
  } else {
    RemoveSpools(spools.ended);
  }
  const bool lost = !result.file && !(left.whole.empty() && left.parts.empty());
  result.unread = lost || left.whole.size() > 1;
  NoteRunning(spools, result.notes);
  const bool ended_well = result.end.status == 0 && !result.end.interrupted;
  if (result.file && !ended_well) NoteStatus(result.end, Times(child, collector), *result.file);
  return result;
}

}  // namespace roofmark::cli
