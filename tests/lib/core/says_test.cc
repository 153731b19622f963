// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/says.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/message.h"

namespace roofmark::test {
namespace {

using testing::_;
using testing::ElementsAre;
using testing::Not;
using testing::Optional;

constexpr Message kPlain{"the disk is full"};
constexpr Message kValues{"{} of {:.1f} ranks in {}"};

TEST(Says, ALineHasTheSentence) {
  EXPECT_THAT("roofmark: the disk is full\n", Says(kPlain));
  EXPECT_THAT("first\nroofmark: the disk is full\nlast\n", Says(kPlain));
  EXPECT_THAT("roofmark: the disk is\nfull\n", Not(Says(kPlain)));
  EXPECT_THAT("", Not(Says(kPlain)));
}

TEST(Says, ValuesAreTheOnesThatAreMeant) {
  const std::string said = LineOf(kValues, 2, 3.0, "run.json");
  EXPECT_EQ(said, "roofmark: 2 of 3.0 ranks in run.json\n");
  EXPECT_THAT(said, Says(kValues, 2, 3.0, "run.json"));
  EXPECT_THAT(said, Not(Says(kValues, 1, 3.0, "run.json")));
  EXPECT_THAT(said, Not(Says(kValues, 2, 3.0, "other.json")));
}

TEST(Says, WildcardsStandForAnyValueOfTheLine) {
  const std::string said = "other\n" + LineOf(kValues, 2, 3.0, "run.json");
  EXPECT_THAT(said, Says(kValues, _, _, _));
  EXPECT_THAT(said, Says(kValues, _, 3.0, _));
  EXPECT_THAT(said, Not(Says(kValues, _, 4.0, _)));
  EXPECT_THAT("2 of 3.0\nranks in run.json\n", Not(Says(kValues, _, _, _)));
}

TEST(Says, WildcardsCanBeRead) {
  const std::string sentence = InWords(kValues, 2, _, _);
  EXPECT_THAT(ValuesIn("2 of 3.0 ranks in run.json", sentence),
              Optional(ElementsAre("3.0", "run.json")));
  EXPECT_EQ(ValuesIn("1 of 3.0 ranks in run.json", sentence), std::nullopt);
}

}  // namespace
}  // namespace roofmark::test
