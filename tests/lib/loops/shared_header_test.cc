// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/shared_header.h"

#include <gtest/gtest.h>

#include <string>

#include "lib/loops/nests.h"
#include "tests/lib/loops/code.h"

namespace roofmark::loops {
namespace {

using test::Code;

SourceFrame In(const std::string& function, uint32_t line, const std::string& file = "s.c") {
  return {function, file, line};
}

// Two branches lead to 0x110: that at 0x11e, and that at 0x12e of what comes after it.
Code TwoBranches(uint64_t first = 40, uint64_t second = 4) {
  Code code;
  code.Function("sweep", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 1)
      .Block(0x110, 0x120, 1 + first + second)
      .Edge(0x11e, 0x110, first)
      .Edge(0x11e, 0x120, 1 + second)
      .Block(0x120, 0x130, 1 + second)
      .Edge(0x12e, 0x110, second)
      .Edge(0x12e, 0x130, 1)
      .Block(0x130, 0x140, 1);
  return code;
}

// `for (4) for (5) 6;`.
Code Nested(uint64_t first = 40, uint64_t second = 4) {
  Code code = TwoBranches(first, second);
  code.Line(0x110, {In("sweep", 6)}).Line(0x11c, {In("sweep", 5)}).Line(0x120, {In("sweep", 4)});
  return code;
}

size_t LoopsIn(const Code& code) { return FindLoops(code.Input()).loops.size(); }

TEST(SharedHeaderTest, AnInnerLoopAndTheOneAroundItAreTwo) {
  const Code code = Nested();
  const Nests found = FindNests(code.Input());
  ASSERT_EQ(found.nests.size(), 2u);
  const Nest &outer = found.nests[0], &inner = found.nests[1];
  EXPECT_EQ(inner.parent, 0u);
  EXPECT_EQ(inner.depth, 2u);
  EXPECT_EQ(outer.place.front(), In("sweep", 4));
  EXPECT_EQ(inner.place.front(), In("sweep", 5));
  EXPECT_EQ(outer.ranges, (std::vector<Range>{{0x110, 0x130}}));
  EXPECT_EQ(inner.ranges, (std::vector<Range>{{0x110, 0x120}}));
  EXPECT_EQ(outer.parts[0].iterations, 4u);
  EXPECT_EQ(inner.parts[0].iterations, 40u);
  EXPECT_EQ(TimesOf(outer.entries), 1u);
  EXPECT_EQ(TimesOf(outer.exits), 1u);
  EXPECT_EQ(TimesOf(inner.entries), 5u);
  EXPECT_EQ(TimesOf(inner.exits), 5u);
}

TEST(SharedHeaderTest, TheInnerLoopMayBeInlined) {
  Code code = TwoBranches();
  code.Line(0x110, {In("help", 72), In("sweep", 4)})
      .Line(0x11c, {In("help", 71), In("sweep", 4)})
      .Line(0x120, {In("sweep", 4)});
  EXPECT_EQ(LoopsIn(code), 2u);
  code.Line(0x114, {In("sweep", 4)});
  EXPECT_EQ(LoopsIn(code), 1u) << "the other loop goes on there";
  code.PreparingLine(0x114, {In("sweep", 4)});
  EXPECT_EQ(LoopsIn(code), 2u) << "that was moved there";
}

// `for (4) { 5; if (6) continue; 7; }`, the counter is increased at the begin.
TEST(SharedHeaderTest, ContinueMakesNoLoop) {
  Code code = TwoBranches();
  code.Line(0x110, {In("sweep", 5)}).Line(0x11c, {In("sweep", 6)}).Line(0x120, {In("sweep", 7)});
  code.Line(0x12c, {In("sweep", 4)});
  EXPECT_EQ(LoopsIn(code), 1u);
  code.Line(0x110, {In("sweep", 4)}).Line(0x112, {In("sweep", 6)});
  EXPECT_EQ(LoopsIn(code), 1u);
  Code same = TwoBranches();
  same.Line(0x110, {In("sweep", 5)}).Line(0x11c, {In("sweep", 4)});
  EXPECT_EQ(LoopsIn(same), 1u);
}

TEST(SharedHeaderTest, AnInnerLoopGoesOnMoreOften) {
  EXPECT_EQ(LoopsIn(Nested(5, 4)), 2u);
  EXPECT_EQ(LoopsIn(Nested(4, 4)), 1u);
}

TEST(SharedHeaderTest, AnInnerLoopEndsInTheOuterOne) {
  Code code = Nested();
  code.Edge(0x11e, 0x140, 1).Block(0x140, 0x150, 1);
  EXPECT_EQ(LoopsIn(code), 1u);
}

TEST(SharedHeaderTest, WithoutLinesAndInFortranItIsNotCertain) {
  EXPECT_EQ(LoopsIn(TwoBranches()), 1u);
  Code code = TwoBranches();
  code.Line(0x110, {In("sweep", 6, "s.f90")})
      .Line(0x11c, {In("sweep", 5, "s.f90")})
      .Line(0x120, {In("sweep", 4, "s.f90")});
  EXPECT_EQ(LoopsIn(code), 1u);
}

// Neither is inside the other.
TEST(SharedHeaderTest, TwoWaysThroughALoopAreOneLoop) {
  Code code;
  code.Function("sweep", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 1)
      .Block(0x110, 0x120, 45)
      .Edge(0x11e, 0x130, 5)
      .Block(0x120, 0x130, 40)
      .Edge(0x12e, 0x110, 40, test::Kind::kJump)
      .Block(0x130, 0x140, 5)
      .Edge(0x13e, 0x110, 4)
      .Block(0x140, 0x150, 1);
  code.Line(0x110, {In("sweep", 6)}).Line(0x120, {In("sweep", 5)}).Line(0x130, {In("sweep", 4)});
  EXPECT_EQ(LoopsIn(code), 1u);
}

}  // namespace
}  // namespace roofmark::loops
