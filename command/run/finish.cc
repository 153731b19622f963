// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/finish.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "command/compilation.h"
#include "command/files.h"
#include "command/installation.h"
#include "command/output.h"
#include "command/recover/left_passes.h"
#include "command/report_command.h"
#include "lib/core/file_name.h"
#include "lib/core/first_names.h"
#include "lib/core/messages/command_run.h"
#include "lib/core/shell_word.h"

namespace roofmark::cli {

namespace {

// Beside the file that a killed command was to write.
void SayWhatWasLeft(const std::string& output) {
  const std::filesystem::path path(output);
  const std::filesystem::path folder = path.parent_path();
  const std::string begin = fmt::format(".{}.passes.", path.filename().string());
  for (const std::string& left : PassDirectory::LeftIn(folder.empty() ? "." : folder)) {
    if (!FileName(left).starts_with(begin) || !HoldsFiles(left)) continue;
    Say(message::kEarlierWasKilled, ShellWord(left));
  }
}

}  // namespace

std::optional<Reservation> ReserveOutput(const RunOptions& options, const std::string& wanted) {
  FilePath name(wanted);
  name.is_users = wanted == options.output;
  Result<Reservation> output = Reservation::Of(name, options.force);
  if (!output) {
    Say(message::kOtherPlaceForFile, output.error());
    return std::nullopt;
  }
  if (output->path() != wanted) {
    std::error_code error;
    const bool exists = std::filesystem::symlink_status(wanted, error).type() !=
                        std::filesystem::file_type::not_found;
    exists ? Say(message::kOutputExists, wanted, output->path())
           : Say(message::kOutputIsReserved, wanted, output->path());
  }
  if (output->was_left()) SayWhatWasLeft(output->path());
  return std::move(*output);
}

namespace {

// "app.2.json" for the second program that "app.json" is about. Where the output is no file of its
// own (a pipe, standard output) there is no place beside it.
Result<std::string> WriteBeside(const RunOptions& options, const std::string& output, size_t number,
                                const RooflineFile& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(output, error)) {
    return Error{fmt::format("{} is no file of its own; choose one with -o", output)};
  }
  Result<Reservation> name =
      Reservation::Of(BeforeExtension(output, fmt::format(".{}", number)), options.force);
  return name ? name->Write(RooflineToJson(file)) : Error{name.error()};
}

constexpr size_t kNamedPrograms = 5;

void SayWhatHasNoFile(const Measured& measured) {
  std::vector<std::string> others;
  for (const Program& other : measured.others) {
    others.push_back(fmt::format("{} (--program {})", Shown(other.key), NameOf(other.key)));
  }
  Say(message::kProgramsWithoutFile, Shown(*measured.program), FirstNames(others, kNamedPrograms));
}

// The files of the other programs, and one sentence about all. False if one could not be written.
bool FinishOthers(const RunOptions& options, const std::string& output, Measured& measured) {
  if (measured.others.empty() || !measured.program) return true;
  if (measured.loops_found) {
    SayWhatHasNoFile(measured);
    return true;
  }
  bool written = true;
  std::vector<std::string> others;
  for (Program& other : measured.others) {
    other.file.machines = measured.file->machines;
    NoteCompilation("", other.file.job.run);
    const Result<std::string> path = WriteBeside(options, output, others.size() + 2, other.file);
    if (!path) PassOn(path.error());
    written = written && path;
    others.push_back(fmt::format("{} ({})", path ? *path : "not written", Shown(other.key)));
  }
  Say(message::kProgramsOfCommand, others.size() + 1, Shown(*measured.program),
      FirstNames(others, kNamedPrograms));
  return written;
}

}  // namespace

int Finish(const RunOptions& options, Reservation& output, Measured& measured, bool& saved) {
  RooflineFile& file = *measured.file;
  int status = measured.status;
  FoundMachines found;
  if (!options.no_machine) found = FindMachines(options.machines, file, output.path());
  if (found.failed) status = status == 0 ? kFailure : status;
  if (!found.why_none.empty()) PassOn(found.why_none);
  const std::string other_version = OtherVersionIn(file.job.run.roofmark_version);
  if (!other_version.empty()) PassOn(other_version);
  file.machines = found.json;
  NoteCompilation("", file.job.run);
  const Result<std::string> written = output.Write(RooflineToJson(file));
  if (!written) {
    PassOn(written.error());
    return status == 0 ? kFailure : status;
  }
  Say(message::kWrote, *written);
  saved = FinishOthers(options, *written, measured);
  if (!saved && status == 0) status = kFailure;
  if (!options.no_report) {
    ReportStyle style;
    ShowReport({file}, {*written}, found.machines, style);
  }
  return status;
}

}  // namespace roofmark::cli
