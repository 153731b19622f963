// SPDX-License-Identifier: BSD-3-Clause
//
// Loops of a graph, reducible or not. Pure.
// Source: P. Havlak, "Nesting of Reducible and Irreducible Loops", ACM Transactions on Programming
// Languages and Systems 19(4), 1997, figure 4, after R. E. Tarjan, "Testing Flow Graph
// Reducibility", Journal of Computer and System Sciences 9, 1974.
#ifndef ROOFMARK_LIB_LOOPS_HAVLAK_H_
#define ROOFMARK_LIB_LOOPS_HAVLAK_H_

#include <cstdint>
#include <vector>

namespace roofmark::loops {

inline constexpr uint32_t kNoNode = UINT32_MAX;

struct Nesting {
  // By node: header of the innermost loop around it, of that around its own loop for a header;
  // kNoNode: none.
  std::vector<uint32_t> header;
  std::vector<bool> is_header;
  std::vector<bool> irreducible;  // headers of loops that can be entered elsewhere, too
};

// `successors` by node; node 0 is the entry. Nodes that it does not reach are in no loop. Time is
// nearly linear in the edges; irreducible graphs can take their square.
Nesting FindNesting(const std::vector<std::vector<uint32_t>>& successors);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_HAVLAK_H_
