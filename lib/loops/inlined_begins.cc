// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/inlined_begins.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "lib/loops/iteration.h"
#include "lib/loops/stem.h"

namespace roofmark::loops {
namespace {

using Index = std::optional<uint32_t>;

constexpr size_t kFewLines = 2;  // of a function: they tell nothing

// Code of a body in one piece, executed at least once.
struct Code {
  uint32_t piece = 0;
  uint64_t place = 0;     // the first
  Index nest;             // of the caller, that it lies in
  bool is_entry = false;  // the compiler says that the body begins there
};

// A place, or a loop of the body, at which visits could begin.
struct Candidate {
  uint64_t times = 0;
  bool is_entry = false, in_loop = false;
  uint64_t place = 0;
  uint32_t piece = 0;

  // Those that are better come first.
  auto Order() const { return std::tuple(!is_entry, UINT64_MAX - times, in_loop, place); }
};

// Code that one iteration of a nest can execute together.
struct Copy {
  Candidate begin;
  Index nest;
  std::vector<uint32_t> code;  // indices
};

// Which lines are those of a function that was inlined somewhere.
struct OwnLines {
  std::optional<Stem> stem;  // nothing: none is known
  uint32_t from = 0, end = UINT32_MAX;

  // 0: it is none of them. The compiler counts instructions of the caller to the function where
  // they stand among its own.
  uint32_t Of(const binary::SourceRow& row) const {
    const SourceFrame* frame = stem ? FrameIn(row.chain, *stem) : nullptr;
    return frame != nullptr && frame->line >= from && frame->line < end ? frame->line : 0;
  }
};

class BeginFinder {
 public:
  BeginFinder(const Input& input, const Forest& forest, const Nests& nests, Inlined& inlined)
      : input_(input), forest_(forest), nests_(nests), inlined_(inlined), iteration_(forest) {}

  void Find() {
    std::vector<std::vector<Range>> ranges(inlined_.bodies.size());
    for (const Inlined::Place& place : inlined_.places) {
      for (Index at = place.body; at; at = inlined_.bodies[*at].parent) {
        std::vector<Range>& of = ranges[*at];
        if (!of.empty() && of.back().end == place.begin) {
          of.back().end = place.end;
        } else {
          of.push_back({place.begin, place.end});
        }
      }
    }
    for (uint32_t body = 0; body < ranges.size(); ++body) FindFor(body, ranges[body]);
  }

 private:
  void FindFor(uint32_t number, const std::vector<Range>& ranges) {
    if (ranges.empty()) return;  // of a damaged file
    InlinedBody& body = inlined_.bodies[number];
    const OwnLines own = OwnLinesOf(number, ranges);
    const std::vector<Code> code = CodeIn(ranges, own.stem, body.entry);
    std::set<Index> nests;
    for (const Code& one : code) nests.insert(one.nest);
    std::vector<Copy> copies;
    for (const Index& nest : nests) AddCopies(nest, code, copies);
    if (copies.size() > 1) TakeWholeOnes(code, own, copies);
    std::erase_if(copies, [&](const Copy& copy) { return IsMoved(copy, code, ranges, own); });
    for (const Copy& copy : copies) {
      body.begins.push_back({copy.begin.place, copy.begin.in_loop});
      body.calls += copy.begin.times;
    }
    std::sort(body.begins.begin(), body.begins.end(),
              [](const InlinedBegin& a, const InlinedBegin& b) { return a.place < b.place; });
  }

  // The function as it was inlined there. Nothing: its lines are not known.
  std::optional<Stem> StemOfBody(uint32_t number, const std::vector<Range>& ranges) const {
    size_t depth = 0;
    for (Index at = number; at; at = inlined_.bodies[*at].parent) ++depth;
    const uint64_t place = ranges.front().begin;
    const std::vector<binary::SourceRow> rows = input_.rows_in(place, place + 1);
    if (rows.empty() || rows.front().chain.size() <= depth) return std::nullopt;
    const SourceChain& chain = rows.front().chain;
    return Stem{{chain.rbegin(), chain.rbegin() + static_cast<ptrdiff_t>(depth)},
                chain[chain.size() - 1 - depth].function};
  }

  // Where the caller stands in the same file, its lines end those of the function, or begin them.
  OwnLines OwnLinesOf(uint32_t number, const std::vector<Range>& ranges) const {
    const InlinedBody& body = inlined_.bodies[number];
    OwnLines own{StemOfBody(number, ranges)};
    Index around;
    if (body.parent) {
      around = inlined_.bodies[*body.parent].function;
    } else if (const auto root = inlined_.of_root.find(body.root); root != inlined_.of_root.end()) {
      around = root->second;
    }
    if (!around) return own;
    const InlinedFunction &function = inlined_.functions[body.function],
                          &caller = inlined_.functions[*around];
    if (caller.file != function.file) return own;
    (caller.line > function.line ? own.end : own.from) = std::max(caller.line, function.line);
    return own;
  }

  std::vector<Code> CodeIn(const std::vector<Range>& ranges, const std::optional<Stem>& stem,
                           std::optional<uint64_t> entry) const {
    const std::vector<Piece>& pieces = forest_.flow.pieces;
    std::vector<Code> code;
    for (const Range& range : ranges) {
      auto piece = std::partition_point(pieces.begin(), pieces.end(),
                                        [&](const Piece& each) { return each.end <= range.begin; });
      for (; piece != pieces.end() && piece->begin < range.end; ++piece) {
        const auto index = static_cast<uint32_t>(piece - pieces.begin());
        const uint64_t first = std::max(piece->begin, range.begin);
        const uint64_t end = std::min(piece->end, range.end);
        if (piece->times == 0) continue;
        if (code.empty() || code.back().piece != index) {
          code.push_back({index, first, OutsideOf(stem, NestAt(index))});
        }
        if (entry && *entry >= first && *entry < end) code.back().is_entry = true;
      }
    }
    return code;
  }

  Index NestAt(uint32_t piece) const {
    const Index loop = forest_.loop_of_piece[piece];
    return loop ? Index(nests_.of_loop[*loop]) : std::nullopt;
  }

  // The nest itself, or what is around the outermost one of the body's own.
  Index OutsideOf(const std::optional<Stem>& stem, Index nest) const {
    Index outside = nest;
    for (Index at = nest; at && stem; at = nests_.nests[*at].parent) {
      const SourceChain& place = nests_.nests[*at].place;
      if (!place.empty() && IsIn(StemOf(place), *stem)) outside = nests_.nests[*at].parent;
    }
    return outside;
  }

  std::vector<Candidate> CandidatesIn(Index nest, const std::vector<Code>& code) const {
    std::vector<Candidate> candidates;
    std::map<uint32_t, Candidate> loops;
    for (const Code& one : code) {
      if (one.nest != nest) continue;
      if (NestAt(one.piece) == nest) {
        candidates.push_back(
            {forest_.flow.pieces[one.piece].times, one.is_entry, false, one.place, one.piece});
        continue;
      }
      uint32_t loop = *forest_.loop_of_piece[one.piece];
      for (Index at = loop; at && nests_.of_loop[*at] != nest; at = forest_.loops[*at].parent) {
        loop = *at;
      }
      const bool is_header = forest_.flow.pieces[one.piece].begin == forest_.loops[loop].header;
      const Candidate whole{TimesOf(forest_.loops[loop].entries), false, true, one.place,
                            one.piece};
      if (const auto [known, added] = loops.try_emplace(loop, whole); !added && is_header) {
        known->second = whole;
      }
    }
    for (const auto& [loop, candidate] : loops) candidates.push_back(candidate);
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& a, const Candidate& b) { return a.Order() < b.Order(); });
    return candidates;
  }

  // Of places that one iteration can reach together the first begins a copy.
  void AddCopies(Index nest, const std::vector<Code>& code, std::vector<Copy>& copies) {
    std::vector<Candidate> candidates = CandidatesIn(nest, code);
    while (!candidates.empty() && candidates.front().times > 0) {
      Copy copy{candidates.front(), nest, {}};
      iteration_.Visit(copy.begin.piece, LoopOf(copy.begin.piece, nest));
      std::erase_if(candidates,
                    [this](const Candidate& each) { return iteration_.HasVisited(each.piece); });
      for (uint32_t i = 0; i < code.size(); ++i) {
        if (code[i].nest == nest && iteration_.HasVisited(code[i].piece)) copy.code.push_back(i);
      }
      copies.push_back(std::move(copy));
    }
  }

  // Leaves out code that was moved. Of functions of few lines only copies in one nest are known.
  void TakeWholeOnes(const std::vector<Code>& code, const OwnLines& own_lines,
                     std::vector<Copy>& copies) const {
    std::vector<std::pair<size_t, Index>> lines;  // and the nest
    for (const Copy& copy : copies)
      lines.emplace_back(CountLines(code, own_lines, copy), copy.nest);
    auto main = std::max_element(lines.begin(), lines.end());
    for (size_t i = 0; i < copies.size(); ++i) {
      if (copies[i].begin.is_entry) main = lines.begin() + static_cast<ptrdiff_t>(i);
    }
    const size_t whole = main->first;
    const Index nest = main->second;
    size_t i = 0;
    std::erase_if(copies, [&](const Copy&) {
      const auto& [own, own_nest] = lines[i++];
      return whole > kFewLines ? 2 * own < whole : own_nest != nest;
    });
  }

  // Control left it by no branch of its own, and most of the function's lines were not executed: a
  // branch of the caller decided against this call, and what two calls have in common stands before
  // it.
  bool IsMoved(const Copy& copy, const std::vector<Code>& code, const std::vector<Range>& ranges,
               const OwnLines& own) const {
    const auto has_branch = [&](uint32_t index) {
      const uint64_t last = forest_.flow.pieces[code[index].piece].end - 1;
      const std::vector<binary::SourceRow> rows = input_.rows_in(last, last + 1);
      return !rows.empty() && own.Of(rows.front()) != 0;
    };
    if (std::any_of(copy.code.begin(), copy.code.end(), has_branch)) return false;
    const size_t whole = CountLines(ranges, own);
    return whole > kFewLines && 2 * CountLines(code, own, copy) < whole;
  }

  // Lines of the function that is inlined there.
  size_t CountLines(const std::vector<Code>& code, const OwnLines& own, const Copy& copy) const {
    std::vector<Range> ranges;
    for (const uint32_t index : copy.code) {
      const Piece& piece = forest_.flow.pieces[code[index].piece];
      ranges.push_back({piece.begin, piece.end});
    }
    return CountLines(ranges, own);
  }
  size_t CountLines(const std::vector<Range>& ranges, const OwnLines& own) const {
    std::set<uint32_t> lines;
    for (const Range& range : ranges) {
      for (const binary::SourceRow& row : input_.rows_in(range.begin, range.end)) {
        if (const uint32_t line = own.Of(row); line != 0) lines.insert(line);
      }
    }
    return lines.size();
  }

  // The outermost loop of this nest around a piece.
  Index LoopOf(uint32_t piece, Index nest) const {
    Index found;
    for (Index at = forest_.loop_of_piece[piece]; at && nest; at = forest_.loops[*at].parent) {
      if (nests_.of_loop[*at] == *nest) found = at;
    }
    return found;
  }

  const Input& input_;
  const Forest& forest_;
  const Nests& nests_;
  Inlined& inlined_;
  Iteration iteration_;
};

}  // namespace

void FindBegins(const Input& input, const Forest& forest, const Nests& nests, Inlined& inlined) {
  BeginFinder(input, forest, nests, inlined).Find();
}

}  // namespace roofmark::loops
