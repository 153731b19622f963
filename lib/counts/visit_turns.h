// SPDX-License-Identifier: BSD-3-Clause
//
// Visits that take turns: of two that follow each other one is executed as it is and timed, the
// other is counted. What the two take tells what counting costs. Pure.
#ifndef ROOFMARK_LIB_COUNTS_VISIT_TURNS_H_
#define ROOFMARK_LIB_COUNTS_VISIT_TURNS_H_

#include <cstdint>
#include <optional>

namespace roofmark::counts {

// Of the visits of a region from the second on, whose number is 1: two and two are a pair. Visit 0,
// in which caches are cold and code is not translated yet, takes no turn. All ranks that visit a
// region equally often have the same turns, so that none waits for one that is counted.
uint64_t PairOfVisit(uint64_t visit) noexcept;
// Whether this one of the pair is counted. Which of both changes from pair to pair in no order, so
// that visits which differ in turns do not all take the same one. The first of pair 0 is counted.
bool IsCountedInTurn(uint64_t visit) noexcept;

// Counting costs little below this share of the time.
inline constexpr double kLittleCost = 0.1;
inline constexpr uint64_t kLeastPairs = 8;
// Where it costs little, one pair in so many goes on to take turns, to tell whether it still does.
inline constexpr uint64_t kComparedPairs = 16;

// The visits of pairs, in any unit of time.
class PairTimes {
 public:
  void Add(double timed, double counted) noexcept;
  uint64_t pairs() const { return pairs_; }
  // What a counted visit takes more than a timed one, over the latter. Nothing without pairs.
  std::optional<double> Cost() const noexcept;
  // It is less than this in about 97.5 of 100 cases: the ratio of means, with the variance of what
  // pairs differ from it by. Nothing below kLeastPairs.
  std::optional<double> CostAtMost() const noexcept;
  // By that, and in most pairs: a single timed visit that was interrupted for long makes all the
  // counted ones together look cheap beside it.
  bool CostsLittle() const noexcept;

 private:
  uint64_t pairs_ = 0, costly_ = 0;
  double timed_ = 0, counted_ = 0, timed_squares_ = 0, counted_squares_ = 0, products_ = 0;
};

}  // namespace roofmark::counts

#endif  // ROOFMARK_LIB_COUNTS_VISIT_TURNS_H_
