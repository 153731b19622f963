// SPDX-License-Identifier: BSD-3-Clause
//
// What a program executes between its two breakpoints, instruction by instruction: blocks and edges
// as a counting engine hands them over, without an engine.
#ifndef ROOFMARK_TESTS_LIB_LOOPS_TRACE_H_
#define ROOFMARK_TESTS_LIB_LOOPS_TRACE_H_

#include <string>
#include <vector>

#include "lib/binary/binary.h"
#include "lib/core/result.h"
#include "lib/loops/input.h"

namespace roofmark::test {

// The shape of blocks.
enum class Blocks {
  kBasic,  // each branch ends one
  kSuper,  // conditional branches that are not taken end none
};

struct Trace {
  std::vector<loops::Block> blocks;
  std::vector<loops::Edge> edges;
};

// Offsets of the executed instructions in their order; kElsewhere stands for those of other
// modules. The error says why this machine cannot do it.
Result<std::vector<uint64_t>> StepThrough(const std::string& program);

// Blocks and edges of a path.
Trace MakeTrace(const binary::Binary& file, const std::vector<uint64_t>& path, Blocks shape);

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_LOOPS_TRACE_H_
