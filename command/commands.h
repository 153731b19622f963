// SPDX-License-Identifier: BSD-3-Clause
//
// The subcommands of `roofmark`, one file each. Each function adds its subcommand to `line`. What a
// subcommand returns is the exit status: 0, 1 for a failure of ours, 2 for wrong usage, the status
// of the program that it ran, or one of compared.h.
#ifndef ROOFMARK_COMMAND_COMMANDS_H_
#define ROOFMARK_COMMAND_COMMANDS_H_

#include "command/options.h"

namespace roofmark::cli {

void AddCompareCommand(CommandLine& line);
void AddPortabilityCommand(CommandLine& line);
void AddDoctorCommand(CommandLine& line);
void AddEventsCommand(CommandLine& line);
void AddExplainCommand(CommandLine& line);
void AddLoopsCommand(CommandLine& line);
void AddMachineCommand(CommandLine& line);
void AddManualCommand(CommandLine& line);
void AddMergeCommand(CommandLine& line);
void AddNestsCommand(CommandLine& line);
void AddRecoverCommand(CommandLine& line);
void AddReportCommand(CommandLine& line);
void AddRunCommand(CommandLine& line);
void AddScalingCommand(CommandLine& line);
void AddSettingsCommand(CommandLine& line);
void AddSuggestCommand(CommandLine& line);
void AddTopCommand(CommandLine& line);

// What `roofmark --help` begins with, and all of them.
extern const char kAbout[];
void AddCommands(CommandLine& line);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_COMMANDS_H_
