// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <new>

#include "command/commands.h"
#include "command/output.h"
#include "lib/core/messages/command.h"
#include "lib/core/own_stack.h"

namespace roofmark::cli {
namespace {

int Execute(int argc, char** argv) {
  CommandLine line(
      "roofmark: rooflines of MPI codes, region by region\n"
      "\n"
      "  roofmark doctor                       what can be counted here, and how to fix the rest\n"
      "  roofmark machine                      measure the ceilings of this machine, once\n"
      "  roofmark run -- mpirun -n 4 ./app     run twice (time, work), join both, report\n"
      "  roofmark report app.roofline.json     show the report again\n"
      "  roofmark loops app.roofline.json      the hottest loops (after run --auto or --loops)\n",
      ROOFMARK_VERSION_TEXT);
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
  AddSettingsCommand(line);
  AddManualCommand(line);
  return line.Parse(argc, argv);
}

// What no subcommand foresaw ends this one with a message and a status, not with a signal.
int ExecuteGuarded(int argc, char** argv) try {
  return Execute(argc, argv);
} catch (const std::bad_alloc&) {
  Say(message::kNotEnoughMemory);
  return kFailure;
} catch (const std::exception& error) {
  PassOn(error.what());
  return kFailure;
}

}  // namespace
}  // namespace roofmark::cli

int main(int argc, char** argv) {
  using namespace roofmark::cli;
  TakeStreams();
  int status = kFailure;
  const auto execute = [&]() noexcept { status = ExecuteGuarded(argc, argv); };
  // `ulimit -s 512`: what holds a profile takes more.
  constexpr size_t kEnough = 4 << 20;
  roofmark::OwnStack stack(kEnough, roofmark::OwnStack::Signals::kCome);
  stack.Exists() ? stack.Call(execute) : execute();
  return FinishOutput(status);
}
