// SPDX-License-Identifier: BSD-3-Clause
#include "command/commands.h"

int main(int argc, char** argv) {
  using namespace roofmark::cli;
  CommandLine line(
      "roofmark: how far each loop nest of an MPI code is from what the machine allows\n"
      "\n"
      "  roofmark doctor                       what can be counted here, and what cures the rest\n"
      "  roofmark machine                      measure this machine, once\n"
      "  roofmark run -- mpirun -n 4 ./app     execute for time and for work, join, report\n"
      "  roofmark report app.roofline.json     table and roofline, again\n",
      ROOFMARK_VERSION_TEXT);
  AddMachineCommand(line);
  AddRunCommand(line);
  AddReportCommand(line);
  AddCompareCommand(line);
  AddPortabilityCommand(line);
  AddMergeCommand(line);
  AddRecoverCommand(line);
  AddTopCommand(line);
  AddDoctorCommand(line);
  AddEventsCommand(line);
  AddSettingsCommand(line);
  return line.Parse(argc, argv);
}
