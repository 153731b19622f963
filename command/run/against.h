// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark run --against: two commands in turns, and what differs between them.
#ifndef ROOFMARK_COMMAND_RUN_AGAINST_H_
#define ROOFMARK_COMMAND_RUN_AGAINST_H_

#include <string>

#include "command/run/options.h"
#include "command/run/settings.h"

namespace roofmark::cli {

// Executions of each command where --repeat gives no number: with five on each side a change of
// 10 % is found where times spread by 1.5 %.
inline constexpr uint32_t kRepeatsAgainst = 5;

// The file of the other command: "run.before.json" beside "run.json".
std::string OutputBefore(const std::string& output);

// `output` is the file of options.command, of which DefaultOutput() was asked. Each command has its
// own passes; those for time take turns. Returns the exit status.
int RunAgainst(const RunOptions& options, const SettingsPlan& plan, const std::string& output);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_AGAINST_H_
