// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_first.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "command/child.h"
#include "command/forward.h"
#include "command/installation.h"
#include "command/output.h"
#include "lib/core/file_name.h"
#include "lib/core/messages/command_run.h"
#include "lib/model/machine_files.h"
#include "mpi/command_job/job.h"

namespace roofmark::cli {
namespace {

// Commands that start processes on other nodes, whatever their options say.
constexpr std::array<std::string_view, 8> kRemote = {"srun", "sbatch", "aprun", "jsrun",
                                                     "flux", "prun",   "qsub",  "ssh"};
// Options by which mpirun and mpiexec are told to.
constexpr std::array<std::string_view, 9> kHosts = {"-host",        "--host",        "-hosts",
                                                    "-H",           "-hostfile",     "--hostfile",
                                                    "-machinefile", "--machinefile", "-f"};

template <typename List>
bool IsIn(const List& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

std::string MayRunElsewhere(const std::vector<std::string>& command, const Environment& variable) {
  const std::string launcher(FileName(command[0]));
  if (IsIn(kRemote, launcher)) return fmt::format("{} chooses the nodes", launcher);
  if (launcher.rfind("mpi", 0) == 0) {
    const auto hosts = std::find_if(command.begin() + 1, command.end(),
                                    [](const std::string& word) { return IsIn(kHosts, word); });
    if (hosts != command.end()) return fmt::format("{} names the nodes", *hosts);
  }
  // In an allocation, but in no process that Slurm started on one of its nodes.
  if (variable("SLURM_JOB_ID") != nullptr && variable("SLURMD_NODENAME") == nullptr) {
    return "this shell is outside of its Slurm allocation's nodes";
  }
  return {};
}

int MeasureMachineFirst(const std::vector<std::string>& command) {
  const Result<KeptMachine> known = LoadMachineFile();
  // What cannot be executed needs no ceilings.
  if (known || FindProgram(command[0]).empty()) return 0;
  std::string elsewhere = MayRunElsewhere(command, [](const char* name) { return getenv(name); });
  // Its MPI_Init would take the place that the launcher keeps for the program.
  if (elsewhere.empty() && mpi::ReadLaunch()) elsewhere = "a launcher started this command";
  if (!elsewhere.empty()) {
    Say(message::kMachineIsElsewhere, elsewhere);
    return 0;
  }
  Say(message::kMachineIsMeasuredFirst);
  const Child machine{{CommandPath(), "machine", "--quick"}, {}, "", /*discard_output=*/true};
  const ChildEnd end = RunChild(machine);
  if (end.interrupted) {
    Say(message::kInterruptedBefore);
    return 128 + SIGINT;
  }
  const Result<KeptMachine> measured = LoadMachineFile();
  if (!measured) Say(message::kMachineNotMeasured);
  // A busy machine leaves no time for some ceilings. The table, which says so, was not shown.
  if (measured) {
    for (const std::string& warning : measured->machine.warnings)
      Say(message::kMachineWarns, warning);
  }
  return 0;
}

}  // namespace roofmark::cli
