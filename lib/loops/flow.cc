// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/flow.h"

#include <algorithm>

#include "lib/loops/pieces.h"

namespace roofmark::loops {
namespace {

using Kind = binary::Branch::Kind;

class Maker {
 public:
  explicit Maker(const Input& input) : input_(input), edges_(SortedEdges(input)) {
    flow_.pieces = MakePieces(input, edges_);
    leaving_.resize(flow_.pieces.size());
    reached_.resize(flow_.pieces.size());
  }

  Flow Make() {
    for (const BranchEdge& edge : edges_) AddEdge(edge);
    for (uint32_t i = 0; i + 1 < flow_.pieces.size(); ++i) AddFallThrough(i);
    std::sort(flow_.ways.begin(), flow_.ways.end(), [](const Way& a, const Way& b) {
      return a.from != b.from ? a.from < b.from : a.to < b.to;
    });
    return std::move(flow_);
  }

 private:
  // What leaves a piece.
  struct Leaving {
    uint64_t times = 0;       // by edges other than calls, which come back
    uint64_t branch = 0;      // its last instruction; 0: no edge told it
    Kind kind = Kind::kNone;  // of that
  };

  void AddEdge(const BranchEdge& way) {
    const Edge& edge = way.edge;
    const uint32_t from = edge.from == kElsewhere ? kNoPiece : PieceAt(flow_.pieces, edge.from);
    uint32_t to = edge.to == kElsewhere ? kNoPiece : PieceAt(flow_.pieces, edge.to);
    if (to != kNoPiece && flow_.pieces[to].begin != edge.to) to = kNoPiece;
    if (to != kNoPiece) reached_[to] += edge.times;
    const Kind kind = way.branch.kind;
    if (from != kNoPiece) {
      leaving_[from].branch = edge.from;
      leaving_[from].kind = kind;
      if (kind != Kind::kCall) leaving_[from].times += edge.times;
    }
    const bool same =
        from != kNoPiece && to != kNoPiece && flow_.pieces[from].unit == flow_.pieces[to].unit;
    if (same && kind != Kind::kCall && kind != Kind::kReturn) {
      flow_.ways.push_back({from, to, edge.from, edge.times});
      return;
    }
    if (from != kNoPiece && kind != Kind::kCall) flow_.exits.push_back({from, edge});
    if (to == kNoPiece) return;
    if (!IsReturn(edge, kind)) flow_.entries.push_back({to, edge});
  }

  // Of code elsewhere nothing is known; what goes behind a call comes back from it.
  bool IsReturn(const Edge& edge, Kind kind) const {
    if (kind == Kind::kReturn) return true;
    if (edge.from != kElsewhere) return false;
    const binary::Function* function = binary::FindFunction(input_.functions, edge.to);
    return function == nullptr || function->begin != edge.to;
  }

  // To the piece behind this one: what no edge says. Where none says how a piece ends, it may end
  // with a return, of which engines tell nothing: then edges account for all executions of the code
  // behind it.
  void AddFallThrough(uint32_t index) {
    const Piece& piece = flow_.pieces[index];
    const Piece& next = flow_.pieces[index + 1];
    if (next.begin != piece.end || next.unit != piece.unit) return;
    const Leaving& leaving = leaving_[index];
    if (leaving.kind == Kind::kJump || leaving.kind == Kind::kReturn) return;
    if (piece.times <= leaving.times) return;
    if (leaving.branch == 0 && next.times <= reached_[index + 1]) return;
    const uint64_t branch = leaving.branch != 0 ? leaving.branch : piece.end - 1;
    flow_.ways.push_back({index, index + 1, branch, piece.times - leaving.times});
  }

  const Input& input_;
  std::vector<BranchEdge> edges_;
  std::vector<Leaving> leaving_;   // by piece
  std::vector<uint64_t> reached_;  // by piece: by edges
  Flow flow_;
};

}  // namespace

Flow MakeFlow(const Input& input) { return Maker(input).Make(); }

}  // namespace roofmark::loops
