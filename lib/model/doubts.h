// SPDX-License-Identifier: BSD-3-Clause
//
// Where the counts of a region do not say what they seem to: they contradict the work that the
// program declares, or were extrapolated from visits that differ much.
#ifndef ROOFMARK_LIB_MODEL_DOUBTS_H_
#define ROOFMARK_LIB_MODEL_DOUBTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lib/model/analysis.h"
#include "lib/profile/profile.h"

namespace roofmark {

// What a program declares is what its algorithm needs: it need not be what is executed. But beyond
// these bounds one of both is wrong, or the work is done more than once.
inline constexpr double kFewestOfDeclared = 0.8, kMostOfDeclared = 1.5;  // counted over declared
inline constexpr double kScaledApart = 0.1;  // of FLOPs that were scaled from some visits

struct Contradiction {
  enum class What : uint8_t {
    kScaledFlops,  // differ from those declared by more than kScaledApart
    kFewerFlops,   // counted in all visits: below kFewestOfDeclared
    kMoreFlops,    // counted in all visits: above kMostOfDeclared
    kMoreBytes,    // declared bytes over those that were loaded and stored: above 1 /
                   // kFewestOfDeclared
  };
  size_t path = 0;
  What what = What::kScaledFlops;
  double counted = 0, declared = 0;
};

// At most one of each region that takes 1 % of the run or more.
std::vector<Contradiction> Contradictions(const JobProfile& job, const JobAnalysis& analysis);

// Extrapolated DRAM traffic is wide if half of its interval is more than this of it.
inline constexpr double kWideInterval = 0.2;

// Half of the interval over the value; infinite if nothing is known of the interval, missing if
// nothing was extrapolated.
std::optional<double> IntervalWidth(const Value& value);

// Regions that take 1 % of the run or more and whose DRAM traffic is wide, where it matters: at the
// machine's bandwidth it takes 5 % of their time, or may do so. The widest first.
std::vector<size_t> WidelyExtrapolated(const JobAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DOUBTS_H_
