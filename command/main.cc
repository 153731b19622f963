// SPDX-License-Identifier: BSD-3-Clause
#include "command/commands.h"

int main(int argc, char** argv) {
  using namespace roofmark::cli;
  CommandLine line(
      "roofmark: rooflines of MPI codes, region by region\n"
      "\n"
      "  roofmark doctor                       what can be counted here, and how to fix the rest\n"
      "  roofmark machine                      measure the ceilings of this machine, once\n"
      "  roofmark run -- mpirun -n 4 ./app     run twice (time, work), join both, report\n"
      "  roofmark report app.roofline.json     show the report again\n",
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
