// SPDX-License-Identifier: BSD-3-Clause
//
// What can keep a region from the roof: the causes that runtime-oriented ceilings speak of
// (section A.3 of the 2008 roofline report), in the order in which its figures stack them: from the
// roof down, hardest to cure first.
#ifndef ROOFMARK_LIB_MODEL_SHORTFALL_H_
#define ROOFMARK_LIB_MODEL_SHORTFALL_H_

#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>

namespace roofmark {

enum class Shortfall : uint8_t {
  // Compute ceilings, GFLOP/s.
  kFmaBalance,      // operations that are not fused, additions and multiplications out of balance
  kSimd,            // registers narrower than the widest
  kDivides,         // divisions and square roots
  kInstructionMix,  // instructions that do no FLOPs
  kIlp,             // dependent instructions: cycles neither issuing at the units' rate nor stalled
  kThreadImbalance,  // within ranks
  kRankImbalance,    // between ranks
  // Memory ceilings, GB/s.
  kPrefetch,     // latency that nothing hides
  kAffinity,     // one package's memory serves others
  kControllers,  // one of a package's memory controllers is busier than the others
  kConcurrency,  // few cores generate the traffic
  // Intensity walls, FLOP/byte.
  kWriteAllocate,  // lines fetched only to be overwritten
  kCapacity,       // capacity misses
  kConflict,       // conflict misses
};
inline constexpr size_t kShortfalls = 14;
inline constexpr size_t kComputeShortfalls = 7, kMemoryShortfalls = 4;

constexpr size_t Index(Shortfall shortfall) { return static_cast<size_t>(shortfall); }

// Those that hold a region down.
using Shortfalls = std::bitset<kShortfalls>;

enum class CeilingAxis : uint8_t { kCompute, kMemory, kWall };
constexpr CeilingAxis AxisOf(Shortfall shortfall) {
  const size_t index = Index(shortfall);
  return index < kComputeShortfalls                       ? CeilingAxis::kCompute
         : index < kComputeShortfalls + kMemoryShortfalls ? CeilingAxis::kMemory
                                                          : CeilingAxis::kWall;
}

// How much it takes to cure one, as a divisor of what it gains (DESIGN: compiler before
// programmer).
enum class Ease : uint8_t { kCompiler = 1, kLocalChange = 2, kRestructuring = 4, kAlgorithm = 8 };

struct ShortfallInfo {
  std::string_view id;     // in files: "simd"
  std::string_view label;  // for people: "SIMD"
  Ease ease;
  std::string_view cure;  // continues "... is worth": "vectorising"
};

constexpr std::array<ShortfallInfo, kShortfalls> kShortfallInfos = {{
    {"fma_balance", "FMA", Ease::kCompiler, "fusing multiplications with additions"},
    {"simd", "SIMD", Ease::kCompiler, "vectorising"},
    {"divides", "divides", Ease::kLocalChange, "avoiding divisions and roots"},
    {"instruction_mix", "instruction mix", Ease::kLocalChange, "shedding what does no FLOPs"},
    {"ilp", "ILP", Ease::kLocalChange, "unrolling with independent operations"},
    {"thread_imbalance", "thread imbalance", Ease::kLocalChange, "sharing the work evenly"},
    {"rank_imbalance", "rank imbalance", Ease::kLocalChange, "distributing the work evenly"},
    {"prefetch", "prefetch", Ease::kLocalChange, "prefetching"},
    {"affinity", "affinity", Ease::kLocalChange, "placing pages beside the cores that use them"},
    {"controllers", "memory controllers", Ease::kLocalChange, "spreading over the controllers"},
    {"concurrency", "core concurrency", Ease::kLocalChange, "memory traffic from all cores"},
    {"write_allocate", "write-allocate", Ease::kLocalChange, "storing past the caches"},
    {"capacity", "capacity misses", Ease::kAlgorithm, "reusing what the caches hold (blocking)"},
    {"conflict", "conflict misses", Ease::kLocalChange, "padding arrays"},
}};
constexpr const ShortfallInfo& InfoOf(Shortfall shortfall) {
  return kShortfallInfos[Index(shortfall)];
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_SHORTFALL_H_
