// SPDX-License-Identifier: BSD-3-Clause
//
// Threads that have nothing to do.
#ifndef ROOFMARK_COMMAND_NESTS_IDLE_H_
#define ROOFMARK_COMMAND_NESTS_IDLE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "command/nests/code.h"
#include "lib/samples/samples.h"

namespace roofmark::cli {

struct CodeOfFile {
  std::string file;
  uint64_t begin = 0, end = 0;
};

// The code of sched_yield(). A thread of a pool calls it time and again while there is no work.
std::vector<CodeOfFile> YieldsIn(const FoundCode& code);

// Takes out what other threads than the main one left there: it is no work of the place that
// called. The main thread's time passes in a region, whatever it does. Returns how many samples
// went.
uint64_t DropIdle(std::span<const CodeOfFile> yields, Samples& samples);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_NESTS_IDLE_H_
