// SPDX-License-Identifier: BSD-3-Clause
//
// Conditional branches: what it costs that some go another way than the core expected.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_BRANCH_LOAD_H_
#define ROOFMARK_BENCHMARKS_MACHINE_BRANCH_LOAD_H_

#include <string_view>

#include "benchmarks/machine/load.h"

namespace roofmark {

enum class Outcomes : uint8_t {
  kRandom,  // half of the branches go another way than any core expects
  kOneWay,  // each branch goes its own way always; as many of them jump
};

// The ceilings of the two, in ns for one branch, and the share of the first one's that goes another
// way than expected.
inline constexpr std::string_view kRandomBranchId = "branch.random";
inline constexpr std::string_view kOneWayBranchId = "branch.one_way";
inline constexpr double kMispredictedShare = 0.5;

// True on x86-64; elsewhere a compiler may make something else of a branch.
bool HasBranchLoad();

// Both outcomes execute the same instructions: a generator of random bits, and 32 branches that
// test one bit of its last number each, which is there long before the branch. What a branch waits
// for is one test of a register. The outcomes never repeat, for predictors learn tens of thousands
// that do. For one thread. Its rate is branches per second.
class BranchLoad final : public Load {
 public:
  explicit BranchLoad(Outcomes outcomes);

  bool Prepare(uint32_t) override { return true; }
  void Warm(uint32_t, uint64_t repeats) override { Execute(repeats / 8 + 1); }
  void Run(uint32_t, uint64_t repeats) override { Execute(repeats); }
  bool Check(uint32_t) override;
  void Finish(uint32_t) override {}
  double WorkPerRepeat() const override { return kBranches; }

  // Branches of the last run that did not jump.
  uint64_t passed() const { return passed_; }

 private:
  static constexpr double kBranches = 32;

  // A generator of period 2^64 - 1 (xorshift64*: Vigna, ACM TOMS 42 (2016) 4, article 30).
  struct Bits {
    uint64_t state, random, fixed;  // bits of the number that are random; bits that are set
    uint64_t Next();
  };
  static uint64_t Branches(Bits& bits, uint64_t repeats);
  void Execute(uint64_t repeats);

  Bits bits_, before_;  // now, and at the begin of the last run
  uint64_t repeats_ = 0, passed_ = 0;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_BRANCH_LOAD_H_
