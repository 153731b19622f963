// SPDX-License-Identifier: BSD-3-Clause
//
// Which code was executed, and how often: plain data of one process, or of a whole job. Blocks and
// ways: all threads together, and only what was executed as work (lib/core/layer.h).
#ifndef ROOFMARK_LIB_FOUND_EXECUTED_H_
#define ROOFMARK_LIB_FOUND_EXECUTED_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/core/layer.h"

namespace roofmark {

// Places are offsets from the lowest address at which their module is mapped.

// Straight code, executed from its begin to its end. Blocks overlap where code was entered in the
// middle.
struct ExecutedBlock {
  uint64_t begin = 0;
  uint32_t bytes = 0;
  uint32_t instructions = 0;
  uint64_t times = 0;

  bool operator==(const ExecutedBlock&) const = default;
};

// From the last instruction of one block to the first of the next, in the same module. Returns are
// left out; of calls through pointers see ExecutedCall.
struct ExecutedWay {
  uint64_t from = 0, to = 0;
  uint64_t times = 0;
  bool calls = false;

  bool operator==(const ExecutedWay&) const = default;
};

// Of a block, what was executed in one path.
struct ExecutedPart {
  uint64_t begin = 0;
  uint32_t bytes = 0;
  uint32_t path = 0;  // index of Executed::paths
  Layer layer = Layer::kWork;
  bool leads = false;  // by the main thread
  uint64_t times = 0;

  bool operator==(const ExecutedPart&) const = default;
};

// What tells with the calls among ways who calls whom: a call through a register or memory, or a
// jump to another module, as tables of the linker have them and functions that end with a call.
// Nothing of what MPI and OpenMP runtimes call, nor libc and the like.
struct ExecutedCall {
  uint64_t from = 0;
  uint32_t to_module = 0;  // index of Executed::modules
  uint64_t to = 0;
  uint64_t times = 0;

  bool operator==(const ExecutedCall&) const = default;
};

struct ExecutedModule {
  std::string file;
  std::vector<ExecutedBlock> blocks;     // by begin and bytes, each pair once
  std::vector<ExecutedWay> ways;         // by their ends, each kind of a pair once
  std::vector<ExecutedPart> parts = {};  // by all but `times`; empty: not known
  std::vector<ExecutedCall> calls = {};  // the same

  bool operator==(const ExecutedModule&) const = default;
};

struct Executed {
  std::vector<ExecutedModule> modules;  // by file, each once
  // Full names of the paths of parts, in order, each once; empty for what is in no region.
  std::vector<std::string> paths = {};
  std::vector<std::string> command = {};  // of the process; empty: not known, or of several

  bool operator==(const Executed&) const = default;
};

// What several parts have together, in any order, as above. Parts need not be in order themselves:
// one part alone is put in order. Sums beyond 2^64 stay there.
Executed MergeExecuted(std::vector<Executed> parts);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOUND_EXECUTED_H_
