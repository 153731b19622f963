// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/options.h"

#include <fmt/format.h>

#include "command/run/limit.h"
#include "lib/core/adapter_names.h"
#include "lib/core/collector_names.h"
#include "lib/core/limits.h"

namespace roofmark::cli {
namespace {

std::string Adapters() { return fmt::format("all of them or --adapters=LIST: {}", AdapterNames()); }

void DeclareExecutions(const Command& command, RunOptions& options) {
  command
      .Value(
          "--collector", options.collector,
          "Of the first execution. auto (default): whatever opens in the job's processes; cupti: "
          "the same, and three more executions count on NVIDIA's GPUs")
      .OneOf(AllCollectorWords());
  command
      .Value("--work", options.work,
             "Whether the counting engine executes the command then. auto: if hardware counters "
             "left FLOPs or DRAM bytes out")
      .OneOf({kWorkNever, kWorkAuto, kWorkAlways});
  command.Flag("--one-execution", options.one_execution,
               "Time and count in one execution, by the native engine: visits take turns. No "
               "memory traffic, and no counts of regions that are visited once (--work "
               "always: a second execution counts them)");
  command
      .Value("--groups", options.groups,
             "all: one execution for each group of events, instead of taking turns on counters")
      .OneOf({"all"});
  command
      .Value("--regions", options.regions,
             "Regions to record: names, or paths as solve/*; -halo leaves out (ROOFMARK_REGIONS)")
      .Shown("PATTERNS");
  command
      .Value("--repeat", options.repeat, "Executions for time: how much times spread between them")
      .Shown("N")
      .Within(1, limits::kRepeats);
  command
      .Value("--against", options.against,
             "Execute another command in turns with CMD (5 times each unless --repeat says), and "
             "compare them; its file has .before in its name")
      .Shown("OLDCMD");
  command.Flag("--ignore-status", options.ignore_status,
               "Make the work pass even if the program ended with another status than 0");
  command.Flag("--preload", options.preload, "Preload libroofmark.so into the program");
  command.Flag("--children", options.forked,
               "Record forked processes, too, from their first region on: those that run side by "
               "side are one program (ROOFMARK_CHILDREN)");
  command.FlagOrValue("--adapters", "all", options.adapters,
                      "Make regions of annotations of other tools, " + Adapters());
  command.Flag("--no-mpi-wait", options.no_mpi_wait,
               "Do not measure the time inside MPI: preload nothing for it in the time pass");
  command.Flag("--no-openmp-wait", options.no_openmp_wait,
               "Do not measure threads' time in parallel regions: preload nothing for it");
}

void DeclareFinding(const Command& command, RunOptions& options) {
  command.Flag("--auto", options.find,
               "Make regions of the loops and functions that take the time: no markers are needed");
  command.Value("--depth", options.depth, "With --auto: loops inside each other to this depth only")
      .Shown("N")
      .Within(1, 1000);
  command.Flag("--functions", options.functions, "With --auto: functions only, no loops");
  command.Flag(
      "--exact", options.exact,
      "With --auto: model the memory hierarchy all the time, and every cache line of it, in "
      "place of bursts and one line in 16");
  command.Flag(
      "--loops", options.loops,
      "With markers: keep the machine code of hot loops for `roofmark loops` (--auto does)");
}

// What does not go with --auto; empty if all does.
std::string ContradictsFinding(const RunOptions& options) {
  if (!options.find) {
    if (options.depth > 0) return "--depth is for the loops that --auto finds: add --auto";
    if (options.functions) return "--functions is for what --auto finds: add --auto";
    if (options.exact) return "--exact is for what --auto counts: add --auto, or leave it out";
    return {};
  }
  if (options.exact && !options.visits.empty()) {
    return "--exact models the memory hierarchy in all visits: leave out --visits";
  }
  if (options.forked) {
    return "--auto looks for loops in the process that is started: leave out --children, which "
           "needs markers";
  }
  if (options.CountsGpus()) {
    return "--auto counts the host's loops under the counting engine: leave out --collector cupti";
  }
  if (RunsUnderEngine(options.collector) || options.work == kWorkNever || options.TimeAlone()) {
    return "--auto needs both passes: time is sampled in the first one, and loops are counted in "
           "the second one; leave out --work never and --collector timer or counting";
  }
  if (options.repeat > 1) return "--auto samples one execution: leave out --repeat";
  if (!options.groups.empty()) {
    return "--auto counts loops under the counting engine: leave out --groups, which counts by "
           "hardware";
  }
  return {};
}

// The same for --loops.
std::string ContradictsLoops(const RunOptions& options) {
  if (!options.loops) return {};
  if (options.work == kWorkNever || options.collector == "timer" || options.CountsGpus()) {
    return "--loops needs the work pass, which counts the executed code: leave out --work never "
           "and --collector timer or cupti";
  }
  if (options.repeat > 1 || !options.groups.empty()) {
    return "--loops samples one execution: leave out --repeat and --groups";
  }
  return {};
}

// Why the native engine cannot do what is asked for; empty: it can.
std::string ContradictsEngine(const RunOptions& options) {
  if (options.engine != kEngineNative) return {};
  if (options.count == "threec") {
    return "--engine native does not tell why misses happen: leave out --count threec";
  }
  return {};
}

// What does not go with --one-execution.
std::string ContradictsOneExecution(const RunOptions& options) {
  if (!options.one_execution) return {};
  if (options.find || options.loops) {
    return "--one-execution counts regions that are marked, and no code: leave out --auto and "
           "--loops";
  }
  if (!options.collector.empty() && options.collector != "auto") {
    return fmt::format("--one-execution counts by the native engine: leave out --collector {}",
                       options.collector);
  }
  if (!options.groups.empty())
    return "--one-execution reads no hardware counters: leave out --groups";
  if (!options.visits.empty()) {
    return "--one-execution chooses itself which visits are counted: leave out --visits";
  }
  if (options.repeat > 1 || !options.against.empty()) {
    return "--one-execution executes the command once: leave out --repeat and --against";
  }
  if (options.work != kWorkAlways && !options.count.empty() && options.count != "flops") {
    return fmt::format(
        "--one-execution does not model caches, which needs every visit: leave out --count {}, or "
        "let a second execution do it (--work always)",
        options.count);
  }
  if (options.work != kWorkAlways && !options.work_limit.empty()) {
    return "--work-limit is for the work pass, and --one-execution makes none (--work always: it "
           "does)";
  }
  return {};
}

void DeclareWorkPass(const Command& command, RunOptions& options) {
  command
      .Value(
          "--engine", options.engine,
          "What executes the work pass. native: the processor; auto: native where that is enough, "
          "with one cache line in 16 modelled (ROOFMARK_ENGINE)")
      .OneOf({kEngineValgrind, kEngineNative, kEngineAuto});
  command.Value("--count", options.count, "What the work pass counts: flops, cache or threec")
      .OneOf({"flops", "cache", "threec"});
  command.Value("--cache", options.cache, "Caches to model, as L1:48K:12,L2:2M:16,L3:32M:16")
      .Shown("LEVELS");
  command
      .Value("--visits", options.visits,
             "first:K: the work pass models the memory traffic of K visits of each region "
             "(ROOFMARK_VISITS)")
      .Shown("WHICH");
  command.Value("--sample", options.sample, "Simulate one cache line in N: 1, 2, 4 ... 256")
      .Shown("N")
      .Within(1, 256);
  command
      .Value(
          "--work-limit", options.work_limit,
          "Lower what the work pass counts until it is expected to end in this time: 600s, 10m, 1h")
      .Shown("TIME");
  command.Value("--workdir", options.work_directory, "Directory in which the work pass runs")
      .ExistingDirectory();
  command.Flag("--fresh-dir", options.fresh_directory,
               "Each execution but the first works in a copy of this directory, made before the "
               "first: for programs that continue from what they wrote");
  command.Flag("--each-rank", options.each_rank,
               "A launcher starts this command on several ranks, each of which measures a program "
               "of its own");
  command
      .Value("--program", options.program,
             "Of several programs that the command starts, the one whose report is shown: the "
             "name of its executable, or of its script; NAME:2 is the second one")
      .Shown("NAME");
  command.Flag("--quiet-work-pass", options.quiet_work,
               "Discard the program's output in the work pass");
}

}  // namespace

void DeclareRunOptions(const Command& command, RunOptions& options) {
  // One that is there keeps its name, and this one gets a number.
  command.Output("-o,--output", options.output, "Roofline file (default: APP.roofline.json)",
                 {.extension = "json", .checks_itself = true});
  command.Flag("--force", options.force, "Replace an existing output");
  DeclareFinding(command, options);
  DeclareExecutions(command, options);
  DeclareWorkPass(command, options);
  command.Flag("--no-machine", options.no_machine,
               "Use no machine file, and do not measure the machine");
  command
      .Value("--machine", options.machines,
             "Machine file, one for each kind of node (default: kept ones)")
      .Shown("FILE")
      .OneEachTime()
      .Excludes("--no-machine");
  command.Flag("--no-report", options.no_report, "Write the file, show no report");
  command.Value("CMD", options.command, "The command, after --").Required();
  command.PositionalsAtEnd();
}

namespace {

// What does not go with --against; empty if all does.
std::string ContradictsTurns(const RunOptions& options) {
  if (options.against.empty()) return {};
  if (options.find)
    return "--against takes turns in repeated executions, and --auto has one: leave one of them "
           "out";
  if (!options.groups.empty())
    return "--against takes turns in executions for time: leave out --groups";
  if (options.CountsGpus())
    return "--against takes turns in executions for time: leave out --collector cupti";
  if (RunsUnderEngine(options.collector)) {
    return fmt::format(
        "--against compares times, and --collector {} has none: leave one of them out",
        options.collector);
  }
  return {};
}

}  // namespace

std::string Contradiction(const RunOptions& options) {
  const bool limited = !options.work_limit.empty();
  if (limited && !ParseLimit(options.work_limit)) {
    return fmt::format("--work-limit {} is no time: give 600s, 10m or 1h", options.work_limit);
  }
  if (options.fresh_directory && !options.work_directory.empty()) {
    return "--fresh-dir and --workdir both say where the work pass works: leave one of them out";
  }
  if (std::string why = ContradictsTurns(options); !why.empty()) return why;
  if (std::string why = ContradictsFinding(options); !why.empty()) return why;
  if (std::string why = ContradictsLoops(options); !why.empty()) return why;
  if (std::string why = ContradictsEngine(options); !why.empty()) return why;
  if (std::string why = ContradictsOneExecution(options); !why.empty()) return why;
  const bool counts =
      options.collector != "timer" && !options.CountsGpus() && !RunsUnderEngine(options.collector);
  if (!options.groups.empty() && !counts) {
    return fmt::format("--groups counts by hardware, and --collector {} does not",
                       options.collector);
  }
  if (!RunsUnderEngine(options.collector)) return {};
  if (limited) {
    return fmt::format(
        "--work-limit is held against what the time pass took, and --collector {} has none",
        options.collector);
  }
  if (options.repeat > 1) {
    return fmt::format(
        "--repeat repeats the time pass, and --collector {} has none: leave one of them out",
        options.collector);
  }
  if (options.work == kWorkNever) {
    return fmt::format("--collector {} is the work pass alone, and --work never leaves it out",
                       options.collector);
  }
  return {};
}

}  // namespace roofmark::cli
