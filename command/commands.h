// SPDX-License-Identifier: BSD-3-Clause
//
// The subcommands of `roofmark`, one file each. Each function adds its subcommand to `app`; when it
// is chosen it leaves its exit status in `status`: 0, 1 for a failure of ours, 2 for wrong usage
// (set by the parser), or the status of the program that it ran.
#ifndef ROOFMARK_COMMAND_COMMANDS_H_
#define ROOFMARK_COMMAND_COMMANDS_H_

#include <CLI/CLI.hpp>

namespace roofmark::cli {

inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;

void AddCompareCommand(CLI::App& app, int& status);
void AddPortabilityCommand(CLI::App& app, int& status);
void AddDoctorCommand(CLI::App& app, int& status);
void AddEventsCommand(CLI::App& app, int& status);
void AddMachineCommand(CLI::App& app, int& status);
void AddMergeCommand(CLI::App& app, int& status);
void AddRecoverCommand(CLI::App& app, int& status);
void AddReportCommand(CLI::App& app, int& status);
void AddRunCommand(CLI::App& app, int& status);
void AddSettingsCommand(CLI::App& app, int& status);
void AddTopCommand(CLI::App& app, int& status);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_COMMANDS_H_
