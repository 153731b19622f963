// SPDX-License-Identifier: BSD-3-Clause
//
// Which directory of spools is meant where the user names none.
#ifndef ROOFMARK_COMMAND_RECOVER_CHOOSE_H_
#define ROOFMARK_COMMAND_RECOVER_CHOOSE_H_

#include <string>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::cli {

enum class Wanted {
  kRunning,  // a job that can be watched
  kEnded,    // a job that can be recovered
};

// `given`, or the one directory that this user's jobs have in the default place. Among several,
// those with a process of the kind that is wanted; then, for a job that has ended, those with
// times (a counting pass leaves none). The error describes each one that is left.
Result<std::vector<std::string>> SpoolDirectories(const std::vector<std::string>& given,
                                                  Wanted wanted);

// The same among `directories`.
Result<std::string> ChooseDirectory(const std::vector<std::string>& directories, Wanted wanted);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RECOVER_CHOOSE_H_
