// SPDX-License-Identifier: BSD-3-Clause
#include "markers/mismatches.h"

#include <gtest/gtest.h>

namespace roofmark::markers {
namespace {

TEST(MismatchesTest, ThoseOfOnePairOfPlacesAreOne) {
  Mismatches mismatches;
  for (int i = 0; i < 3; ++i) mismatches.Add({"a", "file:1", "b", "file:2"});
  mismatches.Add({"a", "file:3", "b", "file:2"});
  ASSERT_EQ(mismatches.All().size(), 2u);
  EXPECT_EQ(mismatches.All()[0].times, 3u);
  EXPECT_EQ(mismatches.All()[1].times, 1u);
}

TEST(MismatchesTest, FurtherOnesAreLeftOut) {
  Mismatches mismatches;
  for (size_t i = 0; i < Mismatches::kMost + 5; ++i)
    mismatches.Add({"a", std::to_string(i), "", ""});
  EXPECT_EQ(mismatches.All().size(), Mismatches::kMost);
}

TEST(MismatchesTest, APlaceIsAFileAndALineOrRunTime) {
  EXPECT_EQ(Where("sweep.c", 7), "sweep.c:7");
  EXPECT_EQ(Where(nullptr, 7), "at run time");
}

}  // namespace
}  // namespace roofmark::markers
