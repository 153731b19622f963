// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "lib/report/deed_words.h"

namespace roofmark {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Words, EveryReasonIsAnotherSentence) {
  std::set<std::string> texts;
  const auto last = static_cast<size_t>(Reason::kNoKnownResource);
  for (size_t i = 0; i <= last; ++i) {
    const std::string text = ReasonText(Why(static_cast<Reason>(i), "x", "y"));
    EXPECT_EQ(text.empty(), i == 0);
    EXPECT_THAT(text, Not(HasSubstr("{")));
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), last + 1);
  EXPECT_EQ(ReasonText(Why(Reason::kHasStatus, "dram_bytes", "denied")), "dram_bytes is denied");
  EXPECT_EQ(ReasonText(Why(Reason::kRecorded, "not {permitted}")), "not {permitted}");
}

TEST(Words, EveryCeilingHasItsOwnName) {
  std::set<std::string> names;
  const auto last = static_cast<size_t>(CeilingId::kShortfall);
  for (size_t i = 0; i <= last; ++i) {
    Ceiling ceiling = {.id = static_cast<CeilingId>(i), .one_in = 4};
    ceiling.parts = {{Precision::kDouble, true}, {Precision::kSingle, false}};
    names.insert(CeilingName(ceiling));
  }
  EXPECT_EQ(names.size(), last + 1);
  EXPECT_EQ(names.count(""), 0u);
  EXPECT_EQ(names.count("DRAM from 1/4 of the cores"), 1u);
  EXPECT_EQ(names.count("dp peak + sp without FMA"), 1u);
  EXPECT_EQ(names.count("its own ceiling of too few FMAs"), 1u);
}

TEST(Words, ProofsHaveTheirNumber) {
  EXPECT_EQ(ProofText({}), "");
  EXPECT_EQ(ProofText({ProofId::kLanes, 4}), "4.0 lanes used");
  EXPECT_EQ(ProofText({ProofId::kFused, 0.5}), "50 % of the FLOPs fused");
  EXPECT_EQ(ProofText({ProofId::kBusiest, 1.25}), "the busiest worker does 1.25x the mean");
}

TEST(Words, NotesOnTheMixOfFlopsDiffer) {
  EXPECT_EQ(NoteText(MixNote::kNone), "");
  EXPECT_THAT(NoteText(MixNote::kNoRoofWithoutFma), HasSubstr("no ceiling without FMA"));
  EXPECT_THAT(NoteText(MixNote::kPrecisionsMixed), HasSubstr("counts all precisions together"));
}

// Each shortfall's phrase has room for its number, and none is left open.
TEST(Words, EveryShortfallHasASentence) {
  RuntimeModel region;
  region.streams = {Value::Of(1.5, Status::kModelled, ""), 20.25, 30, 4};
  for (size_t s = 0; s < kShortfalls; ++s) {
    Ceiling ceiling = {.id = CeilingId::kShortfall};
    ceiling.shortfall = static_cast<Shortfall>(s);
    ceiling.gain = ceiling.height = {Value::Of(1.5, Status::kMeasured, ""), 2};
    ceiling.extent = Value::Of(0.25, Status::kMeasured, "");
    const std::string text = AdviceSentence(ceiling, region);
    EXPECT_THAT(text, ::testing::StartsWith(std::string(InfoOf(ceiling.shortfall).deed) + " ("));
    EXPECT_THAT(text, HasSubstr("this region's work 1.50x to 2.0x faster"));
    EXPECT_THAT(text, ::testing::ContainsRegex("(25 %|75 %|0\\.2)")) << text;
    EXPECT_THAT(text, Not(HasSubstr("{")));
  }
}

}  // namespace
}  // namespace roofmark
