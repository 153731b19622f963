// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/nearest.h"

#include <gtest/gtest.h>

#include <string>

namespace roofmark {
namespace {

constexpr std::string_view kKnown[] = {"output", "report", "run", "top", "portability"};

TEST(NearestWord, OneLetterOfFourMayDifferAndTwoAtMost) {
  EXPECT_EQ(NearestWord("repport", kKnown), "report");
  EXPECT_EQ(NearestWord("outptu", kKnown), "output") << "swapped";
  EXPECT_EQ(NearestWord("utput", kKnown), "output");
  EXPECT_EQ(NearestWord("rum", kKnown), "run");
  EXPECT_EQ(NearestWord("portabiltiy", kKnown), "portability");
  EXPECT_EQ(NearestWord("foo", kKnown), "") << "two of three letters of top";
  EXPECT_EQ(NearestWord("frobnicate", kKnown), "");
  EXPECT_EQ(NearestWord("", kKnown), "");
  EXPECT_EQ(NearestWord(std::string(1 << 20, 'a'), kKnown), "");
  EXPECT_EQ(NearestWord("run", {}), "");
}

}  // namespace
}  // namespace roofmark
