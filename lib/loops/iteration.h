// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_LOOPS_ITERATION_H_
#define ROOFMARK_LIB_LOOPS_ITERATION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/loops/forest.h"

namespace roofmark::loops {

// Which pieces one iteration of a loop can execute together. Takes the time of the loop's ways.
class Iteration {
 public:
  explicit Iteration(const Forest& forest);  // which outlives it

  // From this piece to the end of the iteration, and from its begin to this piece. Without a loop:
  // in all of the unit.
  void Visit(uint32_t piece, std::optional<uint32_t> loop);
  bool HasVisited(uint32_t piece) const { return visited_[piece] == round_; }

 private:
  using Lists = std::vector<std::vector<uint32_t>>;  // of pieces, by piece
  void Walk(uint32_t piece, std::optional<uint32_t> loop, const Lists& next, bool forward);
  bool IsIn(uint32_t piece, uint32_t loop) const;

  const Forest& forest_;
  Lists after_, before_;
  std::vector<uint64_t> visited_, walked_;  // by piece, the last round
  uint64_t round_ = 0, walk_ = 0;
};

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_ITERATION_H_
