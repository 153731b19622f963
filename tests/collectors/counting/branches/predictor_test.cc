// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/branches/predictor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

constexpr uint64_t kBranch = 0x401000, kLoop = 0x401020, kJump = 0x402000, kTargets = 0x500000;

class BranchPredictor : public testing::Test {
 protected:
  void SetUp() override { Forget(); }
  void Forget() {
    hooks_ = memory_.Hooks();
    predictor_ = roof_predictor_create(&hooks_);
    ASSERT_NE(predictor_, nullptr);
  }
  int Branch(uint64_t place, bool taken) { return roof_predictor_branch(predictor_, place, taken); }
  int Jump(uint64_t target) { return roof_predictor_jump(predictor_, kJump, kTargets + target); }
  bool Coin(double taken) { return std::bernoulli_distribution(taken)(random_); }
  uint64_t OneOf(uint64_t count) {
    return std::uniform_int_distribution<uint64_t>(0, count - 1)(random_);
  }
  // What is missed of a branch with these outcomes in a loop, in so many rounds.
  int Rounds(const std::vector<bool>& outcomes, int rounds) {
    int missed = 0;
    for (int round = 0; round < rounds; ++round)
      for (const bool taken : outcomes) {
        missed += Branch(kBranch, taken);
        Branch(kLoop, true);
      }
    return missed;
  }
  // The share of a repeated random sequence that is missed once it was seen often.
  double MissedOfRepeated(size_t length) {
    std::vector<bool> outcomes(length);
    for (size_t i = 0; i < length; ++i) outcomes[i] = Coin(0.5);
    Rounds(outcomes, 20);
    return Rounds(outcomes, 5) / (5.0 * static_cast<double>(length));
  }
  // How many of `visits` to a loop end in a misprediction, or have one in them.
  int Loops(int iterations, int visits) {
    int missed = 0;
    for (int visit = 0; visit < visits; ++visit) {
      for (int i = 1; i <= iterations; ++i) missed += Branch(kLoop, i < iterations);
      Branch(kLoop + 16, true);
    }
    return missed;
  }
  Memory memory_;
  roof_memory hooks_{};
  roof_predictor* predictor_ = nullptr;
  std::mt19937_64 random_{20060201};
};

TEST_F(BranchPredictor, ExpectsWhatIsAlwaysSo) {
  int missed = 0;
  for (int i = 0; i < 10000; ++i) missed += Branch(kBranch, true) + Branch(kLoop, false);
  EXPECT_EQ(missed, 0);
}

// Whatever it does: a time that counts them is no longer than the real one.
TEST_F(BranchPredictor, TakesBranchesNeverSeenForExpected) {
  int missed = 0;
  for (uint64_t i = 0; i < 5000; ++i) missed += Branch(kBranch + 7 * i, Coin(0.5));
  for (uint64_t i = 0; i < 500; ++i)
    missed += roof_predictor_jump(predictor_, kJump + 7 * i, kTargets + 16 * OneOf(100));
  EXPECT_EQ(missed, 0);
}

TEST_F(BranchPredictor, ChangesItsMind) {
  Rounds({true}, 1000);
  const int missed = Rounds({false}, 1000);
  EXPECT_GE(missed, 1);
  EXPECT_LE(missed, 10);
}

TEST_F(BranchPredictor, LearnsWhatAlternates) {
  Rounds({true, false}, 20);
  EXPECT_EQ(Rounds({true, false}, 1000), 0);
}

TEST_F(BranchPredictor, LearnsWhatRepeats) {
  for (size_t period = 1; period <= 64; ++period) {
    Forget();
    std::vector<bool> outcomes(period);
    for (size_t i = 0; i < period; ++i) outcomes[i] = Coin(0.5);
    Rounds(outcomes, 100);
    EXPECT_EQ(Rounds(outcomes, 100), 0) << period;
  }
}

// As measured on Zen 3, where 8,192 are learned and 262,144 are not.
TEST_F(BranchPredictor, LearnsLongSequencesThatRepeatButNotTheLongest) {
  EXPECT_LT(MissedOfRepeated(8192), 0.01);
  Forget();
  EXPECT_GT(MissedOfRepeated(131072), 0.4);
}

TEST_F(BranchPredictor, LearnsLoopsOfSomeIterations) {
  for (const int iterations : {2, 9, 10, 40, 100}) {
    Forget();
    EXPECT_LE(Loops(iterations, 20), 15) << iterations;
    EXPECT_EQ(Loops(iterations, 1000), 0) << iterations;
  }
  Forget();
  Loops(1000, 20);
  EXPECT_EQ(Loops(1000, 100), 100) << "each ends as nothing tells";
}

// What does not shorten the way back: branches that are never taken.
TEST_F(BranchPredictor, LearnsLoopsWithBranchesThatAreNeverTaken) {
  for (const bool once : {false, true}) {
    Forget();
    int missed = 0;
    for (int visit = 0; visit < 200; ++visit)
      for (int i = 1; i <= 90; ++i) {
        for (uint64_t inside = 0; inside < 3; ++inside)
          Branch(kBranch + inside, once && visit == 0 && i == 1);
        const int last = Branch(kLoop, i < 90);
        if (visit >= 100) missed += last;
      }
    EXPECT_EQ(missed, once ? 100 : 0);
  }
}

// The share that is missed can be no less than that of the rarer outcome.
TEST_F(BranchPredictor, MissesWhatIsRandom) {
  constexpr int kOutcomes = 200'000;
  for (const double p : {0.05, 0.1, 0.3, 0.5}) {
    Forget();
    int missed = 0;
    for (int i = 0; i < kOutcomes; ++i) {
      missed += Branch(kBranch, Coin(p));
      Branch(kLoop, true);
    }
    const double share = missed / double{kOutcomes};
    EXPECT_GT(share, p - 0.005) << p;  // more than four standard deviations
    EXPECT_LT(share, 1.08 * p + 0.005) << p;
  }
}

TEST_F(BranchPredictor, SeesWhatBranchesHaveToDoWithEachOther) {
  int of_first = 0, of_third = 0;
  constexpr int kTimes = 20'000;
  for (int i = 0; i < kTimes; ++i) {
    const bool first = Coin(0.5), second = Coin(0.5);
    of_first += Branch(kBranch, first);
    Branch(kBranch + 16, second);
    of_third += Branch(kBranch + 32, first != second);
  }
  EXPECT_GT(of_first, kTimes * 0.45);
  EXPECT_LT(of_third, kTimes * 0.01);
}

// Neither the places nor what is known of them get into each other's way.
TEST_F(BranchPredictor, KeepsManyBranchesApart) {
  int missed = 0;
  for (int round = 0; round < 20; ++round)
    for (uint64_t i = 0; i < 1000; ++i) {
      const int one = Branch(kBranch + 6 * i, i % 3 == 0);
      if (round >= 10) missed += one;
    }
  EXPECT_EQ(missed, 0);
}

TEST_F(BranchPredictor, ExpectsJumpsToGoWhereTheyAlwaysGo) {
  int missed = 0;
  for (int i = 0; i < 1000; ++i) missed += Jump(0);
  EXPECT_EQ(missed, 0);
  EXPECT_EQ(Jump(64), 1);
}

TEST_F(BranchPredictor, LearnsTargetsThatRepeat) {
  for (const uint64_t targets : {2, 4, 16, 64}) {
    Forget();
    std::vector<uint64_t> cycle(64);
    for (size_t i = 0; i < cycle.size(); ++i) cycle[i] = i < 2 ? i : OneOf(targets);
    const auto rounds = [&](int times) {
      int missed = 0;
      for (int round = 0; round < times; ++round)
        for (const uint64_t target : cycle) missed += Jump(48 * target);
      return missed;
    };
    EXPECT_GT(rounds(50), 0);
    EXPECT_EQ(rounds(50), 0) << targets;
  }
}

TEST_F(BranchPredictor, MissesRandomTargets) {
  for (const uint64_t targets : {2, 4, 64}) {
    Forget();
    int missed = 0;
    constexpr int kTimes = 50'000;
    for (int i = 0; i < kTimes; ++i) missed += Jump(48 * OneOf(targets));
    EXPECT_NEAR(missed / double{kTimes}, 1 - 1.0 / static_cast<double>(targets), 0.02) << targets;
  }
}

// A virtual function of an object whose class a branch before has looked at.
TEST_F(BranchPredictor, SeesWhatBranchesSayOfTargets) {
  int missed = 0;
  for (int i = 0; i < 20'000; ++i) {
    const bool is_one = Coin(0.5);
    Branch(kBranch, is_one);
    missed += Jump(is_one ? 0 : 48);
  }
  EXPECT_LT(missed, 400);
}

TEST_F(BranchPredictor, NeedsMemory) {
  memory_.limit = memory_.bytes;
  EXPECT_EQ(roof_predictor_create(&hooks_), nullptr);
}

}  // namespace
}  // namespace roofmark
