// SPDX-License-Identifier: BSD-3-Clause
//
// The execution under the counting engine: how long it may take is said before, and how far it is
// meanwhile.
#ifndef ROOFMARK_COMMAND_RUN_WORK_H_
#define ROOFMARK_COMMAND_RUN_WORK_H_

#include "command/passes.h"
#include "command/run/missing.h"
#include "command/run/options.h"

namespace roofmark::cli {

// `time`: the profile of the time pass, or nullptr. False if it is not begun: it does not fit into
// --work-limit.
bool ExecuteWork(const RunOptions& options, const PassDirectory& directory, Child child,
                 const NextPass& next, const JobProfile* time, PassResult& result);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_WORK_H_
