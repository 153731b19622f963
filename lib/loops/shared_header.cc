// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/shared_header.h"

#include <algorithm>

#include "lib/loops/stem.h"

namespace roofmark::loops {
namespace {

bool Has(const std::vector<uint32_t>& pieces, uint32_t piece) {
  return std::binary_search(pieces.begin(), pieces.end(), piece);
}

bool IsInsideAll(const std::vector<Latch>& latches, size_t inner) {
  uint64_t others = 0;
  for (size_t i = 0; i < latches.size(); ++i) {
    if (i == inner) continue;
    others += latches[i].times;
    if (!Has(latches[i].loop, latches[inner].piece) || Has(latches[inner].loop, latches[i].piece)) {
      return false;
    }
  }
  return latches[inner].times > others;
}

bool Leaves(const Flow& flow, const std::vector<uint32_t>& loop,
            const std::vector<uint32_t>& body) {
  for (const uint32_t piece : loop) {
    auto way = std::lower_bound(flow.ways.begin(), flow.ways.end(), piece,
                                [](const Way& each, uint32_t from) { return each.from < from; });
    for (; way != flow.ways.end() && way->from == piece; ++way) {
      if (!Has(body, way->to)) return true;
    }
  }
  return std::any_of(flow.exits.begin(), flow.exits.end(),
                     [&](const Crossing& exit) { return Has(loop, exit.piece); });
}

// Empty: it has no line.
SourceChain ChainAt(const Input& input, uint64_t offset) {
  for (const binary::SourceRow& row : input.rows_in(offset, offset + 1)) {
    if (!row.chain.empty() && row.chain.front().line != 0) return row.chain;
  }
  return {};
}

class Lines {
 public:
  Lines(const Input& input, const Flow& flow, const Latch& inner)
      : input_(input), flow_(flow), inner_(inner), chain_(ChainAt(input, inner.branch)) {}

  bool TellApartFrom(const Latch& outer) const {
    const SourceChain around = ChainAt(input_, outer.branch);
    // In Fortran branches do not have the lines of their loops.
    if (chain_.empty() || around.empty() || IsFortran(around.front())) return false;
    const Stem inner_stem = StemOf(chain_), outer_stem = StemOf(around);
    if (!IsIn(inner_stem, outer_stem)) return false;
    if (inner_stem == outer_stem) {
      const uint32_t line = chain_.front().line;
      return line > around.front().line && AllCode([&](const SourceChain& chain) {
               const SourceFrame* frame = FrameIn(chain, outer_stem);
               return frame != nullptr && frame->line >= line;
             });
    }
    return AllCode([&](const SourceChain& chain) { return IsIn(StemOf(chain), inner_stem); });
  }

 private:
  // Of the inner loop; what was moved there does not count.
  template <typename Holds>
  bool AllCode(const Holds& holds) const {
    for (const uint32_t index : inner_.loop) {
      const Piece& piece = flow_.pieces[index];
      const std::vector<binary::SourceRow> rows = input_.rows_in(piece.begin, piece.end);
      for (size_t i = 0; i < rows.size(); ++i) {
        const SourceChain& chain = rows[i].chain;
        if (chain.empty() || chain.front().line == 0 || holds(chain)) continue;
        const uint64_t end = i + 1 < rows.size() ? rows[i + 1].offset : piece.end;
        if (!input_.only_prepares(std::max(rows[i].offset, piece.begin), end)) return false;
      }
    }
    return true;
  }

  const Input& input_;
  const Flow& flow_;
  const Latch& inner_;
  const SourceChain chain_;
};

}  // namespace

std::optional<size_t> InnerLatch(const Input& input, const Flow& flow,
                                 const std::vector<Latch>& latches,
                                 const std::vector<uint32_t>& body) {
  for (size_t inner = 0; inner < latches.size(); ++inner) {
    if (!IsInsideAll(latches, inner)) continue;
    if (Leaves(flow, latches[inner].loop, body)) return std::nullopt;
    const Lines lines(input, flow, latches[inner]);
    for (size_t i = 0; i < latches.size(); ++i) {
      if (i != inner && !lines.TellApartFrom(latches[i])) return std::nullopt;
    }
    return inner;
  }
  return std::nullopt;
}

}  // namespace roofmark::loops
