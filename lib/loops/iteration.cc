// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/iteration.h"

namespace roofmark::loops {

Iteration::Iteration(const Forest& forest)
    : forest_(forest),
      after_(forest.flow.pieces.size()),
      before_(after_.size()),
      visited_(after_.size()),
      walked_(after_.size()) {
  for (const Way& way : forest.flow.ways) {
    after_[way.from].push_back(way.to);
    before_[way.to].push_back(way.from);
  }
}

void Iteration::Visit(uint32_t piece, std::optional<uint32_t> loop) {
  ++round_;
  Walk(piece, loop, after_, true);
  Walk(piece, loop, before_, false);
}

// The header begins the next iteration; nothing is before it.
void Iteration::Walk(uint32_t piece, std::optional<uint32_t> loop, const Lists& next,
                     bool forward) {
  ++walk_;
  std::vector<uint32_t> open = {piece};
  walked_[piece] = walk_;
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    visited_[at] = round_;
    const auto is_header = [&](uint32_t one) {
      return loop && forest_.flow.pieces[one].begin == forest_.loops[*loop].header;
    };
    if (!forward && is_header(at)) continue;
    for (const uint32_t one : next[at]) {
      const bool ends = (forward && is_header(one)) || (loop && !IsIn(one, *loop));
      if (ends || walked_[one] == walk_) continue;
      walked_[one] = walk_;
      open.push_back(one);
    }
  }
}

bool Iteration::IsIn(uint32_t piece, uint32_t loop) const {
  auto at = forest_.loop_of_piece[piece];
  while (at && *at != loop) at = forest_.loops[*at].parent;
  return at.has_value();
}

}  // namespace roofmark::loops
