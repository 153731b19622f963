// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <memory>

#include "benchmarks/machine/measure.h"
#include "lib/cli/commands.h"
#include "lib/cli/files.h"
#include "lib/cli/machine_progress.h"
#include "lib/cli/machine_table.h"
#include "lib/cli/report_command.h"
#include "lib/model/machine_cache.h"
#include "lib/model/machine_json.h"

namespace roofmark::cli {
namespace {

struct Options {
  bool quick = false, full = false, quiet = false, force = false;
  std::string output;  // empty: the user's cache
};

std::atomic<bool> g_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

// The first Ctrl-C stops the measurement and keeps it, the second one ends the process.
void CatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { g_stop.store(true); };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

// Keeps the machine where the options say. Returns where, or nothing after saying why.
std::optional<std::string> Keep(const Machine& machine, const Options& options) {
  if (!options.output.empty()) {
    if (!Save(options.output, MachineToJson(machine), options.force)) return std::nullopt;
    return options.output;
  }
  if (machine.partial) {
    const auto older = LoadCachedMachine();
    if (older && !older->machine.partial) {
      Say("the earlier, complete measurement in " + older->path +
          " stays; use -o FILE to keep this one");
      return std::nullopt;
    }
  }
  const auto stored = StoreCachedMachine(machine);
  if (stored) return *stored;
  Say(stored.error());
  return std::nullopt;
}

int Measure(const Options& options) {
  // Not after a minute's work.
  if (!options.output.empty() && options.output != "-" && !options.force &&
      access(options.output.c_str(), F_OK) == 0) {
    Say(options.output + " exists already; choose another name, remove it, or give --force");
    return kFailure;
  }
  MeasureOptions measure;
  measure.effort = options.quick ? Effort::kQuick : options.full ? Effort::kFull : Effort::kDefault;
  measure.stop = &g_stop;
  CatchInterrupts();
  struct Silent final : Progress {
    void Update(double, double, std::string_view) override {}
  } silent;
  StreamProgress stream(stderr, isatty(STDERR_FILENO) == 1);
  const auto machine =
      MeasureMachine(measure, options.quiet ? static_cast<Progress&>(silent) : stream);
  stream.Finish();
  if (!machine) {
    Say(machine.error());
    return kFailure;
  }
  const bool to_stdout = options.output == "-";
  if (!options.quiet && !to_stdout) {
    std::fputs((MachineTable(*machine) + "\n").c_str(), stdout);
    ShowRoofs(*machine, {});
  }
  const auto kept = Keep(*machine, options);
  if (kept && !options.quiet && !to_stdout) {
    fmt::print("\nmeasured in {:.1f} s, kept in {}\n", machine->seconds, *kept);
  }
  if (machine->partial) {
    Say("interrupted: only what was measured until then is there");
    return 128 + SIGINT;
  }
  return kept ? 0 : kFailure;
}

}  // namespace

void AddMachineCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "machine", "Measure what this machine sustains, within this process's cpuset, and keep it");
  auto* quick = command->add_flag("--quick", options->quick, "In about 10 s instead of 45 s");
  command->add_flag("--full", options->full, "In about 4 minutes, with narrower spreads")
      ->excludes(quick);
  command->add_option("-o,--output", options->output,
                      "Machine file to write, - for stdout; default: the user's cache");
  command->add_flag("--force", options->force, "Replace the file given with -o");
  command->add_flag("--quiet", options->quiet, "No progress, no table");
  command->callback([options, &status] { status = Measure(*options); });
}

}  // namespace roofmark::cli
