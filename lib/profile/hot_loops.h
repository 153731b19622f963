// SPDX-License-Identifier: BSD-3-Clause
//
// The machine code that takes the time, as a roofline file keeps it: its bytes, how often they were
// executed, where the time was sampled, and of which source lines they are. Plain data: what the
// instructions are is read from the bytes wherever the file is shown.
#ifndef ROOFMARK_LIB_PROFILE_HOT_LOOPS_H_
#define ROOFMARK_LIB_PROFILE_HOT_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofmark {

// What files have room for; docs/file-formats.md lists it.
namespace limits {
inline constexpr size_t kHotLoops = 64;         // loops, and functions outside of their loops
inline constexpr size_t kHotLoopsOfRegion = 8;  // of these that a region takes most of
inline constexpr size_t kHotLoopBytes = 4096;   // of the code of each
}  // namespace limits

// Code from `at` bytes behind the block's begin on is of this line.
struct HotLine {
  uint32_t at = 0;
  std::string file;  // empty: not known from here on
  uint32_t line = 0;

  bool operator==(const HotLine&) const = default;
};

// Straight code: executed from its begin to its end.
struct HotBlock {
  uint64_t begin = 0;          // offset in the module
  std::string code;            // its bytes
  uint64_t times = 0;          // that it was executed
  uint64_t cpu_ns = 0;         // time that was sampled in it
  std::vector<HotLine> lines;  // by `at`

  bool operator==(const HotBlock&) const = default;
};

// A region that executes the code, with what of the code is its own: regions inside have the rest.
struct HotUse {
  std::string path;  // empty: outside of all regions
  uint64_t cpu_ns = 0, instructions = 0;

  bool operator==(const HotUse&) const = default;
};

// A loop of the machine code, without the code of loops inside it; or what of a function is in no
// loop. All figures are of the whole job: all ranks, threads and regions.
struct HotLoop {
  std::string module;              // file
  std::string function;            // as the source has it
  std::string name;                // of the loop of the source: "solver.c:214 in sweep()"
  std::string file;                // of the source; empty: not known
  uint32_t line = 0;               // 0: not known
  std::optional<uint64_t> header;  // where each iteration begins; nothing: code in no loop
  uint64_t entries = 0;            // times that the loop was entered
  uint64_t iterations = 0;         // times that its header was executed
  bool holds_loops = false;
  bool cut = false;                       // it has more code than its blocks
  uint64_t cpu_ns = 0, instructions = 0;  // of all of its code, also where it is in no block
  std::vector<HotUse> uses;               // most first
  std::vector<HotBlock> blocks;           // by begin

  bool operator==(const HotLoop&) const = default;
};

struct HotLoops {
  bool timed = false;  // there were enough samples of time; else shares are those of instructions
  uint64_t cpu_ns = 0, instructions = 0;  // of the whole job, wherever
  // Of the CPU that executed it; empty or 0: not known.
  std::string cpu_vendor;
  uint32_t cpu_family = 0, cpu_model = 0;
  std::vector<HotLoop> loops;  // hottest first

  // What shares are shares of.
  uint64_t Whole() const { return timed ? cpu_ns : instructions; }
  template <typename Counted>
  uint64_t WeightOf(const Counted& of) const {
    return timed ? of.cpu_ns : of.instructions;
  }

  bool operator==(const HotLoops&) const = default;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_HOT_LOOPS_H_
