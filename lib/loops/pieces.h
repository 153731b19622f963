// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_LOOPS_PIECES_H_
#define ROOFMARK_LIB_LOOPS_PIECES_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "lib/binary/branch.h"
#include "lib/loops/flow.h"
#include "lib/loops/input.h"

namespace roofmark::loops {

// An edge and the instruction that it comes from.
struct BranchEdge {
  Edge edge;
  binary::Branch branch;
};

// By `from`, then `to`; each pair once.
std::vector<BranchEdge> SortedEdges(const Input& input);

// Blocks cut where they overlap, where edges enter them, behind the instructions at which edges
// leave them, and where a function ends. A piece behind a branch that was not always taken was
// executed as often as the branch was not taken.
std::vector<Piece> MakePieces(const Input& input, const std::vector<BranchEdge>& edges);

// Index of the piece that has the offset; kNoPiece: none.
inline constexpr uint32_t kNoPiece = UINT32_MAX;
uint32_t PieceAt(const std::vector<Piece>& pieces, uint64_t offset);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_PIECES_H_
