// SPDX-License-Identifier: BSD-3-Clause
//
// What can keep a region from the roof: the causes that runtime-oriented ceilings speak of
// (section A.3 of the 2008 roofline report). The table of them lies in shortfall_table.cc; a new
// one is a row there, its enumerator here and a file with its rule in shortfalls/.
#ifndef ROOFMARK_LIB_MODEL_SHORTFALL_H_
#define ROOFMARK_LIB_MODEL_SHORTFALL_H_

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace roofmark {

// In the order in which the report's figures stack them: by axis, from the roof down, the hardest
// to fix first.
enum class Shortfall : uint8_t {
  kFmaBalance,
  kSimd,
  kDivides,
  kInstructionMix,
  kIlp,
  kDependences,
  kBranches,
  kAtomics,
  kThreadImbalance,
  kRankImbalance,
  kPrefetch,
  kLatency,
  kStreams,
  kSmallPages,
  kAffinity,
  kControllers,
  kConcurrency,
  kWriteAllocate,
  kCapacity,
  kConflict,
  kCount,
};
inline constexpr size_t kShortfalls = static_cast<size_t>(Shortfall::kCount);

constexpr size_t Index(Shortfall shortfall) { return static_cast<size_t>(shortfall); }

// Those that hold a region down.
using Shortfalls = std::bitset<kShortfalls>;

// Ceilings in GFLOP/s, ceilings in GB/s, intensity walls in FLOP/byte.
enum class CeilingAxis : uint8_t { kCompute, kMemory, kWall };

// How much it takes to fix one, as a divisor of what it gains (DESIGN: compiler before
// programmer).
enum class Ease : uint8_t { kCompiler = 1, kLocalChange = 2, kRestructuring = 4, kAlgorithm = 8 };

// What the extent of a shortfall is, as RegionInputs::extent has it.
enum class ExtentKind : uint8_t {
  kShare,  // 0 to 1
  kRest,   // 0 to 1; what is left of it is told
  kFactor
};

// What is known of a cure before it is tried.
enum class Promise : uint8_t {
  kSaves,           // what it takes away was counted
  kMayGiveNothing,  // hardware or the kernel may do it already, or it costs as much as it saves
};

struct ShortfallRule;

struct ShortfallInfo {
  Shortfall id;
  std::string_view name;   // in files: "simd"
  std::string_view label;  // for people: "SIMD"
  std::string_view lack;   // what holds a region below its ceiling: "too little SIMD"
  CeilingAxis axis;
  Ease ease;
  Promise promise;          // where nothing in the run or in the machine file proves more
  std::string_view deed;    // what to do, as an order: "Vectorise"
  std::string_view means;   // by what; may be empty: "non-temporal stores"
  std::string_view extent;  // the number behind it, "{}" in words: "{} of the FLOPs"
  ExtentKind extent_kind;
  std::string_view doc;     // the region without it
  std::string_view source;  // of the rule, as docs/model.md cites
  const ShortfallRule& rule;
};

const ShortfallInfo& InfoOf(Shortfall shortfall);
CeilingAxis AxisOf(Shortfall shortfall);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_SHORTFALL_H_
