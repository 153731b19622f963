// SPDX-License-Identifier: BSD-3-Clause
//
// The file of `roofmark run`: its name before the execution; at the end it is written, and
// reported.
#ifndef ROOFMARK_COMMAND_RUN_FINISH_H_
#define ROOFMARK_COMMAND_RUN_FINISH_H_

#include <optional>
#include <string>

#include "command/reservation.h"
#include "command/run/options.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

// Before a long job, not after it: a name for its file that is no other's, `wanted` if that is free
// or, by the options, replaced. Says so if it is another one. Nothing after saying why.
std::optional<Reservation> ReserveOutput(const RunOptions& options, const std::string& wanted);

// Writes the file and shows the report. Returns `status`, or another one if that was 0 and this
// fails; `saved` if the file was written.
int Finish(const RunOptions& options, Reservation& output, RooflineFile& file, int status,
           bool& saved);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_FINISH_H_
