// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/places.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "lib/loops/loop_stems.h"
#include "lib/loops/pieces.h"
#include "lib/loops/stem.h"

namespace roofmark::loops {
namespace {

using Rows = std::vector<binary::SourceRow>;

// How far behind the begin of a loop the code for its last iterations is looked for.
constexpr uint64_t kBehindBytes = 4096;

class Placer {
 public:
  Placer(const Input& input, const Forest& forest)
      : input_(input), forest_(forest), stems_(FindStems(input, forest)) {}

  std::vector<SourceChain> Place() {
    std::vector<SourceChain> places(forest_.loops.size());
    for (uint32_t i = 0; i < forest_.loops.size(); ++i) {
      if (!stems_[i]) continue;
      const Stem& stem = *stems_[i];
      SourceFrame frame{stem.function, "", 0};
      if (const Found found = Line(i)) {
        frame = *found;
        frame.line = LineOf(i, *found);
      }
      places[i].push_back(frame);
      places[i].insert(places[i].end(), stem.calls.rbegin(), stem.calls.rend());
    }
    return places;
  }

 private:
  Rows RowsOf(uint32_t piece) const {
    const Piece& place = forest_.flow.pieces[piece];
    return input_.rows_in(place.begin, place.end);
  }

  using Found = std::optional<SourceFrame>;

  // The frame of an instruction in the loop's function, if it has a line.
  Found FrameAt(uint64_t offset, const Stem& stem) const {
    Found found;
    if (PieceAt(forest_.flow.pieces, offset) == kNoPiece) return found;
    for (const binary::SourceRow& row : input_.rows_in(offset, offset + 1)) {
      TakeFirst(found, FrameIn(row.chain, stem));
    }
    return found;
  }

  // The one that comes first in the source; all are of one file but for odd macros.
  static void TakeFirst(Found& best, const SourceFrame* frame) {
    if (frame == nullptr || frame->line == 0) return;
    if (!best || frame->line < best->line) best = *frame;
  }
  void TakeFirstOf(const std::vector<Edge>& edges, const Stem& stem, Found& best) const {
    for (const Edge& edge : edges) {
      const Found found = FrameAt(edge.from, stem);
      TakeFirst(best, found ? &*found : nullptr);
    }
  }

  Found Line(uint32_t index) const {
    const Loop& loop = forest_.loops[index];
    const Stem& stem = *stems_[index];
    Found best;
    TakeFirstOf(loop.back, stem, best);
    // gfortran gives the branch the line of the last statement of the body; other code of the loop
    // has the line of `do`, which comes first: Fortran has no loop whose condition is at its end.
    if (best && IsFortran(*best)) best = FirstLine(index);
    if (!best) best = FrameAt(loop.header, stem);
    if (!best) TakeFirstOf(loop.exits, stem, best);
    return best ? best : FirstLine(index);
  }

  // Of the code that is in no loop inside.
  Found FirstLine(uint32_t index) const {
    Found best;
    for (const uint32_t piece : forest_.loops[index].pieces) {
      for (const binary::SourceRow& row : RowsOf(piece)) {
        TakeFirst(best, FrameIn(row.chain, *stems_[index]));
      }
    }
    return best;
  }

  // Of some loops no branch has their line: GCC gives that of a loop whose iterations OpenMP
  // divides the line of the last statement in the body, or in one of its branches, and gfortran
  // that of a loop which it vectorizes.
  uint32_t LineOf(uint32_t index, const SourceFrame& found) const {
    const Loop& loop = forest_.loops[index];
    const bool divided = input_.functions[loop.function].part == binary::Part::kOutlined;
    const bool fortran = IsFortran(found);
    if (!divided && !fortran) return found.line;
    const Found body = FirstLine(index);
    const bool is_last = LastLine(index) <= found.line;
    if (!body || (fortran && !is_last)) return found.line;
    const uint32_t first = std::min(body->line, found.line);
    if (!divided) return LineOfDo(index, found, first);
    return LineOfDivided(index, found, first, is_last || first < found.line);
  }

  // Of its code; the header may lie behind other code of it.
  uint64_t Begin(const Loop& loop) const {
    uint64_t begin = loop.header;
    for (const uint32_t piece : loop.pieces) {
      begin = std::min(begin, forest_.flow.pieces[piece].begin);
    }
    return begin;
  }

  // Lines of marks before a loop, and where its code begins, by what they can stand for; 0: none.
  struct Marks {
    uint32_t construct = 0;  // the first one
    uint32_t before = 0;     // the last one between the construct and the body
    uint32_t brace = 0;      // the same where the code begins: the body's brace
    bool at_found = false, at_first = false;
  };
  Marks MarksBefore(const Loop& loop, const SourceFrame& found, uint32_t first) const {
    Marks marks;
    const uint64_t begin = Begin(loop);
    for (const binary::SourceMark& mark :
         input_.marks_in(input_.functions[loop.function].begin, begin + 1)) {
      if (mark.file != found.file) continue;
      const bool between = marks.construct != 0 && mark.line > marks.construct && mark.line < first;
      if (mark.offset == begin) {
        if (between && (marks.brace == 0 || mark.line < marks.brace)) marks.brace = mark.line;
        continue;
      }
      if (marks.construct == 0) marks.construct = mark.line;
      if (between) marks.before = std::max(marks.before, mark.line);
      marks.at_found |= mark.line == found.line;
      marks.at_first |= mark.line == first;
    }
    return marks;
  }

  // In its function, of the same line.
  bool HasCodeOutside(uint32_t index, const SourceFrame& found) const {
    const binary::Function& function = input_.functions[forest_.loops[index].function];
    const std::vector<uint32_t>& pieces = forest_.loops[index].pieces;
    const Rows rows = input_.rows_in(function.begin, function.end);
    return std::any_of(rows.begin(), rows.end(), [&](const binary::SourceRow& row) {
      if (row.chain.empty() || row.chain.front().line != found.line) return false;
      const uint32_t piece = PieceAt(forest_.flow.pieces, row.offset);
      return row.chain.front().file == found.file &&
             std::find(pieces.begin(), pieces.end(), piece) == pieces.end();
    });
  }

  // Where the loop begins there is a mark of its line, or of the directive before it, and where its
  // code begins one of the body's brace, which stands in the line of the loop or in the next.
  // `of_body`: the line found is one of the body.
  uint32_t LineOfDivided(uint32_t index, const SourceFrame& found, uint32_t first,
                         bool of_body) const {
    const Loop& loop = forest_.loops[index];
    const Marks marks = MarksBefore(loop, found, first);
    const bool fortran = IsFortran(found);
    // An ordinary loop: its beginning has its line.
    if (marks.at_found && found.line == first && !fortran) return found.line;
    if (marks.brace > marks.before && of_body && !fortran) {
      return marks.brace == marks.construct + 1 ? marks.brace : marks.brace - 1;
    }
    if (marks.before != 0) return of_body ? marks.before : found.line;
    // One line between the directive and the body can only be that of the loop.
    const bool one_between = marks.construct != 0 && marks.construct + 2 == first;
    if (fortran) return one_between ? marks.construct + 1 : found.line;
    // What asks for the next chunk of iterations has the line of the loop.
    if (marks.at_first) return first;
    if (marks.construct == 0 || found.line <= marks.construct + 1 || loop.parent) return found.line;
    if (one_between) return marks.construct + 1;
    // An ordinary loop in one line: what begins it has that line, wherever it is.
    const bool in_one_line = of_body && found.line == first;
    return in_one_line && HasCodeOutside(index, found) ? found.line : marks.construct;
  }

  // Code behind the loop that does the iterations which are left has the line of `do`: the last one
  // before the body, and behind that of the loop around it. Code of a statement on arrays, which is
  // a loop without `do`, has no other line.
  uint32_t LineOfDo(uint32_t index, const SourceFrame& found, uint32_t first) const {
    const Loop& loop = forest_.loops[index];
    const uint64_t end = std::min(input_.functions[loop.function].end, loop.header + kBehindBytes);
    const Found around =
        loop.parent && stems_[*loop.parent] ? FirstLine(*loop.parent) : std::nullopt;
    uint32_t line = 0;
    for (const binary::SourceRow& row : input_.rows_in(loop.header, end)) {
      const SourceFrame* frame = FrameIn(row.chain, *stems_[index]);
      if (frame == nullptr || frame->file != found.file || frame->line >= first) continue;
      if (!around || frame->line > around->line) line = std::max(line, frame->line);
    }
    return line != 0 ? line : found.line;
  }

  bool IsInside(uint32_t inner, uint32_t outer) const {
    while (inner != outer && forest_.loops[inner].parent) inner = *forest_.loops[inner].parent;
    return inner == outer;
  }

  // The last line of its code in its function, loops inside included.
  uint32_t LastLine(uint32_t index) const {
    uint32_t last = 0;
    for (uint32_t i = index; i < forest_.loops.size(); ++i) {
      if (forest_.loops[i].function != forest_.loops[index].function) break;
      if (!IsInside(i, index)) continue;
      for (const uint32_t piece : forest_.loops[i].pieces) {
        for (const binary::SourceRow& row : RowsOf(piece)) {
          const SourceFrame* frame = FrameIn(row.chain, *stems_[index]);
          if (frame != nullptr) last = std::max(last, frame->line);
        }
      }
    }
    return last;
  }

  const Input& input_;
  const Forest& forest_;
  std::vector<std::optional<Stem>> stems_;  // by loop
};

}  // namespace

std::vector<SourceChain> FindPlaces(const Input& input, const Forest& forest) {
  return Placer(input, forest).Place();
}

}  // namespace roofmark::loops
