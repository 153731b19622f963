// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/page_facts.h"

#include <gtest/gtest.h>

#include "lib/profile/profile.h"

namespace roofmark::runtime {
namespace {

volatile char g_static[64 << 20];  // no page of it is touched but one

TEST(PageFacts, TheChosenWordIsInBrackets) {
  EXPECT_EQ(BracketedWord("always [madvise] never\n"), "madvise");
  EXPECT_EQ(BracketedWord("[always] madvise never"), "always");
  EXPECT_EQ(BracketedWord("always madvise never"), "");
  EXPECT_EQ(BracketedWord("] ["), "");
}

TEST(PageFacts, StaticArraysAreCounted) {
  g_static[0] = 1;
  std::map<std::string, std::string> facts;
  AddPageFacts(facts);
  EXPECT_GE(std::stoull(facts[kStaticBytesFact]), sizeof g_static);
}

}  // namespace
}  // namespace roofmark::runtime
