// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace roofmark::package {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What a chain says when it goes from path to path of a tree: "+3" opens path 3, "-3" closes it.
class ChainTest : public testing::Test {
 protected:
  std::vector<std::string> Enter(uint32_t path, bool measured = true) {
    std::vector<std::string> said;
    chain_.Enter(
        path, measured, [this](uint32_t each) { return parents_[each]; },
        [&](uint32_t each) { said.push_back("-" + std::to_string(each)); },
        [&](uint32_t each) { said.push_back("+" + std::to_string(each)); });
    return said;
  }

  // 1 has the children 2 and 3, 2 has 4; 5 is another root.
  std::vector<uint32_t> parents_ = {0, 0, 1, 1, 2, 0};
  Chain chain_;
};

TEST_F(ChainTest, OpensFromTheOutermostAndClosesFromTheInnermost) {
  EXPECT_THAT(Enter(4), ElementsAre("+1", "+2", "+4"));
  EXPECT_FALSE(chain_.empty());
  EXPECT_THAT(Enter(0), ElementsAre("-4", "-2", "-1"));
  EXPECT_TRUE(chain_.empty());
}

TEST_F(ChainTest, WhatTwoPathsHaveInCommonStaysOpen) {
  Enter(4);
  EXPECT_THAT(Enter(3), ElementsAre("-4", "-2", "+3"));
  EXPECT_THAT(Enter(1), ElementsAre("-3"));
  EXPECT_THAT(Enter(1), IsEmpty());
  EXPECT_THAT(Enter(5), ElementsAre("-1", "+5"));
}

TEST_F(ChainTest, AVisitThatIsNotMeasuredOpensOnlyWhatIsAroundIt) {
  Enter(1);
  EXPECT_THAT(Enter(2, false), IsEmpty());
  EXPECT_THAT(Enter(1), IsEmpty());
  EXPECT_THAT(Enter(2), ElementsAre("+2"));
  EXPECT_THAT(Enter(1, false), ElementsAre("-2"));
  EXPECT_THAT(Enter(0), ElementsAre("-1"));
}

// Recursion is one path, or a path below itself: both open and close in pairs.
TEST_F(ChainTest, RecursionIsOpenedOnceForEachPath) {
  parents_ = {0, 0, 1, 2};  // f, f/g, f/g/f
  EXPECT_THAT(Enter(1), ElementsAre("+1"));
  EXPECT_THAT(Enter(2), ElementsAre("+2"));
  EXPECT_THAT(Enter(3), ElementsAre("+3"));
  EXPECT_THAT(Enter(2), ElementsAre("-3"));
  EXPECT_THAT(Enter(0), ElementsAre("-2", "-1"));
}

TEST_F(ChainTest, DeeperThanItCanHoldBelongsToTheDeepestItHolds) {
  parents_ = {0};
  for (uint32_t path = 1; path <= kMostDepth + 10; ++path) parents_.push_back(path - 1);
  EXPECT_EQ(Enter(kMostDepth + 10).size(), kMostDepth);
  EXPECT_THAT(Enter(kMostDepth + 3), IsEmpty());
  EXPECT_THAT(Enter(kMostDepth), IsEmpty());
  EXPECT_THAT(Enter(kMostDepth - 1), ElementsAre("-" + std::to_string(kMostDepth)));
  EXPECT_EQ(Enter(0).size(), kMostDepth - 1);
}

}  // namespace
}  // namespace roofmark::package
