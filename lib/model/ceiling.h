// SPDX-License-Identifier: BSD-3-Clause
//
// A ceiling of one region at its job's scope, whoever says so: the machine (architecture-oriented,
// sections 4, A.1 and A.2 of the 2008 roofline report), the region's own mix (the compute ceiling
// that fits it), or one of its shortfalls (runtime-oriented, section A.3 and figure A6).
#ifndef ROOFMARK_LIB_MODEL_CEILING_H_
#define ROOFMARK_LIB_MODEL_CEILING_H_

#include <cmath>
#include <string_view>
#include <vector>

#include "lib/model/shortfall.h"
#include "lib/model/value.h"
#include "lib/model/work.h"

namespace roofmark {

enum class CeilingOrigin : uint8_t { kArchitecture, kMix, kShortfall };

// Which line it is; lib/report has their names.
enum class CeilingId : uint8_t {
  kThreadParallelism,  // one chain of dependent additions a core
  kIlp,
  kSimd128,
  kSimd256,
  kSimd512,
  kSimd,  // additions in the widest registers
  kWithoutFma,
  kFmaAlone,
  kPeak,
  kDivisionsAlone,
  kRootsAlone,
  kFpShare,                 // one in `one_in` instructions does FLOPs
  kCores,                   // one in `one_in` of the cores works
  kCoresThreadParallelism,  // the same, one chain each
  kDramCores,               // one in `one_in` of the cores generates traffic
  kDramRandom,
  kDramStrided,
  kDramFar,
  kDramCopy,
  kDramRead,
  kDramReadPrefetch,
  kDramTriad,
  kDramTriadPrefetch,
  kDramTriadNt,
  kLevel,      // the best of `level`
  kMix,        // made of `parts`
  kShortfall,  // left by `shortfall`
};

// What a region's counters say of a ceiling.
enum class CeilingFit : uint8_t {
  kOpen,     // may hold the region down, as far as is known
  kPassed,   // counted: the region has what code below this ceiling lacks
  kForeign,  // measured with another kind of work or traffic than the region's
};

// The counted figure that shows why a ceiling is not open.
enum class ProofId : uint8_t {
  kNone,
  kLanes,            // used, of an instruction
  kFused,            // share of the FLOPs
  kFpShare,          // of the instructions
  kBusiest,          // worker over the mean
  kTrafficCores,     // share of the cores
  kDivisions,        // share of the FLOPs
  kReads,            // share of the traffic
  kReadsPastCaches,  // the same where most is written past the caches
};
struct Proof {
  ProofId id = ProofId::kNone;
  double number = 0;
};

// A number between two bounds where the counters leave something open; else both are the same.
struct Interval {
  Value least;
  double most = 0;  // meaningful where `least` has a value

  static Interval Exactly(Value value) {
    const double number = value ? *value : 0;
    return {std::move(value), number};
  }
  double Middle() const { return std::sqrt(*least * most); }  // geometric
};

// The roof of one precision, as a part of the roof of a mix.
struct MixPart {
  Precision precision = Precision::kDouble;
  bool is_peak = true;  // else the highest without FMA
};
// What the ceiling of a mix does not honour.
enum class MixNote : uint8_t {
  kNone,
  kNoRoofWithoutFma,  // the machine file has none: held against the peak
  kPrecisionsMixed,   // counted together: held against the double precision peak
};

struct Ceiling {
  CeilingOrigin origin = CeilingOrigin::kArchitecture;
  CeilingId id = CeilingId::kPeak;
  int one_in = 1;
  CeilingAxis axis = CeilingAxis::kCompute;
  MemoryLevel level = MemoryLevel::kDram;  // of a memory ceiling
  // By axis: GFLOP/s, GB/s of traffic, FLOP/byte; 1e9 declared operations in place of GFLOP where
  // there are no FLOPs. Missing with the reason where an input is missing.
  Interval height = {};

  // For a ceiling of the machine.
  CeilingFit fit = CeilingFit::kOpen;
  Proof proof = {};

  // For a ceiling of the region's mix.
  std::vector<MixPart> parts = {};
  MixNote note = MixNote::kNone;

  // For a ceiling of a shortfall.
  Shortfall shortfall = Shortfall::kFmaBalance;
  Interval gain = {};  // at least 1
  Value extent = {};   // see RegionInputs
  int rank = 0;        // 1: fix this first; 0: not worth it, or unknown
  // Without the shortfall, if what the cores do and what memory does do not overlap: seconds.
  double apart_s = 0;
  bool may_give_nothing = false;  // the cure, as far as is known
  double noise = 0;               // of the roofs that the gain rests on, relative

  bool IsMemory() const { return axis == CeilingAxis::kMemory; }
  // The metric that limits below it.
  std::string_view Limiter() const { return IsMemory() ? "memory" : "compute"; }
  // GFLOP/s at an intensity of its level. It takes the upper end of the height, so that it is an
  // upper bound.
  double At(double intensity) const { return IsMemory() ? height.most * intensity : height.most; }
};

// A ceiling of fewer cores is no property of the code's inner loops.
constexpr bool IsOfFewCores(CeilingId id) {
  return id == CeilingId::kCores || id == CeilingId::kCoresThreadParallelism ||
         id == CeilingId::kDramCores;
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_CEILING_H_
