// SPDX-License-Identifier: BSD-3-Clause
//
// Which directory of spools is meant where the user names none.
#ifndef ROOFMARK_COMMAND_RECOVER_CHOOSE_H_
#define ROOFMARK_COMMAND_RECOVER_CHOOSE_H_

#include <string>
#include <vector>

#include "command/recover/collect.h"
#include "lib/core/result.h"

namespace roofmark::cli {

enum class Wanted {
  kRunning,  // a job that can be watched
  kEnded,    // a job that can be recovered
};

// The directories that `options` names, or those of its jobs, or those of the one that is meant. Of
// jobs that have ended that is the one with snapshots in the working directory, which nodes leave
// that cannot be reached from here; else one of those that this user's jobs have in the default
// place.
Result<std::vector<std::string>> SpoolDirectories(const CollectOptions& options, Wanted wanted);

// Of several directories, those of the one job with a process of the kind that is wanted; then, for
// a job that has ended, with times (a counting pass leaves none). The error describes each one that
// is left.
Result<std::vector<std::string>> ChooseDirectories(const std::vector<std::string>& directories,
                                                   Wanted wanted);

// Those that hold a spool of one of these jobs. The error: none does.
Result<std::vector<std::string>> DirectoriesOfJobs(const std::vector<std::string>& directories,
                                                   const std::vector<std::string>& jobs);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RECOVER_CHOOSE_H_
