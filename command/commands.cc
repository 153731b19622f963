// SPDX-License-Identifier: BSD-3-Clause
#include "command/commands.h"

namespace roofmark::cli {

const char kAbout[] =
    "roofmark: rooflines of MPI codes, region by region\n"
    "\n"
    "  roofmark doctor                       what can be counted here, and how to fix the rest\n"
    "  roofmark machine                      measure the ceilings of this machine, once\n"
    "  roofmark run -- mpirun -n 4 ./app     run twice (time, work), join both, report\n"
    "  roofmark report app.roofline.json     show the report again\n"
    "  roofmark loops app.roofline.json      the hottest loops (after run --auto or --loops)\n";

void AddCommands(CommandLine& line) {
  AddMachineCommand(line);
  AddRunCommand(line);
  AddReportCommand(line);
  AddCompareCommand(line);
  AddScalingCommand(line);
  AddPortabilityCommand(line);
  AddMergeCommand(line);
  AddNestsCommand(line);
  AddLoopsCommand(line);
  AddSuggestCommand(line);
  AddRecoverCommand(line);
  AddTopCommand(line);
  AddDoctorCommand(line);
  AddEventsCommand(line);
  AddExplainCommand(line);
  AddSettingsCommand(line);
  AddManualCommand(line);
}

}  // namespace roofmark::cli
