// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/loop_stems.h"

#include <algorithm>
#include <utility>

#include "lib/loops/pieces.h"

namespace roofmark::loops {
namespace {

// What several pieces of code have in common.
struct Joined {
  bool known = false, nothing_common = false;
  Stem stem;

  void Join(const Stem& other) {
    if (nothing_common) return;
    if (!known) {
      known = true;
      stem = other;
    } else if (auto common = Common(stem, other)) {
      stem = std::move(*common);
    } else {
      known = false;
      nothing_common = true;
    }
  }
};

// The function that this one is inlined into; it must be inlined.
Stem CallerOf(Stem stem) {
  stem.function = stem.calls.back().function;
  stem.calls.pop_back();
  return stem;
}

class StemFinder {
 public:
  StemFinder(const Input& input, const Forest& forest)
      : input_(input), forest_(forest), all_(forest.loops.size()), inside_(forest.loops.size()) {}

  std::vector<std::optional<Stem>> Find() {
    std::vector<std::optional<Stem>> stems(forest_.loops.size());
    // Children first: their code belongs to their parents, too.
    for (auto i = static_cast<uint32_t>(forest_.loops.size()); i-- > 0;) {
      stems[i] = FindStem(i);
      const std::optional<uint32_t> parent = forest_.loops[i].parent;
      if (!parent) continue;
      inside_[*parent].push_back(stems[i]);
      if (stems[i]) {
        all_[*parent].Join(*stems[i]);
      } else if (all_[i].nothing_common) {
        all_[*parent] = {false, true, {}};
      }
    }
    return stems;
  }

 private:
  // Code with one chain of calls.
  struct Code {
    Stem stem;
    bool only_prepares = false;
  };

  std::vector<Code> CodeOf(const Loop& loop) const {
    std::vector<Code> code;
    for (const uint32_t index : loop.pieces) {
      const Piece& piece = forest_.flow.pieces[index];
      const std::vector<binary::SourceRow> rows = input_.rows_in(piece.begin, piece.end);
      for (size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].chain.empty()) continue;
        const uint64_t begin = std::max(rows[i].offset, piece.begin);
        const uint64_t end = i + 1 < rows.size() ? rows[i + 1].offset : piece.end;
        // Line 0 is of code that was made of that of several lines.
        const bool of_no_line = rows[i].chain.front().line == 0;
        code.push_back({StemOf(rows[i].chain), of_no_line || input_.only_prepares(begin, end)});
      }
    }
    return code;
  }

  std::optional<Stem> FindStem(uint32_t index) {
    const Loop& loop = forest_.loops[index];
    const std::vector<Code> code = CodeOf(loop);
    Joined& all = all_[index];
    for (const Code& one : code) all.Join(one.stem);
    Joined control;
    for (const auto* edges : {&loop.back, &loop.exits}) {
      for (const Edge& edge : *edges) JoinBranch(edge.from, control);
    }
    if (control.known) {
      for (Stem stem = control.stem;; stem = CallerOf(std::move(stem))) {
        if (all.known && IsIn(all.stem, stem)) break;  // nothing further in than that
        if (IsOf(stem, code, inside_[index])) return stem;
        if (stem.calls.empty()) break;
      }
    }
    return all.known ? std::optional(all.stem) : std::nullopt;
  }

  void JoinBranch(uint64_t branch, Joined& control) const {
    if (PieceAt(forest_.flow.pieces, branch) == kNoPiece) return;
    for (const binary::SourceRow& row : input_.rows_in(branch, branch + 1)) {
      if (!row.chain.empty() && row.chain.front().line != 0) control.Join(StemOf(row.chain));
    }
  }

  static bool IsOf(const Stem& stem, const std::vector<Code>& code,
                   const std::vector<std::optional<Stem>>& inside) {
    const auto is_in = [&stem](const std::optional<Stem>& loop) {
      return loop && IsIn(*loop, stem);
    };
    if (!std::all_of(inside.begin(), inside.end(), is_in)) return false;
    return std::all_of(code.begin(), code.end(), [&stem](const Code& one) {
      return one.only_prepares || IsIn(one.stem, stem);
    });
  }

  const Input& input_;
  const Forest& forest_;
  std::vector<Joined> all_;  // by loop: what all its code has in common
  std::vector<std::vector<std::optional<Stem>>> inside_;  // by loop: of the loops right inside
};

}  // namespace

std::vector<std::optional<Stem>> FindStems(const Input& input, const Forest& forest) {
  return StemFinder(input, forest).Find();
}

}  // namespace roofmark::loops
