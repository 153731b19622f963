// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/left_passes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "command/files.h"
#include "command/pass_directory.h"
#include "command/pass_files.h"
#include "command/programs.h"
#include "lib/core/collector_names.h"
#include "lib/core/messages/command.h"
#include "lib/profile/join.h"
#include "lib/profile/repeats.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

// That of each execution: the directory itself, and those in it, which have numbers.
std::vector<std::string> PlacesIn(const std::string& directory) {
  std::vector<std::string> places;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.is_directory(error)) places.push_back(entry.path());
  }
  std::sort(places.begin(), places.end(), IsEarlier);
  places.insert(places.begin(), directory);
  return places;
}

bool HoldsFiles(const std::string& directory) {
  const std::vector<std::string> places = PlacesIn(directory);
  return std::any_of(places.begin(), places.end(),
                     [](const std::string& place) { return !FilesIn(place, "").whole.empty(); });
}

class LeftJoiner {
 public:
  Result<RooflineFile> Run(const std::string& directory) {
    for (const std::string& place : PlacesIn(directory)) TakeExecutionsOf(place);
    if (times_.empty() && !work_) {
      return Error{fmt::format("{}: {}", directory, fmt::join(notes_, "; "))};
    }
    RooflineFile file;
    if (times_.empty()) {
      file.job = std::move(*work_);
    } else {
      file.job = JoinRepeats(std::move(times_));
      if (work_) file.job = JoinPasses(file.job, *work_);
    }
    auto& warnings = file.job.run.warnings;
    warnings.push_back(
        InWords(message::kPassesWereLeft, work_ ? "" : ": what it counts is missing"));
    warnings.insert(warnings.end(), notes_.begin(), notes_.end());
    return file;
  }

 private:
  // The first execution is the one for time; collectors of its kind share a place.
  void TakeExecutionsOf(const std::string& place) {
    std::vector<RooflineFile> times, work;
    for (const std::string& name : FilesIn(place, "").whole) {
      Result<RooflineFile> file = ReadRoofline(name, ComesFrom::kDirectory);
      if (!file) {
        notes_.push_back(file.error());
        continue;
      }
      const auto& passes = file->job.run.passes;
      const bool counts = !passes.empty() && RunsUnderEngine(passes.front().collector);
      (counts ? work : times).push_back(std::move(*file));
    }
    if (auto job = Chosen(std::move(times))) times_.push_back(std::move(*job));
    if (auto job = Chosen(std::move(work))) work_ = std::move(job);
  }

  std::optional<JobProfile> Chosen(std::vector<RooflineFile> files) {
    if (files.empty()) return std::nullopt;
    std::vector<Program> programs = ProgramsOf(choice_.JoinForked(std::move(files)));
    const std::optional<size_t> chosen = choice_.In(programs, notes_);
    if (!chosen) return std::nullopt;
    return std::move(programs[*chosen].file.job);
  }

  ProgramChoice choice_{""};
  std::vector<JobProfile> times_;
  std::optional<JobProfile> work_;
  std::vector<std::string> notes_;
};

}  // namespace

Result<std::optional<std::string>> FindLeftPasses(const std::vector<std::string>& directories) {
  std::vector<std::string> found;
  for (const std::string& directory :
       directories.empty() ? PassDirectory::LeftIn(".") : directories) {
    if (PassDirectory::IsName(directory) && HoldsFiles(directory)) found.push_back(directory);
  }
  if (found.empty()) return std::optional<std::string>();
  if (found.size() == 1) return std::optional(found.front());
  std::sort(found.begin(), found.end());
  return Error{InWords(message::kSeveralLeftPasses, fmt::format("{}", fmt::join(found, ", ")))};
}

Result<RooflineFile> JoinLeftPasses(const std::string& directory) {
  return LeftJoiner().Run(directory);
}

}  // namespace roofmark::cli
