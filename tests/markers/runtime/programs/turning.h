// SPDX-License-Identifier: BSD-3-Clause
//
// How long visits of turning.cc last: for the program, and for the tests that hold what is reported
// against it.
#ifndef ROOFMARK_TESTS_MARKERS_RUNTIME_PROGRAMS_TURNING_H_
#define ROOFMARK_TESTS_MARKERS_RUNTIME_PROGRAMS_TURNING_H_

#include <cstdint>

#include "lib/counts/visit_turns.h"

namespace roofmark::test {

// A visit that is counted takes `percent` longer.
struct Lasting {
  uint64_t ns, percent = 300;

  uint64_t Counted() const { return ns + ns * percent / 100; }
  bool CostsLittle() const { return static_cast<double>(percent) < 100 * counts::kLittleCost; }
};

inline constexpr uint64_t kMs = 1'000'000;
inline constexpr uint64_t kEvenVisits = 60, kUnevenVisits = 120, kGridVisits = 12;
// "even": counting costs little in one region, which is timed and counted at once after some pairs.
inline constexpr uint64_t kOnceNs = kMs;
inline constexpr Lasting kCheap = {2 * kMs, 4}, kCostly = {4 * kMs}, kInner = {kMs};
// "grids", "waits": the first visit, and each of the others. Of "waits" the first one is inside MPI
// for a part of its time, and the others for all of it.
inline constexpr uint64_t kFirstGridNs = 400 * kMs, kFirstWaitNs = 40 * kMs, kFirstMpiNs = 5 * kMs;
inline constexpr Lasting kGrid = {2 * kMs}, kWait = {10 * kMs, 100};
// "cold": the first visit is long; regions inside it have the same length in both visits.
inline constexpr uint64_t kFirstColdNs = 400 * kMs, kInnerInSecond = 8;
inline constexpr Lasting kCold = {2 * kMs}, kInCold = {kMs}, kLate = {3 * kMs};

// "uneven": what is added in a visit; it lasts 100 ns for each addition.
constexpr uint64_t AddsOf(uint64_t visit) { return 1500 + 1000 * (visit * 7 % 16) / 15; }
constexpr Lasting UnevenOf(uint64_t visit) { return {100 * AddsOf(visit), 100}; }

// Whether the visit of this number in its region is counted and not timed, where counting costs
// more than a little.
inline bool IsCounted(uint64_t visit) { return visit > 0 && counts::IsCountedInTurn(visit); }

// The same and timed, where it costs little.
inline bool IsBoth(uint64_t visit) {
  const uint64_t pair = visit == 0 ? 0 : counts::PairOfVisit(visit);
  return pair >= counts::kLeastPairs && pair % counts::kComparedPairs != 0;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MARKERS_RUNTIME_PROGRAMS_TURNING_H_
