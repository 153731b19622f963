// SPDX-License-Identifier: BSD-3-Clause
//
// What is executed, in which order, and what is made of it.
#ifndef ROOFMARK_COMMAND_RUN_MEASURE_H_
#define ROOFMARK_COMMAND_RUN_MEASURE_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "command/passes.h"
#include "command/run/children.h"
#include "command/run/options.h"

namespace roofmark::cli {

struct Measured {
  std::optional<RooflineFile> file;  // all executions as one; it is said why there is none
  // Of several programs that the command starts: which one the file is of, and the others that
  // recorded something.
  std::optional<ProgramKey> program = {};
  std::vector<Program> others = {};
  bool loops_found = false;  // by --auto, in that one alone
  int status = 0;            // of the first execution that failed
  bool unread = false;       // the directory has more
};

// The time pass first; what its file lacks decides whether the work pass follows.
Measured Measure(const RunOptions& options, const PassDirectory& directory,
                 const Children& children);

// The same where the time pass was made already: `time`, after which more may follow or not.
Measured MeasureRest(const RunOptions& options, const PassDirectory& directory,
                     const Children& children, PassResult time, bool ended_well);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_MEASURE_H_
