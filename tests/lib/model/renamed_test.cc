// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/renamed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark {
namespace {

using ::testing::ElementsAre;

TEST(Renamed, WholePathsAndFirstRegions) {
  RenameMap map;
  ASSERT_TRUE(map.Add("solve=cg"));
  ASSERT_TRUE(map.Add("solve/spmv=multiply"));
  EXPECT_EQ(map.Renamed("solve"), "cg");
  EXPECT_EQ(map.Renamed("solve/halo"), "cg/halo");
  EXPECT_EQ(map.Renamed("solve/spmv/pack"), "multiply/pack");  // the longest rule
  EXPECT_EQ(map.Renamed("solver"), "solver");
  EXPECT_EQ(map.Renamed("outer/solve"), "outer/solve");
}

TEST(Renamed, NamesWithSigns) {
  RenameMap map;
  ASSERT_TRUE(map.Add("a\\=b\\/c=d"));
  EXPECT_EQ(map.Renamed("a=b\\/c"), "d");
}

TEST(Renamed, WhatIsNoRule) {
  RenameMap map;
  EXPECT_EQ(map.Add("solve").error(), "has no =; give OLD=NEW");
  EXPECT_EQ(map.Add("=b").error(), "names no region on one side; give OLD=NEW");
  EXPECT_EQ(map.Add("a=b=c").error(), "has more than one =; write \\= for a = of a name");
  ASSERT_TRUE(map.Add("a=b"));
  EXPECT_EQ(map.Add("a=c").error(), "renames a region that another rule renames already");
  EXPECT_EQ(map.AddLines("# new names\n\nb=c\r\nd\n").error(), "line 4 has no =; give OLD=NEW");
  EXPECT_EQ(map.Renamed("b"), "c");
}

TEST(Renamed, RulesThatFitNothing) {
  RenameMap map;
  ASSERT_TRUE(map.AddLines("a=b\nc=d"));
  EXPECT_THAT(map.Unused({"a/x", "e"}), ElementsAre("c"));
}

}  // namespace
}  // namespace roofmark
