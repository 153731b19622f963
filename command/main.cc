// SPDX-License-Identifier: BSD-3-Clause
#include "command/commands.h"

int main(int argc, char** argv) {
  CLI::App app{
      "roofmark: how far each loop nest of an MPI code is from what the machine allows\n"
      "\n"
      "  roofmark doctor                       what can be counted here, and what cures the rest\n"
      "  roofmark machine                      measure this machine, once\n"
      "  roofmark run -- mpirun -n 4 ./app     execute for time and for work, join, report\n"
      "  roofmark report app.roofline.json     table and roofline, again\n"};
  app.set_version_flag("--version", ROOFMARK_VERSION_TEXT);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  int status = 0;
  roofmark::cli::AddMachineCommand(app, status);
  roofmark::cli::AddRunCommand(app, status);
  roofmark::cli::AddReportCommand(app, status);
  roofmark::cli::AddCompareCommand(app, status);
  roofmark::cli::AddPortabilityCommand(app, status);
  roofmark::cli::AddMergeCommand(app, status);
  roofmark::cli::AddRecoverCommand(app, status);
  roofmark::cli::AddTopCommand(app, status);
  roofmark::cli::AddDoctorCommand(app, status);
  roofmark::cli::AddEventsCommand(app, status);
  roofmark::cli::AddSettingsCommand(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : roofmark::cli::kUsage;
  }
  return status;
}
