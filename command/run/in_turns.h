// SPDX-License-Identifier: BSD-3-Clause
//
// `roofmark run --one-execution`: visits take turns, timed or counted (markers/turns.h).
#ifndef ROOFMARK_COMMAND_RUN_IN_TURNS_H_
#define ROOFMARK_COMMAND_RUN_IN_TURNS_H_

#include "command/passes.h"
#include "command/run/options.h"
#include "lib/profile/profile.h"

namespace roofmark::cli {

// The execution, with the child of the time pass; says which regions lack something. False if
// nothing more should be tried.
bool ExecuteInTurns(const RunOptions& options, Child child, const PassDirectory& directory,
                    PassResult& result);

bool TookTurns(const JobProfile& job);

// The file without its counts: a work pass has counted all visits.
void DropCounts(JobProfile& job);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_IN_TURNS_H_
