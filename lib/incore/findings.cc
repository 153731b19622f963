// SPDX-License-Identifier: BSD-3-Clause
#include "lib/incore/findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace roofmark::incore {
namespace {

using assembly::Instruction;
using assembly::Lanes;

bool IsPacked(const Instruction& code) {
  return code.lanes != Lanes::kNone && code.lanes != Lanes::kScalar;
}

// A block counts once for a line, however many such instructions it has.
class Gathered {
 public:
  void Add(FindingKind kind, const InstructionView& at, const BlockView& block) {
    const auto key = std::make_tuple(kind, at.file, at.line);
    Finding& finding = findings_[key];
    finding.kind = kind;
    finding.file = at.file;
    finding.line = at.line;
    finding.lanes = std::max(finding.lanes, at.code.lane_count);
    finding.times += block.block.times;
    if (counted_.insert({key, block.block.begin}).second) finding.share += block.share;
  }
  void Give(std::vector<Finding>& into) const {
    for (const auto& [key, finding] : findings_) into.push_back(finding);
  }

 private:
  using Key = std::tuple<FindingKind, std::string, uint32_t>;
  std::map<Key, Finding> findings_;
  std::set<std::pair<Key, uint64_t>> counted_;
};

void FindInstructions(LoopView& view) {
  Gathered gathered;
  for (const BlockView& block : view.blocks) {
    for (const InstructionView& at : block.instructions) {
      if (at.code.gathers) gathered.Add(FindingKind::kGather, at, block);
      if (at.code.scatters) gathered.Add(FindingKind::kScatter, at, block);
      const bool lanewise = at.code.gathers || at.code.scatters;
      if (at.code.masked && !lanewise) gathered.Add(FindingKind::kMasked, at, block);
    }
  }
  gathered.Give(view.findings);
}

// Arithmetic of one source line in one function, all of its loops together.
struct LineWork {
  double packed = 0, scalar = 0;   // shares of the run, of blocks
  uint32_t lanes = 0;              // of the widest packed instruction
  bool in_loop = false;            // the packed ones are
  std::map<size_t, double> where;  // scalar shares by loop
};
using LineKey = std::tuple<std::string, std::string, std::string, uint32_t>;

// Arithmetic of a line in a block.
struct BlockLine {
  uint32_t packed = 0, scalar = 0, lanes = 0;
};

// Of a block with both each instruction of the line has an equal part.
void AddBlock(const LoopView& view, size_t index, const BlockView& block,
              std::map<LineKey, LineWork>& lines) {
  std::map<std::pair<std::string, uint32_t>, BlockLine> in_block;
  for (const InstructionView& at : block.instructions) {
    if (at.code.lanes == Lanes::kNone || at.line == 0) continue;
    BlockLine& line = in_block[{at.file, at.line}];
    ++(IsPacked(at.code) ? line.packed : line.scalar);
    if (IsPacked(at.code)) line.lanes = std::max(line.lanes, at.code.lane_count);
  }
  for (const auto& [place, line] : in_block) {
    LineWork& work = lines[{view.loop.module, view.loop.function, place.first, place.second}];
    const double each = block.share / (line.packed + line.scalar);
    work.packed += each * line.packed;
    // Packed code around a loop, as the tail of a reduction is, makes no vector loop.
    work.in_loop |= line.packed > 0 && view.loop.header.has_value() && !view.loop.holds_loops;
    work.lanes = std::max(work.lanes, line.lanes);
    if (line.scalar == 0) continue;
    work.scalar += each * line.scalar;
    work.where[index] += each * line.scalar;
  }
}

void FindRemainders(std::vector<LoopView>& loops) {
  std::map<LineKey, LineWork> lines;
  for (size_t i = 0; i < loops.size(); ++i) {
    for (const BlockView& block : loops[i].blocks) AddBlock(loops[i], i, block, lines);
  }
  for (const auto& [key, work] : lines) {
    const double of_line = work.scalar / std::max(work.scalar + work.packed, 1e-300);
    if (!work.in_loop || work.packed <= 0 || of_line <= kLeastRemainder) continue;
    for (const auto& [index, share] : work.where) {
      Finding finding;
      finding.kind = FindingKind::kScalarRemainder;
      finding.file = std::get<2>(key);
      finding.line = std::get<3>(key);
      finding.share = share;
      finding.of_line = of_line;
      finding.lanes = work.lanes;
      loops[index].findings.push_back(std::move(finding));
    }
  }
}

}  // namespace

void FindFindings(std::vector<LoopView>& loops) {
  for (LoopView& view : loops) FindInstructions(view);
  FindRemainders(loops);
  for (LoopView& view : loops) {
    std::stable_sort(
        view.findings.begin(), view.findings.end(),
        [](const Finding& one, const Finding& other) { return one.share > other.share; });
  }
}

}  // namespace roofmark::incore
