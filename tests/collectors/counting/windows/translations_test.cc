// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/windows/translations.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace roofmark {
namespace {

// How often each answer came in rounds through so many pages, `stride` of them apart.
std::map<roof_flow_page, int> Rounds(uint64_t pages, uint64_t stride, int rounds,
                                     roof_translations* translations) {
  std::map<roof_flow_page, int> answers;
  for (int round = 0; round < rounds; ++round)
    for (uint64_t i = 0; i < pages; ++i)
      ++answers[roof_translations_touch(translations, 0x7f1234567 + i * stride)];
  return answers;
}

std::map<roof_flow_page, int> SteadyRounds(uint64_t pages, uint64_t stride = 1) {
  const auto translations = std::make_unique<roof_translations>();
  Rounds(pages, stride, 2, translations.get());
  return Rounds(pages, stride, 1, translations.get());
}

using Answers = std::map<roof_flow_page, int>;

TEST(Translations, OfFewPagesAreInTheFirst) {
  EXPECT_EQ(SteadyRounds(1), (Answers{{ROOF_FLOW_PAGE_FIRST, 1}}));
  EXPECT_EQ(SteadyRounds(128), (Answers{{ROOF_FLOW_PAGE_FIRST, 128}}));
}

TEST(Translations, OfMorePagesAreInTheSecond) {
  EXPECT_EQ(SteadyRounds(512), (Answers{{ROOF_FLOW_PAGE_SECOND, 512}}));
  EXPECT_EQ(SteadyRounds(4096), (Answers{{ROOF_FLOW_PAGE_SECOND, 4096}}));
}

TEST(Translations, OfMostPagesAreMissing) {
  EXPECT_EQ(SteadyRounds(8192), (Answers{{ROOF_FLOW_PAGE_WALK, 8192}}));
  EXPECT_EQ(SteadyRounds(100'000), (Answers{{ROOF_FLOW_PAGE_WALK, 100'000}}));
}

// Rows of a matrix lie so many pages apart.
TEST(Translations, OfDistancesOfPowersOfTwoFillAllSets) {
  for (const uint64_t stride : {64, 256, 1024, 4096}) {
    EXPECT_EQ(SteadyRounds(100, stride), (Answers{{ROOF_FLOW_PAGE_FIRST, 100}})) << stride;
    EXPECT_EQ(SteadyRounds(2048, stride)[ROOF_FLOW_PAGE_WALK], 0) << stride;
  }
}

// Whether a core knew it before is not known.
TEST(Translations, AreNotMissingTheFirstTime) {
  const auto translations = std::make_unique<roof_translations>();
  EXPECT_EQ(Rounds(4096, 1, 1, translations.get())[ROOF_FLOW_PAGE_FIRST], 4096);
}

// One that is touched now and then stays, and so does what was in the first all the time.
TEST(Translations, StayWhileTheyAreTouched) {
  const auto translations = std::make_unique<roof_translations>();
  const uint64_t often = 0x10, seldom = 0x20;
  for (uint64_t i = 0; i < 100'000; ++i) {
    EXPECT_EQ(roof_translations_touch(translations.get(), often), ROOF_FLOW_PAGE_FIRST);
    if (i % 1000 == 0 && i > 0) {
      EXPECT_EQ(roof_translations_touch(translations.get(), seldom),
                i == 1000 ? ROOF_FLOW_PAGE_FIRST : ROOF_FLOW_PAGE_SECOND);
    }
    roof_translations_touch(translations.get(), 0x1000 + i % 50'000);
  }
}

}  // namespace
}  // namespace roofmark
