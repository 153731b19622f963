// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/stem.h"

#include <gtest/gtest.h>

namespace roofmark::loops {
namespace {

const SourceFrame kMain{"main", "m.c", 30}, kSweep{"sweep", "s.c", 20}, kHelp{"help", "h.c", 10};

SourceFrame At(SourceFrame frame, uint32_t line) {
  frame.line = line;
  return frame;
}

TEST(StemTest, IsTheFunctionWithTheCallsThatInlinedIt) {
  const Stem stem = StemOf({kHelp, kSweep, kMain});
  EXPECT_EQ(stem, (Stem{{kMain, kSweep}, "help"}));
  EXPECT_EQ(StemOf({kMain}), (Stem{{}, "main"}));
}

TEST(StemTest, LinesOfOneFunctionAreTheSameStem) {
  EXPECT_EQ(Common(StemOf({kMain}), StemOf({At(kMain, 31)})), (Stem{{}, "main"}));
}

TEST(StemTest, CodeInlinedIntoAFunctionIsOfIt) {
  const Stem main{{}, "main"};
  EXPECT_EQ(Common(StemOf({kSweep, kMain}), StemOf({kMain})), main);
  EXPECT_EQ(Common(StemOf({kMain}), StemOf({kHelp, kSweep, kMain})), main);
}

TEST(StemTest, TwoCallsOfOneFunctionAreNotTheSame) {
  EXPECT_EQ(Common(StemOf({kSweep, kMain}), StemOf({kSweep, At(kMain, 31)})), (Stem{{}, "main"}));
  EXPECT_EQ(Common(StemOf({kHelp, kSweep, kMain}), StemOf({kHelp, At(kSweep, 21), kMain})),
            (Stem{{kMain}, "sweep"}));
}

TEST(StemTest, OtherFunctionsHaveNothingInCommon) {
  EXPECT_EQ(Common(StemOf({kMain}), StemOf({kSweep})), std::nullopt);
  EXPECT_EQ(Common(StemOf({kHelp, kMain}), StemOf({kHelp, kSweep})), std::nullopt);
}

TEST(StemTest, FindsTheFrameOfTheFunction) {
  const SourceChain chain{kHelp, kSweep, kMain};
  EXPECT_EQ(*FrameIn(chain, {{}, "main"}), kMain);
  EXPECT_EQ(*FrameIn(chain, {{kMain}, "sweep"}), kSweep);
  EXPECT_EQ(FrameIn(chain, {{At(kMain, 31)}, "sweep"}), nullptr);
  EXPECT_EQ(FrameIn({kMain}, {{kMain}, "sweep"}), nullptr);
  EXPECT_EQ(FrameIn({}, {{}, "main"}), nullptr);
}

}  // namespace
}  // namespace roofmark::loops
