// SPDX-License-Identifier: BSD-3-Clause
//
// Runs a guest program (guests/) under the counting tool and reads what it reports.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_VALGRIND_TOOL_RUN_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_VALGRIND_TOOL_RUN_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "collectors/counting/schema.h"

namespace roofmark {

using Counters = std::vector<uint64_t>;  // ROOF_COUNTERS of them

struct ToolRun {
  int exit_code = -1;  // 128 + signal if one ended the process
  std::string out;
  std::string err;
  using Contexts = std::map<std::pair<unsigned, unsigned>, Counters>;  // by (thread, path)
  std::array<Contexts, ROOF_LAYERS> layers;
  Contexts cheap;  // of work, with ROOF_COUNT_CHEAP
  uint64_t lost_paths = 0;

  // Counters of one context of work; zeros if it counted nothing.
  Counters At(unsigned thread, unsigned path) const;
  Counters InLayer(unsigned layer, unsigned thread, unsigned path) const;
  // Summed over all threads.
  Counters OfPath(unsigned path) const;
};

// Command: the guest's name and its arguments. Options: the tool's.
ToolRun RunTool(const std::vector<std::string>& options, const std::vector<std::string>& command,
                const std::vector<std::string>& environment = {});

// The same, several times at once: `launcher` is what stands before the tool on the command line.
ToolRun RunToolUnder(const std::vector<std::string>& launcher,
                     const std::vector<std::string>& options,
                     const std::vector<std::string>& command);

// The command line alone, without the tool.
ToolRun RunNative(const std::vector<std::string>& command);

// FLOPs of a class of counters; -1: any.
uint64_t Flops(const Counters& counters, int precision = -1, int width = -1, int kind = -1);

// "--count=cache" with three small levels; see the tests for what fits.
std::vector<std::string> SmallCaches(const std::string& count = "cache");

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_VALGRIND_TOOL_RUN_H_
