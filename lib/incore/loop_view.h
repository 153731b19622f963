// SPDX-License-Identifier: BSD-3-Clause
//
// What hot loops do, and what their bodies could reach with their data in L1: one structure, from
// which the terminal, the page and the JSON of the analysis are made. No sentence stands in it:
// lib/report has the words.
#ifndef ROOFMARK_LIB_INCORE_LOOP_VIEW_H_
#define ROOFMARK_LIB_INCORE_LOOP_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/assembly/assembly.h"
#include "lib/profile/hot_loops.h"

namespace roofmark::incore {

struct InstructionView {
  assembly::Instruction code;
  std::string file;  // empty: not known
  uint32_t line = 0;
};

struct BlockView {
  HotBlock block;
  double share = 0;                           // of the run
  std::vector<InstructionView> instructions;  // empty where this build cannot read them
};

// Floating-point arithmetic that was executed: instructions, by width.
struct LaneUse {
  uint64_t scalar = 0, with_128 = 0, with_256 = 0, with_512 = 0;
  uint64_t masked = 0;  // of these, under a mask: how many lanes worked is not counted

  uint64_t All() const { return scalar + with_128 + with_256 + with_512; }
};

enum class FindingKind : uint8_t {
  kGather,           // loads lane by lane, from places that an index tells
  kScatter,          // the same for stores
  kMasked,           // how many of its lanes work is not counted
  kScalarRemainder,  // scalar code of a line that a vector loop beside it has, too
};

struct Finding {
  FindingKind kind = FindingKind::kGather;
  std::string file;  // empty: not known
  uint32_t line = 0;
  double share = 0;    // of the run: of the blocks that it is in
  double of_line = 0;  // of a remainder: its share of the line's arithmetic, vector loop included
  uint32_t lanes = 0;  // of the widest such instruction; of the vector loop beside a remainder
  uint64_t times = 0;  // executed
};

// What a scheduling model says of a loop's body: cycles of one iteration, its data in L1.
struct PortBound {
  double ports_cycles = 0;  // if only ports and the front end limit it
  double cycles = 0;        // with what instructions wait for each other, too
  std::string busiest;      // port or unit; empty: not known
  double busiest_cycles = 0;

  bool WaitsForChain() const { return cycles > 1.1 * ports_cycles; }
};

struct LoopView {
  HotLoop loop;                     // its blocks stand below
  double share = 0;                 // of the run, in the regions asked for
  double share_everywhere = 0;      // of the run
  std::vector<std::string> paths;   // of those asked for that execute it, most first
  std::vector<double> path_shares;  // of the run, in the same order
  bool in_others = false;           // others execute it, too: counts are of all
  std::vector<BlockView> blocks;    // by begin
  bool cut = false;                 // it has more code than is kept
  LaneUse lanes;
  bool calls = false;
  // Of the loop's own code, for each iteration; nothing in code that is no loop.
  std::optional<double> flops, spent_ns;
  std::vector<Finding> findings;  // most of the time first
  // Blocks that most iterations execute, in their order.
  std::vector<size_t> body;
  std::string why_no_body;  // a clause; empty: there is one
  std::optional<PortBound> bound;
  std::string why_no_bound;  // a clause; empty: there is one, or nobody asked

  std::optional<double> Trips() const;
};

struct LoopsView {
  bool timed = false;
  double clock_ghz = 0;         // of the cores that executed them; 0: not known
  std::vector<LoopView> loops;  // hottest first
  std::string why_no_text;      // instructions cannot be read here; a clause
  std::string model;            // "znver4 of LLVM 16.0.6"; empty: there is none
  std::string why_no_model;     // a sentence; empty: there is one, or nobody asked
};

// How much of a loop a region executes, with those inside it.
struct LoopUse {
  double share = 0;           // of the run
  size_t regions = 0;         // that execute it; 0: it is none of theirs
  bool only_outside = false;  // of all regions
  bool in_others = false;     // others execute it, too
};
// An empty region stands for the whole run.
LoopUse UseIn(const LoopView& view, std::string_view region);

// What is wanted of the loops of a run.
struct Wanted {
  std::string path;        // a region and those inside it; empty: all regions, and what is in none
  size_t most = SIZE_MAX;  // loops
};
LoopsView ViewLoops(const HotLoops& hot, const Wanted& wanted = {});

}  // namespace roofmark::incore

#endif  // ROOFMARK_LIB_INCORE_LOOP_VIEW_H_
