// SPDX-License-Identifier: BSD-3-Clause
//
// What a killed `roofmark run` left beside its output: a directory with the files of the executions
// that had ended by then (command/pass_directory.h).
#ifndef ROOFMARK_COMMAND_RECOVER_LEFT_PASSES_H_
#define ROOFMARK_COMMAND_RECOVER_LEFT_PASSES_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/core/result.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

// An execution left a file there.
bool HoldsFiles(const std::string& directory);

// Of `directories`, or, where none is named, of those in the working directory whose command has
// ended: the one with files of executions. Nothing if there is none. Error: there are several.
Result<std::optional<std::string>> FindLeftPasses(const std::vector<std::string>& directories);

// The executions for time and for counts there as one file, as `roofmark run` would have joined
// them; its warnings say what it is. Of several programs the one that the command would report
// first. Of the second execution on those are left out in which ranks are missing, and those that
// looked for loops. Error: there is none of them, or no file can be read.
Result<RooflineFile> JoinLeftPasses(const std::string& directory);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RECOVER_LEFT_PASSES_H_
