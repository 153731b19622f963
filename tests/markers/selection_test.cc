// SPDX-License-Identifier: BSD-3-Clause
#include "markers/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark::markers {
namespace {

using testing::ElementsAre;

class SelectionTest : public testing::Test {
 protected:
  uint32_t Place(uint32_t around, const char* name) {
    return selection_.places().Resolve({around, names_.Intern(name), RegionKind::kTeam, "", 0, 1},
                                       std::string_view(name).size());
  }

  Names names_;
  Selection selection_{names_};
};

TEST_F(SelectionTest, NamesDecideWhereTheyCan) {
  selection_.Start(*RegionChoice::Parse("-halo"));
  EXPECT_FALSE(selection_.NeedsPlaces());
  EXPECT_TRUE(selection_.LeavesOut(names_.Intern("halo")));
  EXPECT_FALSE(selection_.LeavesOut(names_.Intern("solve")));
  EXPECT_TRUE(selection_.LeavesOut(names_.Intern("halo")));
  EXPECT_EQ(selection_.WhatIsLeftOut(8).count, 1u);
}

TEST_F(SelectionTest, PlacesDecideByAllRegionsAround) {
  selection_.Start(*RegionChoice::Parse("/solve/mul"));
  EXPECT_TRUE(selection_.NeedsPlaces());
  const uint32_t solve = Place(0, "solve"), mul = Place(solve, "mul");
  EXPECT_FALSE(selection_.Chooses(solve));
  EXPECT_TRUE(selection_.Chooses(mul));
  EXPECT_FALSE(selection_.Chooses(Place(mul, "a/b")));
  EXPECT_FALSE(selection_.Chooses(Place(0, "mul")));
}

TEST_F(SelectionTest, WhatIsLeftOutIsListedAsReportsPrintIt) {
  selection_.Start(*RegionChoice::Parse("x/*"));
  const uint32_t outer = Place(0, "a/b");
  selection_.Chooses(outer);
  selection_.Chooses(Place(outer, "c"));
  selection_.Chooses(Place(0, "x"));
  EXPECT_THAT(selection_.WhatIsLeftOut(2).some, ElementsAre("a\\/b", "a\\/b/c"));
  EXPECT_EQ(selection_.WhatIsLeftOut(2).count, 3u);
}

}  // namespace
}  // namespace roofmark::markers
