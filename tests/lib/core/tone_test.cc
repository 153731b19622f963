// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/tone.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

TEST(Tone, WithoutColorsATextIsAsItWas) {
  EXPECT_EQ(Toned(false, Tone::kCaution, "CAUTION"), "CAUTION");
  EXPECT_EQ(Toned(true, Tone::kNone, "plain"), "plain");
  EXPECT_EQ(Toned(true, Tone::kStrong, ""), "");
}

TEST(Tone, MarksBecomeSequences) {
  const std::string text = "a " + Toned(true, Tone::kMemory, "DRAM") + " b";
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_EQ(WithToneSequences(text), "a \033[34mDRAM\033[0m b");
}

TEST(Tone, OtherCharactersStay) {
  // Their first two bytes are those of a mark; one text ends within.
  for (const char* text :
       {"", "\xEF\xB7\x8F", "\xEF\xB7\xBA!", "\xEF\xB7", "x\xEF", "\xE2\x96\x88"})
    EXPECT_EQ(WithToneSequences(text), text);
}

}  // namespace
}  // namespace roofmark
