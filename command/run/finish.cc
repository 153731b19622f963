// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/finish.h"

#include <utility>

#include "command/compilation.h"
#include "command/files.h"
#include "command/installation.h"
#include "command/output.h"
#include "command/report_command.h"
#include "lib/core/messages/command_run.h"

namespace roofmark::cli {

std::optional<Reservation> ReserveOutput(const RunOptions& options, const std::string& wanted) {
  Result<Reservation> output = Reservation::Of(wanted, options.force);
  if (!output) {
    Say(message::kOtherPlaceForFile, output.error());
    return std::nullopt;
  }
  if (output->path() != wanted) Say(message::kOutputExists, wanted, output->path());
  return std::move(*output);
}

int Finish(const RunOptions& options, Reservation& output, RooflineFile& file, int status,
           bool& saved) {
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
  saved = true;
  Say(message::kWrote, *written);
  if (!options.no_report) {
    ReportStyle style;
    ShowReport({file}, {*written}, found.machines, style);
  }
  return status;
}

}  // namespace roofmark::cli
