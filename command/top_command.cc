// SPDX-License-Identifier: BSD-3-Clause
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "command/commands.h"
#include "command/output.h"
#include "command/recover/choose.h"
#include "command/recover/collect.h"
#include "command/top/table.h"
#include "lib/core/messages/command.h"

namespace roofmark::cli {
namespace {

struct TopOptions {
  CollectOptions collect;
  double interval_s = 1;
  bool once = false;
};

TopState StateOf(const Collected& collected) {
  TopState state;
  bool first = true;
  for (const FoundSpool& found : collected.spools) {
    JobProfile rank = FoldFound(found);
    state.running += found.life == spool::Life::kAlive;
    if (first) {
      state.job = std::move(rank);
    } else {
      MergeProfiles(state.job, rank);
    }
    first = false;
  }
  return state;
}

winsize Terminal() {
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size = {24, 80, 0, 0};
  return size;
}

// False: nobody can see it.
bool Show(const TopState& state, bool once) {
  const winsize terminal = Terminal();
  constexpr size_t kAround = 8;  // lines that are no regions
  const size_t rows = once ? SIZE_MAX : std::max<size_t>(terminal.ws_row, kAround + 1) - kAround;
  const std::string text = RenderTop(state, terminal.ws_col, rows);
  if (!once) ClearTerminal();
  Print(text);
  return FlushOutput();
}

int Top(TopOptions options) {
  options.collect.live = true;
  Result<std::vector<std::string>> directories =
      SpoolDirectories(options.collect, Wanted::kRunning);
  if (!directories) {
    PassOn(directories.error());
    return kFailure;
  }
  options.collect.directories = *directories;
  for (bool shown = false;; shown = true) {
    const Result<Collected> collected = CollectSpools(options.collect);
    if (!collected || collected->spools.empty()) {
      if (shown) {
        Say(message::kJobHasEnded);
        return 0;
      }
      PassOn(collected ? collected->notes.front() : collected.error());
      return kFailure;
    }
    const TopState state = StateOf(*collected);
    if (!Show(state, options.once)) return kFailure;
    if (options.once) return 0;
    if (state.running == 0) {
      Say(message::kNoProcessRuns);
      return 0;
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(options.interval_s));
  }
}

}  // namespace

void AddTopCommand(CommandLine& line) {
  auto options = std::make_shared<TopOptions>();
  const Command command =
      line.Add("top", "Watch a running job: regions, visits, time and imbalance so far");
  command.Value("DIR", options->collect.directories,
                "Directories of spools (ROOFMARK_SPOOL); default: that of your job on this node");
  command.Value("--job", options->collect.jobs, "Only this job (its id; may be repeated)")
      .Shown("ID")
      .OneEachTime();
  command.Value("--interval", options->interval_s, "Seconds between two tables")
      .Shown("SECONDS")
      .Within(0.1, 3600.0);
  command.Flag("--once", options->once, "Show one table of all regions");
  command.Runs([options] { return Top(*options); });
}

}  // namespace roofmark::cli
