// SPDX-License-Identifier: BSD-3-Clause
//
// What a user asks of `roofmark run`.
#ifndef ROOFMARK_COMMAND_RUN_OPTIONS_H_
#define ROOFMARK_COMMAND_RUN_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "command/options.h"

namespace roofmark::cli {

// Of --engine.
inline constexpr char kEngineNative[] = "native", kEngineValgrind[] = "valgrind",
                      kEngineAuto[] = "auto";
// Of --collector: executions of their own count on GPUs.
inline constexpr char kGpuCollector[] = "cupti";
// Of --work: whether the counting engine executes the command.
inline constexpr char kWorkNever[] = "never", kWorkAuto[] = "auto", kWorkAlways[] = "always";

// Texts are empty, and numbers 0, where the user gave none.
struct RunOptions {
  std::vector<std::string> command;
  std::string output, collector, regions, work = kWorkAuto, engine, count, cache, visits,
                                          work_directory;
  std::vector<std::string> machines;
  std::string work_limit, groups, adapters, against;
  uint32_t sample = 0, repeat = 0, depth = 0;
  bool force = false, no_report = false, preload = false, quiet_work = false;
  bool find = false, functions = false, loops = false, exact = false;
  bool one_execution = false, each_rank = false, fresh_directory = false;
  std::string program;  // of several that the command starts, as the user names it; empty: not said
  bool forked = false;  // processes that the program forks are recorded, too
  bool no_mpi_wait = false, no_openmp_wait = false, ignore_status = false, no_machine = false;

  bool CountsGpus() const { return collector == kGpuCollector; }
  // Whether the native engine counts, where it can be loaded: `auto` leaves to Valgrind's what that
  // alone says.
  bool CountsNatively() const {
    return engine == kEngineNative || (engine == kEngineAuto && count != "threec");
  }
  bool TimeAlone() const { return collector == "timer" && work != kWorkAlways; }
};

// Declares them all; `options` must outlive the command line.
void DeclareRunOptions(const Command& command, RunOptions& options);

// Why these do not fit each other, in one sentence; empty if they do.
std::string Contradiction(const RunOptions& options);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_OPTIONS_H_
