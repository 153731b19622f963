// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/pieces.h"

#include <algorithm>
#include <iterator>

namespace roofmark::loops {
namespace {

using Kind = binary::Branch::Kind;

// What changes at an offset.
struct Cut {
  uint64_t at = 0;
  uint64_t times = 0;            // of the blocks that begin here
  int64_t begins = 0, ends = 0;  // blocks
};

void AddBlocks(const Input& input, std::vector<Cut>& cuts) {
  for (const Block& block : input.blocks) {
    if (block.bytes == 0 || block.begin + block.bytes < block.begin) continue;
    cuts.push_back({block.begin, block.times, 1, 0});
    cuts.push_back({block.begin + block.bytes, 0, 0, 1});
  }
}

std::vector<Cut> AllCuts(const Input& input, const std::vector<BranchEdge>& edges) {
  std::vector<Cut> cuts;
  AddBlocks(input, cuts);
  for (const BranchEdge& way : edges) {
    if (way.edge.to != kElsewhere) cuts.push_back({way.edge.to, 0, 0, 0});
    if (way.branch.bytes != 0) cuts.push_back({way.edge.from + way.branch.bytes, 0, 0, 0});
  }
  for (const binary::Function& function : input.functions) {
    cuts.push_back({function.begin, 0, 0, 0});
    cuts.push_back({function.end, 0, 0, 0});
  }
  std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.at < b.at; });
  size_t kept = 0;
  for (size_t i = 0; i < cuts.size(); ++i) {
    if (i > 0 && cuts[i].at == cuts[kept - 1].at) {
      cuts[kept - 1].times += cuts[i].times;
      cuts[kept - 1].begins += cuts[i].begins;
      cuts[kept - 1].ends += cuts[i].ends;
    } else {
      cuts[kept++] = cuts[i];
    }
  }
  cuts.resize(kept);
  return cuts;
}

// How often control went on from a piece to the code behind it inside one block. `begun`: blocks
// that begin there.
uint64_t FellThrough(const Piece& piece, const std::vector<BranchEdge>& edges, uint64_t begun) {
  auto edge =
      std::lower_bound(edges.begin(), edges.end(), piece.begin,
                       [](const BranchEdge& way, uint64_t begin) { return way.edge.from < begin; });
  uint64_t left = 0;
  bool calls = false;
  for (; edge != edges.end() && edge->edge.from < piece.end; ++edge) {
    calls = calls || edge->branch.kind == Kind::kCall;
    left += edge->edge.times;
  }
  // Calls come back, some of them into blocks that begin there.
  if (calls) left = begun;
  return piece.times > left ? piece.times - left : 0;
}

// By function: the one that its code is of, which is another one for cold parts.
std::vector<uint32_t> Units(const std::vector<binary::Function>& functions) {
  std::vector<uint32_t> units(functions.size());
  for (uint32_t i = 0; i < functions.size(); ++i) {
    const bool cold = functions[i].part == binary::Part::kCold && functions[i].parent;
    units[i] = cold && *functions[i].parent < functions.size() ? *functions[i].parent : i;
  }
  return units;
}

}  // namespace

std::vector<BranchEdge> SortedEdges(const Input& input) {
  std::vector<Edge> edges;
  for (const Edge& edge : input.edges) {
    if (edge.times != 0) edges.push_back(edge);
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  std::vector<BranchEdge> sorted;
  for (const Edge& edge : edges) {
    const bool same_from = !sorted.empty() && sorted.back().edge.from == edge.from;
    if (same_from && sorted.back().edge.to == edge.to) {
      sorted.back().edge.times += edge.times;
      continue;
    }
    binary::Branch branch;
    if (same_from) {
      branch = sorted.back().branch;
    } else if (edge.from != kElsewhere) {
      branch = input.branch_at(edge.from);
    }
    sorted.push_back({edge, branch});
  }
  return sorted;
}

std::vector<Piece> MakePieces(const Input& input, const std::vector<BranchEdge>& edges) {
  const std::vector<Cut> cuts = AllCuts(input, edges);
  const std::vector<uint32_t> units = Units(input.functions);
  std::vector<Piece> pieces;
  int64_t open = 0;  // blocks that were begun and have not ended
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    const Cut& cut = cuts[i];
    open -= cut.ends;
    const bool goes_on = open > 0;
    open += cut.begins;
    if (open == 0) continue;
    const binary::Function* function = binary::FindFunction(input.functions, cut.at);
    if (function == nullptr) continue;
    Piece piece{cut.at, cuts[i + 1].at, cut.times,
                units[static_cast<size_t>(function - input.functions.data())]};
    if (goes_on && !pieces.empty() && pieces.back().end == piece.begin) {
      piece.times += FellThrough(pieces.back(), edges, cut.times);
    }
    pieces.push_back(piece);
  }
  return pieces;
}

uint32_t PieceAt(const std::vector<Piece>& pieces, uint64_t offset) {
  const auto after =
      std::upper_bound(pieces.begin(), pieces.end(), offset,
                       [](uint64_t at, const Piece& piece) { return at < piece.begin; });
  if (after == pieces.begin() || offset >= std::prev(after)->end) return kNoPiece;
  return static_cast<uint32_t>(std::prev(after) - pieces.begin());
}

}  // namespace roofmark::loops
