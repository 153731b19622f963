// SPDX-License-Identifier: BSD-3-Clause
//
// What the tests of the tool (tool_nests_test.cc) do not reach: plans that make no sense, look-ups,
// and what happens without memory or numbers.
#include "collectors/counting/contexts/nests.h"

#include <gtest/gtest.h>

#include <vector>

#include "collectors/counting/schema.h"
#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

// Stack pointers: the program's function has a higher one than those that it calls.
constexpr uint64_t kOuter = 0x2000, kCalled = 0x1000;

constexpr roof_nest kLoop = {0, 0, 0, 0}, kFunction = {0, 1, 0, 0};
constexpr roof_nest In(uint32_t around) { return {around, 0, 0, 0}; }

class ContextNests : public testing::Test {
 protected:
  ContextNests() { nests_.memory = memory_.Hooks(); }
  int Set(const std::vector<roof_nest>& nests, const std::vector<roof_nest_range>& ranges,
          const std::vector<roof_nest_entry>& entries = {}) {
    return roof_nests_set(&nests_, nests.data(), static_cast<uint32_t>(nests.size()), ranges.data(),
                          static_cast<uint32_t>(ranges.size()), entries.data(),
                          static_cast<uint32_t>(entries.size()));
  }
  // 1 has 2 in it; 3 is a function that begins at 50 of module 2.
  void SetUsual() {
    ASSERT_EQ(
        Set({kLoop, In(1), kFunction},
            {{1, 1, 10, 20}, {1, 2, 20, 30}, {1, 0, 40, 50}, {2, 3, 50, 60}}, {{2, 3, 50, 0}}),
        1);
  }
  bool Cross(uint32_t from, uint32_t to, uint64_t stack_pointer = kOuter, uint32_t base = 0) {
    return roof_nests_cross(&nests_, &nesting_, base, from, to, stack_pointer, &known_) == 1;
  }
  bool Begin(uint32_t nest, uint64_t stack_pointer, uint32_t base = 0) {
    return roof_nests_begin(&nests_, &nesting_, base, nest, stack_pointer, &known_) == 1;
  }
  uint32_t Path(uint32_t base = 0) const { return roof_nests_path(&nesting_, base); }

  Memory memory_;
  roof_nests nests_{};
  roof_nesting nesting_{};
  uint32_t known_ = 0;
};

TEST_F(ContextNests, PlansThatMakeNoSenseAreRefused) {
  EXPECT_EQ(Set({In(1)}, {}), -1) << "around itself";
  EXPECT_EQ(Set({{0, 0, 1, 0}}, {}), -1) << "code of itself";
  EXPECT_EQ(Set({kLoop, {0, 0, 1, 2}}, {}), -1) << "the rest of itself";
  EXPECT_EQ(Set({kLoop}, {{1, 2, 10, 20}}), -1) << "no such nest";
  EXPECT_EQ(Set({kLoop}, {{1, 1, 10, 10}}), -1) << "empty";
  EXPECT_EQ(Set({kLoop}, {{1, 1, 10, 20}, {1, 1, 19, 30}}), -1) << "overlap";
  EXPECT_EQ(Set({kLoop}, {{2, 1, 10, 20}, {1, 1, 10, 20}}), -1) << "not in order";
  EXPECT_EQ(Set({kLoop}, {}, {{1, 0, 10, 0}}), -1) << "an entry of no nest";
  EXPECT_EQ(Set({kLoop}, {}, {{1, 1, 10, 0}, {1, 1, 10, 0}}), -1) << "twice";
  EXPECT_EQ(nests_.count, 0u);
  EXPECT_EQ(Set({kLoop}, {{1, 1, 10, 20}, {1, 1, 20, 30}}, {{1, 1, 10, 0}, {2, 1, 10, 0}}), 1);
}

TEST_F(ContextNests, PlacesHaveTheirInnermostNest) {
  SetUsual();
  EXPECT_EQ(roof_nests_at(&nests_, 1, 9), nullptr);
  EXPECT_EQ(roof_nests_at(&nests_, 1, 10)->nest, 1u);
  EXPECT_EQ(roof_nests_at(&nests_, 1, 19)->nest, 1u);
  EXPECT_EQ(roof_nests_at(&nests_, 1, 20)->nest, 2u);
  EXPECT_EQ(roof_nests_at(&nests_, 1, 35), nullptr);
  EXPECT_EQ(roof_nests_at(&nests_, 1, 40)->nest, 0u);
  EXPECT_EQ(roof_nests_at(&nests_, 2, 20), nullptr);
  EXPECT_EQ(roof_nests_at(&nests_, 2, 59)->nest, 3u);
  EXPECT_EQ(roof_nests_at(&nests_, 3, 50), nullptr);
  EXPECT_EQ(roof_nests_begin_at(&nests_, 2, 50), 3u);
  EXPECT_EQ(roof_nests_begin_at(&nests_, 2, 51), 0u);
  EXPECT_EQ(roof_nests_begin_at(&nests_, 1, 50), 0u);
}

TEST_F(ContextNests, TheBodyOfAConstructIsNoVisitOfItsFunction) {
  SetUsual();
  EXPECT_EQ(Set({{0, 1, 0, 0}, {1, 0, 0, 0}}, {{1, 1, 10, 20}, {1, 2, 20, 30}},
                {{1, 1, 10, 0}, {1, 2, 20, 1}}),
            1);
  EXPECT_EQ(roof_nests_begin_at(&nests_, 1, 10), 1u);
  const uint32_t body = roof_nests_begin_at(&nests_, 1, 20);
  EXPECT_EQ(body, 2u | ROOF_NEST_GOES_ON);
  EXPECT_TRUE(Begin(body, kCalled));
  ASSERT_EQ(nesting_.depth, 2u);
  EXPECT_EQ(nesting_.visit[0].again, 1u) << "the function";
  EXPECT_EQ(nesting_.visit[1].again, 0u) << "a loop that begins with its body";
  EXPECT_TRUE(Begin(body, kCalled)) << "the loop has come back";
  EXPECT_EQ(nesting_.depth, 2u);
}

TEST_F(ContextNests, WhoJumpsIntoTheInnerLoopIsInBoth) {
  SetUsual();
  EXPECT_TRUE(Cross(0, 2));
  EXPECT_EQ(nesting_.depth, 2u);
  const uint32_t inner = Path();
  EXPECT_TRUE(roof_nests_has_path(&nests_, inner));
  EXPECT_TRUE(Cross(2, 1));
  EXPECT_NE(Path(), inner);
  EXPECT_TRUE(Cross(1, 2));
  EXPECT_EQ(Path(), inner) << "the same path again";
  EXPECT_TRUE(Cross(2, 0));
  EXPECT_EQ(Path(), 0u);
  EXPECT_FALSE(roof_nests_has_path(&nests_, 0));
}

TEST_F(ContextNests, AFrameThatIsGoneTakesItsNestsWithIt) {
  SetUsual();
  EXPECT_EQ(roof_nests_end(&nesting_), UINT64_MAX);
  EXPECT_TRUE(Cross(0, 1, kOuter));
  const uint32_t outer = Path();
  EXPECT_TRUE(Begin(3, kCalled));
  EXPECT_EQ(roof_nests_end(&nesting_), kCalled);
  roof_nests_return(&nesting_, kCalled + 8);
  EXPECT_EQ(Path(), outer);
  EXPECT_TRUE(Begin(3, kCalled));
  EXPECT_TRUE(Cross(1, 2, kOuter)) << "its end was not seen";
  EXPECT_EQ(nesting_.depth, 2u);
}

TEST_F(ContextNests, ANestIsSeenInThePathOfMarkersInWhichItWasEntered) {
  SetUsual();
  EXPECT_TRUE(Cross(0, 1, kOuter, 5));
  EXPECT_NE(Path(5), 5u);
  EXPECT_EQ(Path(6), 6u);
}

TEST_F(ContextNests, WhoWorksForAThreadInANestDoesNotEnterItAgain) {
  SetUsual();
  EXPECT_TRUE(Cross(0, 1));
  const uint32_t led = Path();
  roof_nesting worker = {};
  ASSERT_EQ(roof_nests_cross(&nests_, &worker, led, 0, 2, kCalled, &known_), 1);
  EXPECT_EQ(worker.visit[0].again, 1u) << "1, which is around 2";
  EXPECT_EQ(worker.visit[1].again, 0u);
  EXPECT_TRUE(Cross(1, 2));
  EXPECT_EQ(roof_nests_path(&worker, led), Path());
}

// 1 is a function, 2 and 3 are code of it that was inlined; 4 is a loop around another copy, 5.
TEST_F(ContextNests, InlinedCodeHasThePathOfItsFunction) {
  ASSERT_EQ(Set({kFunction, {0, 0, 1, 0}, {0, 0, 1, 2}, kLoop, {4, 0, 1, 0}}, {}), 1);
  EXPECT_TRUE(Cross(0, 2));
  const uint32_t path = Path();
  EXPECT_EQ(nesting_.visit[0].again, 0u) << "it begins here";
  EXPECT_TRUE(Cross(2, 3));
  EXPECT_EQ(Path(), path);
  EXPECT_EQ(nesting_.visit[0].again, 1u);
  EXPECT_TRUE(Cross(3, 2));
  EXPECT_EQ(nesting_.visit[0].again, 1u) << "a loop in it has come back";
  EXPECT_TRUE(Cross(2, 0));
  EXPECT_TRUE(Cross(0, 3));
  EXPECT_EQ(Path(), path);
  EXPECT_EQ(nesting_.visit[0].again, 1u) << "another piece of it";
  EXPECT_TRUE(Begin(1, kCalled));
  EXPECT_EQ(Path(), path) << "it calls itself";
  EXPECT_TRUE(Cross(3, 5));
  EXPECT_EQ(nesting_.depth, 2u);
  EXPECT_NE(Path(), path) << "in the loop";
}

TEST_F(ContextNests, ArgumentsOnTheStackDoNotEndAFrame) {
  ASSERT_EQ(Set({kFunction, In(1)}, {}), 1);
  EXPECT_TRUE(Begin(1, kOuter));
  EXPECT_TRUE(Cross(1, 2, kOuter - 64)) << "between two pushes";
  const uint32_t inner = Path();
  roof_nests_return(&nesting_, kOuter - 16);
  EXPECT_EQ(Path(), inner);
  roof_nests_return(&nesting_, kOuter + 8);
  EXPECT_EQ(Path(), 0u);
}

TEST_F(ContextNests, BehindACallThereMayBeAnotherNest) {
  SetUsual();
  constexpr uint64_t kBack = 0x400020;
  const auto call = [&](uint32_t from, uint32_t to) {
    return roof_nests_call(&nests_, &nesting_, 0, from, to, kBack, kCalled) == 1;
  };
  const auto come_back = [&](uint64_t place) {
    return roof_nests_come_back(&nests_, &nesting_, 0, place, kCalled + 8, &known_) == 1;
  };
  EXPECT_TRUE(Cross(0, 1));
  const uint32_t loop = Path();
  EXPECT_TRUE(call(1, 0));
  EXPECT_EQ(Path(), loop) << "what is called is inside";
  EXPECT_TRUE(come_back(kBack));
  EXPECT_EQ(Path(), 0u);
  EXPECT_TRUE(call(0, 1));
  EXPECT_EQ(Path(), 0u);
  EXPECT_TRUE(come_back(kBack));
  EXPECT_EQ(Path(), loop);
  EXPECT_EQ(nesting_.depth, known_ + 1) << "a new visit";
  EXPECT_TRUE(call(1, 0));
  EXPECT_TRUE(come_back(kBack + 1));
  EXPECT_EQ(Path(), loop) << "it came back elsewhere";
}

TEST_F(ContextNests, WhereNumbersEndThePathIsThatAround) {
  std::vector<roof_nest> many(ROOF_MAX_PATHS, kLoop);
  ASSERT_EQ(Set(many, {}), 1);
  uint32_t nest = 1;
  for (; nests_.lost_paths == 0 && nest < ROOF_MAX_PATHS; ++nest) {
    ASSERT_TRUE(Cross(0, nest));
    ASSERT_TRUE(nests_.lost_paths > 0 ? Path() == 0 : Path() >= ROOF_FIRST_NEST_PATH) << nest;
    ASSERT_TRUE(Cross(nest, 0));
  }
  EXPECT_EQ(nests_.lost_paths, 1u);
}

TEST_F(ContextNests, WithoutMemoryItIsSaid) {
  SetUsual();
  memory_.limit = memory_.bytes;
  EXPECT_FALSE(Cross(0, 1));
  EXPECT_FALSE(Begin(3, kCalled));
  EXPECT_EQ(roof_nests_call(&nests_, &nesting_, 0, 1, 0, 1, kCalled), 0);
}

}  // namespace
}  // namespace roofmark
