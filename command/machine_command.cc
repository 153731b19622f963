// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <memory>

#include "benchmarks/machine/gpu/measure.h"
#include "benchmarks/machine/measure.h"
#include "command/commands.h"
#include "command/files.h"
#include "command/installation.h"
#include "command/machine_compare.h"
#include "command/machine_job.h"
#include "command/machine_keeper.h"
#include "command/machine_progress.h"
#include "command/machine_show.h"
#include "command/output.h"
#include "command/output_files.h"
#include "command/report_command.h"
#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "lib/model/machine_identity.h"
#include "lib/report/report.h"
#include "mpi/command_job/job.h"

namespace roofmark::cli {
namespace {

struct MachineOptions {
  bool quick = false, full = false, gpu = false, quiet = false, force = false, in_child = false;
  std::string output;  // empty: the user's cache
  std::string svg;     // empty: no picture
  std::vector<std::string> compare;
  std::string topology;
  std::vector<std::string> show;  // nothing or a file
};

Effort EffortOf(const MachineOptions& options) {
  return options.quick ? Effort::kQuick : options.full ? Effort::kFull : Effort::kDefault;
}

std::atomic<bool> g_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

// The first Ctrl-C stops the measurement and keeps it, the second one ends the process; but a
// launcher may forward the same one that the terminal sent, and ends its processes itself.
void CatchInterrupts(bool under_launcher) {
  struct sigaction action = {};
  action.sa_handler = [](int) { g_stop.store(true); };
  action.sa_flags = under_launcher ? SA_RESTART : static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

// Where machines go: files, or "" for the user's cache. Other kinds of nodes than the first stand
// beside its file, with their key in the name.
std::string OutputOf(const MachineOptions& options, const std::string& key, bool first) {
  if (first || options.output.empty()) return options.output;
  return options.output == "-" ? "" : BeforeExtension(options.output, "." + key);
}

// "" or " on 3 nodes".
std::string OnNodes(const Machine& machine) {
  return machine.nodes.size() < 2 ? "" : fmt::format(" on {} nodes", machine.nodes.size());
}

// The first machine is shown, all are kept, the first one by `first_keeper`; the command's status.
int Publish(const std::vector<Machine>& machines, const MachineOptions& options,
            MachineKeeper& first_keeper) {
  const bool to_stdout = options.output == "-";
  const Machine& first = machines[0];
  if (!options.quiet && !to_stdout) {
    ShowMachine(first);
  }
  bool all_kept = true, partial = false;
  for (const Machine& machine : machines) {
    const bool is_first = &machine == &first;
    MachineKeeper other(OutputOf(options, KindOf(machine), /*first=*/false), options.force);
    const auto kept = (is_first ? first_keeper : other).Keep(machine);
    all_kept = all_kept && kept;
    partial = partial || machine.partial;
    if (kept && !machine.contradictions.empty()) {
      Say(message::kFiguresContradict, machine.contradictions.front());
    }
    if (!kept || options.quiet) continue;
    if (!is_first) {
      Say(message::kOtherKindMeasured, machine.cpu_model, OnNodes(machine), machine.seconds, *kept);
    } else if (!to_stdout) {
      Print("\nmeasured{} in {:.1f} s, kept in {}\n", OnNodes(machine), machine.seconds, *kept);
    }
  }
  if (!options.svg.empty() && !Save(options.svg, RenderMachineSvg(first), options.force)) {
    all_kept = false;
  }
  if (partial) {
    Say(message::kMeasurementInterrupted);
    return 128 + SIGINT;
  }
  return all_kept ? 0 : kFailure;
}

// GPUs first: where none can be measured, it is said before the CPUs' minute.
Result<Machine> MeasureAll(const MachineOptions& options, const MeasureOptions& measure,
                           Progress& progress) {
  if (!options.gpu) return MeasureMachine(measure, progress);
  auto gpus = MeasureGpus(GpuKernels(), measure, progress);
  if (!gpus) return Error{"GPUs cannot be measured: " + gpus.error()};
  const auto with_gpus = [&gpus](Machine machine) {
    machine.gpus = *gpus;
    return machine;
  };
  MeasureOptions of_cpus = measure;
  if (measure.keep)
    of_cpus.keep = [&](const Machine& machine) { measure.keep(with_gpus(machine)); };
  auto machine = MeasureMachine(of_cpus, progress);
  return machine ? with_gpus(std::move(*machine)) : machine;
}

// What is measured is kept meanwhile by `keeper`, if there is one.
Result<Machine> MeasureThisNode(const MachineOptions& options, bool show_progress,
                                MachineKeeper* keeper) {
  MeasureOptions measure;
  measure.effort = EffortOf(options);
  measure.stop = &g_stop;
  if (keeper != nullptr) {
    measure.keep = [keeper](const Machine& so_far) { keeper->KeepSoFar(so_far); };
  }
  struct Silent final : Progress {
    void Update(double, double, std::string_view) override {}
  } silent;
  if (options.quiet || !show_progress) return MeasureAll(options, measure, silent);
  StreamProgress stream(stderr, isatty(STDERR_FILENO) == 1);
  auto machine = MeasureAll(options, measure, stream);
  stream.Finish();
  return machine;
}

int MeasureAlone(const MachineOptions& options) {
  if (!MayWrite(options.output, &options.force) || !MayWrite(options.svg, &options.force))
    return kFailure;
  CatchInterrupts(/*under_launcher=*/false);
  MachineKeeper keeper(options.output, options.force);
  const auto machine = MeasureThisNode(options, /*show_progress=*/true, &keeper);
  if (machine) return Publish({*machine}, options, keeper);
  PassOn(machine.error());
  return kFailure;
}

// One sentence for all ranks; a launcher that ends the job at the first failure must not cut it
// off.
int FailToJoin(const mpi::Launch& launch, const std::string& why) {
  if (launch.rank == 0) {
    PassOn(why);
  } else {
    sleep(1);
  }
  return kFailure;
}

int MeasureWithJob(const mpi::Launch& launch, const MachineOptions& options) {
  const auto job = mpi::Job::Join(launch);
  if (!job) return FailToJoin(launch, job.error());
  mpi::Comm& comm = (*job)->comm();
  CatchInterrupts(/*under_launcher=*/true);
  Machine identity;
  FillIdentity(identity);
  JobSteps steps;
  steps.may_begin = [&](const std::vector<std::string>& kinds) {
    for (const std::string& kind : kinds) {
      if (!MayWrite(OutputOf(options, kind, &kind == &kinds[0]), &options.force)) return false;
    }
    return MayWrite(options.svg, &options.force);
  };
  MachineKeeper keeper(options.output, options.force);
  steps.measure = [&](const std::string& cpus) {
    return MeasureOnCpus(cpus, [&] {
      const bool first = comm.Rank() == 0;
      return MeasureThisNode(options, first, first ? &keeper : nullptr);
    });
  };
  steps.finish = [&](const std::vector<Machine>& kinds) { return Publish(kinds, options, keeper); };
  steps.interrupted = [] { return g_stop.load(); };
  return MeasureInJob(comm, mpi::ThisMember(KindOf(identity)), steps);
}

int MeasureMachine(const MachineOptions& options) {
  const auto launch = mpi::ReadLaunch();
  return launch ? MeasureWithJob(*launch, options) : MeasureAlone(options);
}

}  // namespace

void AddMachineCommand(CommandLine& line) {
  auto options = std::make_shared<MachineOptions>();
  const Command command = line.Add(
      "machine",
      "Measure the ceilings of this machine on the CPUs of this process, and keep the result");
  command.Flag("--quick", options->quick, "Measure for about 10 s instead of 45 s");
  command.Flag("--full", options->full, "Measure for about 4 minutes, with less variation")
      .Excludes("--quick");
  command.Flag("--gpu", options->gpu, "Measure the NVIDIA GPUs of this machine, too");
  // One rank of a job looks at the files of all kinds of nodes.
  command.Output("-o,--output", options->output,
                 "Machine file to write; - is standard output; default: the user's cache",
                 {.extension = "json", .checks_itself = true});
  command.Output("--svg", options->svg, "SVG chart of the roofs and the lower ceilings",
                 {.extension = "svg", .checks_itself = true});
  command.Flag("--force", options->force, "Replace existing files");
  command.Flag("--quiet", options->quiet, "Show neither progress nor table");
  AddMachineCompare(command, options->compare);
  command
      .Value("--topology", options->topology,
             "Show what would be measured on the machine of this hwloc XML file (lstopo FILE.xml); "
             "measure nothing")
      .Shown("FILE")
      .Excludes("--output")
      .Excludes("--gpu")
      .Excludes("--compare");
  command.Flag("--in-child", options->in_child).Hidden();
  const Option show = command.Value(
      "--show", options->show,
      "Show a machine file, or the kept measurement of this machine; measure nothing");
  show.Shown("[FILE]").Takes(0, 1);
  for (const char* other : {"--quick", "--full", "--gpu", "--output", "--compare", "--topology"}) {
    show.Excludes(other);
  }
  command.Runs([options, show] {
    if (!options->topology.empty()) {
      const auto show_plan = options->in_child ? ShowMachinePlanInChild : ShowMachinePlan;
      return show_plan(options->topology, EffortOf(*options));
    }
    if (!options->compare.empty()) return CompareMachines(options->compare);
    if (show.given()) {
      const std::string file = options->show.empty() ? "" : options->show[0];
      return ShowMachineFile(file, options->svg, options->force);
    }
    return MeasureMachine(*options);
  });
}

}  // namespace roofmark::cli
