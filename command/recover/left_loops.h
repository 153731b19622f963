// SPDX-License-Identifier: BSD-3-Clause
//
// The loops and functions that a killed `roofmark run --auto` had found: their times, as the
// command would have estimated them.
#ifndef ROOFMARK_COMMAND_RECOVER_LEFT_LOOPS_H_
#define ROOFMARK_COMMAND_RECOVER_LEFT_LOOPS_H_

#include <optional>
#include <string>

#include "command/programs.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

// `directory` is that of all executions, which `file` joins: of `program`, and, if `counted`, with
// the work pass. Gives the loops their times, from samples and executed code that lie there.
// Returns a sentence, which is in the file, too, where that cannot be done; empty: it was done, or
// the command did not look for loops.
std::string TimeLeftLoops(const std::string& directory, const std::optional<ProgramKey>& program,
                          bool counted, RooflineFile& file);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RECOVER_LEFT_LOOPS_H_
