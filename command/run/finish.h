// SPDX-License-Identifier: BSD-3-Clause
//
// The end of `roofmark run`: the file, and the report of it.
#ifndef ROOFMARK_COMMAND_RUN_FINISH_H_
#define ROOFMARK_COMMAND_RUN_FINISH_H_

#include "command/reservation.h"
#include "command/run/options.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

// Writes the file and shows the report. Returns `status`, or another one if that was 0 and this
// fails; `saved` if the file was written.
int Finish(const RunOptions& options, Reservation& output, RooflineFile& file, int status,
           bool& saved);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_FINISH_H_
