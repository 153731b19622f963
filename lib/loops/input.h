// SPDX-License-Identifier: BSD-3-Clause
//
// What was executed of one module, and what is known of its code. All offsets are from its begin.
#ifndef ROOFMARK_LIB_LOOPS_INPUT_H_
#define ROOFMARK_LIB_LOOPS_INPUT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lib/binary/branch.h"
#include "lib/binary/functions.h"
#include "lib/binary/sources.h"

namespace roofmark::loops {

// Code of another module, as an end of an edge.
inline constexpr uint64_t kElsewhere = UINT64_MAX;

// Straight code that was executed from its begin: to its end, or to a branch that left it. Blocks
// may overlap.
struct Block {
  uint64_t begin = 0;
  uint32_t bytes = 0;
  uint64_t times = 0;
};

// From the address of an instruction to that of the next one executed, where that is no part of the
// same block or was not reached by falling through; kElsewhere for other modules. Of all threads
// together.
struct Edge {
  uint64_t from = 0, to = 0;
  uint64_t times = 0;

  bool operator==(const Edge&) const = default;
};

inline uint64_t TimesOf(const std::vector<Edge>& edges) {
  uint64_t times = 0;
  for (const Edge& edge : edges) times += edge.times;
  return times;
}

struct Input {
  std::string library;                      // its name, for code without source lines
  std::vector<binary::Function> functions;  // by begin, none overlap
  std::vector<Block> blocks;
  std::vector<Edge> edges;
  // What the instruction at an offset is. It is asked about the begins of edges.
  std::function<binary::Branch(uint64_t offset)> branch_at;
  // Whether code, which begins with an instruction, does nothing but what binary/preparing.h says.
  std::function<bool(uint64_t begin, uint64_t end)> only_prepares;
  // Sources::RowsIn and MarksIn, or functions that return nothing.
  std::function<std::vector<binary::SourceRow>(uint64_t begin, uint64_t end)> rows_in;
  std::function<std::vector<binary::SourceMark>(uint64_t begin, uint64_t end)> marks_in;
};

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_INPUT_H_
