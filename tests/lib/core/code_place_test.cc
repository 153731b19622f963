// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/code_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark {
namespace {

using ::testing::ElementsAre;

TEST(CodePlaces, ComeBackAsTheyWere) {
  const std::vector<CodePlace> places = {
      {"/usr/bin/app", 0x1040}, {"/a b/x,y@2.so", 0}, {"/c", UINT64_MAX}};
  EXPECT_EQ(TextOf(places), "0x1040@/usr/bin/app,0x0@/a b/x,y@2.so,0xffffffffffffffff@/c");
  EXPECT_EQ(ParseCodePlaces(TextOf(places)), places);
}

TEST(CodePlaces, OtherTextsAreNone) {
  for (const char* text : {"", "x", "12@/app", "0x@/app", "0x12", "0x12@", "0x12/app",
                           "0x11112222333344445@/app", ",0x12@/app"}) {
    EXPECT_EQ(ParseCodePlaces(text), std::nullopt) << text;
  }
}

TEST(CodePlaces, ANameMayHaveCommas) {
  EXPECT_THAT(*ParseCodePlaces("0x1@/a,b,0x2@/c"),
              ElementsAre(CodePlace{"/a,b", 1}, CodePlace{"/c", 2}));
}

}  // namespace
}  // namespace roofmark
