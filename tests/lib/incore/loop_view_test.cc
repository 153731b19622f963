// SPDX-License-Identifier: BSD-3-Clause
#include "lib/incore/loop_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/incore/made_up_loops.h"

namespace roofmark::incore {
namespace {

using test::MadeUpLoops;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class View : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!assembly::CanRead()) GTEST_SKIP() << assembly::WhyNot();
  }
};

TEST_F(View, WhatALoopDoes) {
  const LoopsView views = ViewLoops(MadeUpLoops());
  ASSERT_THAT(views.loops, SizeIs(3));
  const LoopView& triad = views.loops[0];
  EXPECT_DOUBLE_EQ(triad.share, 0.6);
  EXPECT_DOUBLE_EQ(*triad.Trips(), 5);
  EXPECT_DOUBLE_EQ(*triad.flops, 8);
  EXPECT_DOUBLE_EQ(*triad.spent_ns, 12000);
  EXPECT_EQ(triad.lanes.with_256, 5000u);
  EXPECT_EQ(triad.lanes.All(), 5000u);
  ASSERT_THAT(triad.blocks, SizeIs(1));
  ASSERT_THAT(triad.blocks[0].instructions, SizeIs(5));
  EXPECT_EQ(triad.blocks[0].instructions[1].line, 13u);
  EXPECT_EQ(triad.blocks[0].instructions[2].line, 12u);
  EXPECT_THAT(triad.body, ElementsAre(0));
}

TEST_F(View, CodeInNoLoopHasNoIterations) {
  const LoopView code = ViewLoops(MadeUpLoops()).loops[1];
  EXPECT_FALSE(code.Trips());
  EXPECT_FALSE(code.flops);
  EXPECT_FALSE(code.spent_ns);
  EXPECT_EQ(code.why_no_body, "it is in no loop");
  EXPECT_EQ(code.lanes.scalar, 1000u);
}

TEST_F(View, ARegionHasWhatIsInsideItOnly) {
  const LoopsView solve = ViewLoops(MadeUpLoops(), {"solve"});
  ASSERT_THAT(solve.loops, SizeIs(3));
  const LoopView& pick = solve.loops[2];
  EXPECT_TRUE(pick.in_others);
  EXPECT_DOUBLE_EQ(pick.share, 0.1);
  EXPECT_DOUBLE_EQ(pick.share_everywhere, 0.15);
  EXPECT_THAT(ViewLoops(MadeUpLoops(), {"sol"}).loops, IsEmpty()) << "no part of a name";
  EXPECT_THAT(ViewLoops(MadeUpLoops(), {"solve/triad"}).loops, SizeIs(1));
  EXPECT_THAT(ViewLoops(MadeUpLoops(), {"", 2}).loops, SizeIs(2));
}

TEST_F(View, RemaindersAreNamedWhereTheyTakeMoreThanATenth) {
  HotLoops hot = MadeUpLoops();
  const auto found = [&hot] {
    for (const LoopView& view : ViewLoops(hot).loops) {
      for (const Finding& finding : view.findings) {
        if (finding.kind == FindingKind::kScalarRemainder) return finding;
      }
    }
    return Finding();
  };
  const Finding remainder = found();
  EXPECT_EQ(remainder.kind, FindingKind::kScalarRemainder);
  EXPECT_EQ(remainder.line, 13u);
  EXPECT_EQ(remainder.lanes, 4u);
  EXPECT_DOUBLE_EQ(remainder.of_line, 0.25);
  hot.loops[1].blocks[0].cpu_ns = 6'000'000;  // of 66
  EXPECT_EQ(found().lanes, 0u);
  hot.loops[1].blocks[0].cpu_ns = 20'000'000;
  hot.loops[1].blocks[0].lines[0].line = 14;
  EXPECT_EQ(found().lanes, 0u) << "another line";
}

TEST_F(View, PackedCodeAroundALoopHasNoRemainder) {
  HotLoops hot = MadeUpLoops();
  hot.loops[0].holds_loops = true;
  for (const LoopView& view : ViewLoops(hot).loops) {
    for (const Finding& finding : view.findings) {
      EXPECT_NE(finding.kind, FindingKind::kScalarRemainder) << finding.line;
    }
  }
}

TEST_F(View, GathersAreNamed) {
  const LoopView pick = ViewLoops(MadeUpLoops()).loops[2];
  ASSERT_THAT(pick.findings, SizeIs(1));
  EXPECT_EQ(pick.findings[0].kind, FindingKind::kGather);
  EXPECT_EQ(pick.findings[0].line, 6u);
  EXPECT_EQ(pick.findings[0].lanes, 4u);
  EXPECT_EQ(pick.findings[0].times, 5000u);
  EXPECT_DOUBLE_EQ(pick.findings[0].share, 0.15);
}

TEST_F(View, WithoutSamplesSharesAreThoseOfInstructions) {
  HotLoops hot = MadeUpLoops();
  hot.timed = false;
  const LoopsView views = ViewLoops(hot);
  EXPECT_DOUBLE_EQ(views.loops[0].share, 0.5);
  EXPECT_DOUBLE_EQ(views.loops[0].blocks[0].share, 0.5);
  EXPECT_FALSE(views.loops[0].spent_ns);
}

// The header need not be the first block; what few iterations execute is no part of the body.
TEST_F(View, TheBodyIsWhatMostIterationsExecute) {
  HotLoops hot = MadeUpLoops();
  HotLoop& loop = hot.loops[0];
  HotBlock before = loop.blocks[0], rare = loop.blocks[0];
  before.begin = 0x50;
  rare.begin = 0x150;
  rare.times = 100;
  loop.blocks = {before, loop.blocks[0], rare};
  EXPECT_THAT(ViewLoops(hot).loops[0].body, ElementsAre(1, 0));
  loop.holds_loops = true;
  EXPECT_EQ(ViewLoops(hot).loops[0].why_no_body, "other loops are inside it");
  loop.holds_loops = false;
  loop.cut = true;
  EXPECT_EQ(ViewLoops(hot).loops[0].why_no_body, "the file has only a part of its code");
  loop.cut = false;
  loop.header = 0x999;
  EXPECT_NE(ViewLoops(hot).loops[0].why_no_body, "");
}

}  // namespace
}  // namespace roofmark::incore
