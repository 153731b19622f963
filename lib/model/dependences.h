// SPDX-License-Identifier: BSD-3-Clause
//
// The least time that a region takes because its operations wait for each other and for memory
// (latency and instruction level parallelism of sections A.1.2, A.1.3 and A.3 of the 2008 roofline
// report), as windows of the executed instructions tell it.
#ifndef ROOFMARK_LIB_MODEL_DEPENDENCES_H_
#define ROOFMARK_LIB_MODEL_DEPENDENCES_H_

#include <array>

#include "lib/model/balance.h"

namespace roofmark {

// What the time is spent on, in the order of metric::kDependenceFpCycles and those after it.
enum class Dependence : uint8_t {
  kFp,
  kAddress,
  kForward,
  kMemory,
  kInFlight,
  kWindow,
  kTlb,
  kUnits,
  kAtomic,
  kBranch,
  kIssue,
  kCount
};
inline constexpr size_t kDependenceKinds = static_cast<size_t>(Dependence::kCount);

struct Dependences {
  // Of the worker that needs most. One after the other: other cores do not shorten it.
  Balance seconds;
  double even_s = 0;                                // if all workers needed the same
  std::array<double, kDependenceKinds> share = {};  // their sum is 1
  // The simulated predictor misses more branches than the measured time has room for: what it has
  // too many is in none of these numbers.
  bool branches_cut = false;

  double Share(Dependence one) const { return share[static_cast<size_t>(one)]; }
  // Operations that wait for each other.
  double Chain() const {
    return Share(Dependence::kFp) + Share(Dependence::kAddress) + Share(Dependence::kForward);
  }
  // Loads from beyond the first level or from pages that the first TLB does not have.
  double Far() const {
    return Share(Dependence::kMemory) + Share(Dependence::kInFlight) + Share(Dependence::kWindow) +
           Share(Dependence::kTlb);
  }
};

// Without a value of seconds.as_is nothing is known. `clock_ghz` of the machine's latencies.
Dependences DependencesOf(const JobProfile& job, size_t path, double clock_ghz);

// A core remembers more branches than the windows that were followed show its model, so the time of
// mispredicted ones is at most what is left of `seconds`, the time that the region's work can use.
void KeepBranchesWithin(double seconds, Dependences& dependences);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEPENDENCES_H_
