// SPDX-License-Identifier: BSD-3-Clause
//
// The file of `roofmark run`: its name before the execution; at the end it is written, and
// reported.
#ifndef ROOFMARK_COMMAND_RUN_FINISH_H_
#define ROOFMARK_COMMAND_RUN_FINISH_H_

#include <optional>
#include <string>

#include "command/reservation.h"
#include "command/run/measure.h"
#include "command/run/options.h"

namespace roofmark::cli {

// Before a long job, not after it: a name for its file that is no other's, `wanted` if that is free
// or, by the options, replaced. Says so if it is another one. Nothing after saying why.
std::optional<Reservation> ReserveOutput(const RunOptions& options, const std::string& wanted);

// Writes the file, which there must be, and beside it those of other programs of the command, with
// a number in their names, and shows the report. Returns the status of what was measured, or
// another one if that was 0 and this fails; `saved` if all files were written.
int Finish(const RunOptions& options, Reservation& output, Measured& measured, bool& saved);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_FINISH_H_
