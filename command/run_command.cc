// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark run: executes the command as often as what is to be known demands, joins the executions,
// reports.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "command/commands.h"
#include "command/files.h"
#include "command/machine_first.h"
#include "command/output.h"
#include "command/passes.h"
#include "command/reservation.h"
#include "command/run/against.h"
#include "command/run/children.h"
#include "command/run/finish.h"
#include "command/run/inside_out.h"
#include "command/run/measure.h"
#include "command/run/options.h"
#include "command/run/settings.h"
#include "lib/core/file_name.h"
#include "lib/core/launcher.h"
#include "lib/core/messages/command_run.h"

namespace roofmark::cli {
namespace {

bool IsProgram(const std::string& word) {
  struct stat info;
  return word.find('/') != std::string::npos && stat(word.c_str(), &info) == 0 &&
         S_ISREG(info.st_mode) && access(word.c_str(), X_OK) == 0;
}

// "app.roofline.json", after the program that a launcher starts where that can be told.
std::string DefaultOutput(const std::vector<std::string>& command) {
  auto program = std::find_if(command.begin() + 1, command.end(), IsProgram);
  const std::string& word = program == command.end() ? command[0] : *program;
  return std::string(FileName(word)) + ".roofline.json";
}

// Before a long job, not after it: is there a machine to compare with?
int Prepare(const RunOptions& options) {
  if (!options.machines.empty()) return ReadMachines(options.machines) ? 0 : kUsage;
  // Times alone are compared with no ceiling.
  if (options.no_machine || options.TimeAlone()) return 0;
  return MeasureMachineFirst(options.command);
}

std::string WantedOutput(const RunOptions& options) {
  return options.output.empty() ? DefaultOutput(options.command) : options.output;
}

// One rank says it.
bool RefusesToRunInside(const RunOptions& options) {
  const Launcher launcher = ReadLauncher();
  if (options.each_rank || !IsInsideOut(launcher)) return false;
  if (launcher.rank == 0u) {
    Say(message::kLauncherInFront, launcher.name, *launcher.ranks,
        TurnedRound(roofmark::CommandLine(), launcher));
  }
  return true;
}

int Run(RunOptions options) {
  if (RefusesToRunInside(options)) return kUsage;
  if (options.repeat == 0) options.repeat = options.against.empty() ? 1 : kRepeatsAgainst;
  if (const std::string why = BadValue(options); !why.empty()) {
    PassOn(why);
    return kUsage;
  }
  const SettingsPlan plan = PlanSettings(environ, options);
  for (const std::string& sentence : plan.sentences) PassOn(sentence);
  if (plan.refused) return kUsage;
  if (const std::string why = Contradiction(options); !why.empty()) {
    PassOn(why);
    return kUsage;
  }
  // Its second execution, if there is one, counts what the first cannot.
  if (options.engine.empty() && (options.one_execution || options.find)) {
    options.engine = kEngineAuto;
  }
  if (options.exact && options.sample == 0) options.sample = 1;
  if (!options.against.empty()) {
    const int prepared = Prepare(options);
    return prepared != 0 ? prepared : RunAgainst(options, plan, WantedOutput(options));
  }
  std::optional<Children> children = MakeChildren(options, plan, InputOf(options));
  if (!children) return kFailure;
  std::optional<Reservation> output = ReserveOutput(options, WantedOutput(options));
  if (!output) return kUsage;
  Result<PassDirectory> directory = PassDirectory::Beside(output->path());
  if (!directory) {
    PassOn(directory.error());
    return kUsage;
  }
  const int prepared = Prepare(options);
  if (prepared != 0) return prepared;
  GiveLatencies(options, children->work);
  const HeldSignals held;
  Measured measured = Measure(options, *directory, *children);
  if (!measured.file) {
    if (!measured.unread) directory->Discard();
    return measured.status == 0 ? kFailure : measured.status;
  }
  bool saved = false;
  const int status = Finish(options, *output, measured, saved);
  if (saved && !measured.unread) directory->Discard();
  return status;
}

}  // namespace

void AddRunCommand(CommandLine& line) {
  auto options = std::make_shared<RunOptions>();
  const Command command =
      line.Add("run",
               "Run a marked program (time and hardware counters, then what these leave out), show "
               "the report\n"
               "  roofmark run -o run.json -- mpirun -n 4 ./app input.nml");
  DeclareRunOptions(command, *options);
  command.Runs([options] { return Run(*options); });
}

}  // namespace roofmark::cli
