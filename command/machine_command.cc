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
#include "command/machine_progress.h"
#include "command/machine_show.h"
#include "command/output.h"
#include "command/report_command.h"
#include "lib/core/file.h"
#include "lib/model/machine_files.h"
#include "lib/model/machine_identity.h"
#include "lib/model/machine_json.h"
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

// What the cache has of this kind of node.
Result<Machine> InCache(const Machine& machine) {
  const auto path = MachineFilePath(machine);
  if (!path) return Error{path.error()};
  const auto text = ReadFile(*path, limits::kMachineBytes);
  return text ? MachineFromJson(*text, *path) : Result<Machine>(Error{text.error()});
}

// Is there a complete measurement of this kind of node? Its path.
std::optional<std::string> CompleteInCache(const Machine& machine) {
  const auto kept = InCache(machine);
  if (!kept || kept->partial) return std::nullopt;
  return *MachineFilePath(machine);
}

// Of a measurement without GPUs: those that were measured before stay.
Machine WithKeptGpus(Machine machine) {
  if (!machine.gpus.empty()) return machine;
  if (auto kept = InCache(machine)) machine.gpus = std::move(kept->gpus);
  return machine;
}

// Where machines go: files, or "" for the user's cache. Other kinds of nodes than the first stand
// beside its file, with their key in the name.
std::string OutputOf(const MachineOptions& options, const std::string& key, bool first) {
  if (first || options.output.empty()) return options.output;
  return options.output == "-" ? "" : BeforeExtension(options.output, "." + key);
}

// Before a minute's work, not after it.
bool MayWrite(const std::string& output, const MachineOptions& options) {
  if (output.empty() || output == "-" || options.force || access(output.c_str(), F_OK) != 0) {
    return true;
  }
  Say(output + " exists already; choose another name, remove it, or use --force");
  return false;
}

// A name that was free before the measurement may be taken after it: the file gets a number then.
std::optional<std::string> SaveMeasured(const std::string& output, const std::string& text,
                                        bool force) {
  if (force || output == "-") {
    return Save(output, text, force) ? std::optional(output) : std::nullopt;
  }
  const auto written = WriteFile(output, text, IfExists::kRename);
  if (written) return *written;
  Say(written.error());
  return std::nullopt;
}

// Returns where the machine is kept, or nothing after saying why not.
std::optional<std::string> Keep(const Machine& machine, const std::string& output, bool force) {
  if (!output.empty()) {
    return SaveMeasured(output, MachineToJson(machine), force);
  }
  if (machine.partial) {
    if (const auto older = CompleteInCache(machine)) {
      Say("the earlier, complete measurement in " + *older +
          " stays; use -o FILE to keep this one");
      return std::nullopt;
    }
  }
  const auto stored = StoreMachineFile(WithKeptGpus(machine));
  if (stored) return *stored;
  Say(stored.error());
  return std::nullopt;
}

// "" or " on 3 nodes".
std::string OnNodes(const Machine& machine) {
  return machine.nodes.size() < 2 ? "" : fmt::format(" on {} nodes", machine.nodes.size());
}

// The first machine is shown, all are kept; the command's status.
int Publish(const std::vector<Machine>& machines, const MachineOptions& options) {
  const bool to_stdout = options.output == "-";
  const Machine& first = machines[0];
  if (!options.quiet && !to_stdout) {
    ShowMachine(first);
  }
  bool all_kept = true, partial = false;
  for (const Machine& machine : machines) {
    const bool is_first = &machine == &first;
    const auto kept = Keep(machine, OutputOf(options, KindOf(machine), is_first), options.force);
    all_kept = all_kept && kept;
    partial = partial || machine.partial;
    if (!kept || options.quiet) continue;
    if (!is_first) {
      Say(fmt::format("another kind of node ({}), measured{} in {:.1f} s, kept in {}",
                      machine.cpu_model, OnNodes(machine), machine.seconds, *kept));
    } else if (!to_stdout) {
      Print("\nmeasured{} in {:.1f} s, kept in {}\n", OnNodes(machine), machine.seconds, *kept);
    }
  }
  if (!options.svg.empty() && !Save(options.svg, RenderMachineSvg(first), options.force)) {
    all_kept = false;
  }
  if (partial) {
    Say("interrupted: the file contains only what was measured until then");
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
  auto machine = MeasureMachine(measure, progress);
  if (machine) machine->gpus = std::move(*gpus);
  return machine;
}

Result<Machine> MeasureThisNode(const MachineOptions& options, bool show_progress) {
  MeasureOptions measure;
  measure.effort = EffortOf(options);
  measure.stop = &g_stop;
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
  if (!MayWrite(options.output, options) || !MayWrite(options.svg, options)) return kFailure;
  CatchInterrupts(/*under_launcher=*/false);
  const auto machine = MeasureThisNode(options, /*show_progress=*/true);
  if (machine) return Publish({*machine}, options);
  Say(machine.error());
  return kFailure;
}

// One sentence for all ranks; a launcher that ends the job at the first failure must not cut it
// off.
int FailToJoin(const mpi::Launch& launch, const std::string& why) {
  if (launch.rank == 0) {
    Say(why);
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
      if (!MayWrite(OutputOf(options, kind, &kind == &kinds[0]), options)) return false;
    }
    return MayWrite(options.svg, options);
  };
  steps.measure = [&](const std::string& cpus) {
    return MeasureOnCpus(cpus, [&] { return MeasureThisNode(options, comm.Rank() == 0); });
  };
  steps.finish = [&](const std::vector<Machine>& kinds) { return Publish(kinds, options); };
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
  command
      .Value("-o,--output", options->output,
             "Machine file to write; - is standard output; default: the user's cache")
      .Shown("FILE");
  command.Value("--svg", options->svg, "SVG chart of the roofs and the lower ceilings")
      .Shown("FILE");
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
