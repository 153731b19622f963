// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/places.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/lib/loops/code.h"

namespace roofmark::loops {
namespace {

using test::Code;

SourceFrame In(const std::string& function, uint32_t line, const std::string& file = "s.c") {
  return {function, file, line};
}

// One loop, [0x110, 0x130), of two blocks; the branch back is at 0x12e.
Code OneLoop(binary::Part part = binary::Part::kWhole) {
  Code code;
  code.Function("sweep", 0x100, 0x200, part);
  code.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 1)
      .Block(0x110, 0x120, 5)
      .Edge(0x11e, 0x120, 5)
      .Block(0x120, 0x130, 5)
      .Edge(0x12e, 0x110, 4)
      .Edge(0x12e, 0x130, 1)
      .Block(0x130, 0x140, 1);
  return code;
}

// "function:line" of each frame, innermost first.
std::string PlaceOf(const Code& code) {
  const Input input = code.Input();
  const auto places = FindPlaces(input, FindLoops(input));
  EXPECT_EQ(places.size(), 1u);
  std::string text;
  for (const SourceFrame& frame : places[0]) {
    text += frame.function + ":" + std::to_string(frame.line) + " ";
  }
  return text;
}

TEST(PlacesTest, TheLineIsThatOfTheBranchBack) {
  Code code = OneLoop();
  code.Line(0x100, {In("sweep", 10)}).Line(0x110, {In("sweep", 12)}).Line(0x12c, {In("sweep", 11)});
  EXPECT_EQ(PlaceOf(code), "sweep:11 ");
}

// Values that the compiler computes late have earlier lines.
TEST(PlacesTest, CodeFromBeforeTheLoopDoesNotCount) {
  Code code = OneLoop();
  code.Line(0x110, {In("sweep", 3)}).Line(0x12c, {In("sweep", 11)});
  EXPECT_EQ(PlaceOf(code), "sweep:11 ");
}

TEST(PlacesTest, ABodyThatWasInlinedIsNotTheLoop) {
  Code code = OneLoop();
  code.Line(0x110, {In("help", 70), In("sweep", 12)}).Line(0x12c, {In("sweep", 11)});
  EXPECT_EQ(PlaceOf(code), "sweep:11 ");
}

TEST(PlacesTest, ALoopThatWasInlinedHasTheCallsThatDidIt) {
  Code code = OneLoop();
  code.Line(0x110, {In("help", 72), In("sweep", 12)})
      .Line(0x120, {In("least", 5), In("help", 73), In("sweep", 12)})
      .Line(0x12c, {In("help", 71), In("sweep", 12)});
  EXPECT_EQ(PlaceOf(code), "help:71 sweep:12 ");
}

// As GCC compiles a loop that was inlined behind others: constants of those, checks of the caller.
TEST(PlacesTest, CodeThatWasMovedIntoAnInlinedLoopDoesNotCount) {
  Code code = OneLoop();
  code.PreparingLine(0x110, {In("sweep", 9)})
      .Line(0x114, {In("help", 72), In("sweep", 12)})
      .Line(0x120, {In("sweep", 0)})
      .PreparingLine(0x122, {In("scan", 40), In("sweep", 10)})
      .Line(0x124, {In("help", 73), In("sweep", 12)})
      .Line(0x12c, {In("help", 71), In("sweep", 12)});
  EXPECT_EQ(PlaceOf(code), "help:71 sweep:12 ");
}

// A condition that was inlined: `while (next(&value)) sum += value;`.
TEST(PlacesTest, WhatComputesInTheCallerIsItsLoop) {
  Code code = OneLoop();
  code.Line(0x110, {In("next", 70), In("sweep", 12)})
      .Line(0x120, {In("sweep", 12)})
      .Line(0x124, {In("next", 71), In("sweep", 12)});
  EXPECT_EQ(PlaceOf(code), "sweep:12 ");
}

// The body was inlined, and its last branch begins the next iteration.
TEST(PlacesTest, ALoopThatIsLeftInTheCallerIsTheCallers) {
  Code code = OneLoop();
  code.Edge(0x11e, 0x140, 1).Block(0x140, 0x150, 1);
  code.Line(0x110, {In("help", 70), In("sweep", 12)})
      .PreparingLine(0x11c, {In("sweep", 11)})
      .Line(0x120, {In("help", 73), In("sweep", 12)});
  EXPECT_EQ(PlaceOf(code), "sweep:12 ");
}

// `while (!converged(x)) sweep(x);`, both inlined.
TEST(PlacesTest, LoopsInsideAreNeverMovedIntoALoop) {
  Code code;
  code.Function("solve", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 1)
      .Block(0x110, 0x120, 50)
      .Edge(0x11e, 0x110, 45)
      .Block(0x120, 0x130, 5)
      .Edge(0x12e, 0x108, 4)
      .Block(0x108, 0x110, 4)
      .Block(0x130, 0x140, 1);
  code.Line(0x100, {In("converged", 3), In("solve", 12)})
      .Line(0x110, {In("sweep", 5), In("solve", 13)})
      .Line(0x120, {In("converged", 4), In("solve", 12)});
  const Input input = code.Input();
  const auto places = FindPlaces(input, FindLoops(input));
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].front(), In("solve", 12));
  EXPECT_EQ(places[1].front(), In("sweep", 5));
}

// Two functions are inlined into the loop, and the branch is of one of them.
TEST(PlacesTest, ABranchThatWasInlinedHasTheLineOfItsCall) {
  Code code = OneLoop();
  code.Line(0x110, {In("help", 70), In("sweep", 12)}).Line(0x120, {In("less", 5), In("sweep", 11)});
  EXPECT_EQ(PlaceOf(code), "sweep:11 ");
}

TEST(PlacesTest, ABranchWithoutALineLeavesTheHeader) {
  Code code = OneLoop();
  code.Line(0x110, {In("sweep", 12)}).Line(0x11c, {}).Line(0x120, {In("sweep", 0)});
  EXPECT_EQ(PlaceOf(code), "sweep:12 ");
}

TEST(PlacesTest, WithoutLinesNothingIsKnown) {
  EXPECT_EQ(PlaceOf(OneLoop()), "");
  Code code = OneLoop();
  code.Line(0x110, {In("sweep", 0)});
  EXPECT_EQ(PlaceOf(code), "sweep:0 ");
}

TEST(PlacesTest, CodeOfTwoFunctionsHasNoPlace) {
  Code code = OneLoop();
  code.Line(0x110, {In("sweep", 12)}).Line(0x120, {In("other", 11)});
  EXPECT_EQ(PlaceOf(code), "");
}

// As GCC compiles `#pragma omp for`: the branch has the line of the body.
TEST(PlacesTest, ALoopThatOpenMpDividesHasTheLineOfItsMark) {
  Code code = OneLoop(binary::Part::kOutlined);
  code.Line(0x100, {In("sweep", 10)}).Line(0x110, {In("sweep", 13)});
  code.Mark(0x100, "s.c", 10).Mark(0x104, "s.c", 12).Mark(0x104, "s.c", 10);
  EXPECT_EQ(PlaceOf(code), "sweep:12 ");
}

TEST(PlacesTest, AnOrdinaryLoopInAConstructKeepsItsLine) {
  Code code = OneLoop(binary::Part::kOutlined);
  code.Line(0x100, {In("sweep", 10)}).Line(0x110, {In("sweep", 13)});
  code.Mark(0x100, "s.c", 10).Mark(0x104, "s.c", 12).Mark(0x108, "s.c", 13);
  EXPECT_EQ(PlaceOf(code), "sweep:13 ");
  Code longer = OneLoop(binary::Part::kOutlined);
  longer.Line(0x110, {In("sweep", 14)}).Line(0x12c, {In("sweep", 13)});
  longer.Mark(0x100, "s.c", 10).Mark(0x104, "s.c", 12);
  EXPECT_EQ(PlaceOf(longer), "sweep:13 ");
}

// A body of several lines, in which the branch has one in the middle, or the first: GCC kept no
// line of the loop itself, and that of the construct is next to it.
TEST(PlacesTest, ALoopThatOpenMpDividesWithoutALineHasThatOfTheConstruct) {
  Code middle = OneLoop(binary::Part::kOutlined);
  middle.Line(0x110, {In("sweep", 13)}).Line(0x118, {In("sweep", 20)});
  middle.Line(0x120, {In("sweep", 16)}).Mark(0x100, "s.c", 10);
  EXPECT_EQ(PlaceOf(middle), "sweep:10 ");
  Code first = OneLoop(binary::Part::kOutlined);
  first.Line(0x110, {In("sweep", 20)}).Line(0x120, {In("sweep", 13)}).Mark(0x100, "s.c", 10);
  EXPECT_EQ(PlaceOf(first), "sweep:10 ");
  Code next = OneLoop(binary::Part::kOutlined);
  next.Line(0x110, {In("sweep", 20)}).Line(0x120, {In("sweep", 11)}).Mark(0x100, "s.c", 10);
  EXPECT_EQ(PlaceOf(next), "sweep:11 ") << "nothing fits between";
}

// The mark of the body's brace is where the code of the loop begins.
TEST(PlacesTest, ALoopThatOpenMpDividesIsBesideTheBraceOfItsBody) {
  const auto loop = [](uint32_t brace) {
    Code code = OneLoop(binary::Part::kOutlined);
    code.Line(0x110, {In("sweep", 20)}).Line(0x118, {In("sweep", 14)});
    code.Line(0x120, {In("sweep", 16)}).Mark(0x100, "s.c", 10).Mark(0x110, "s.c", brace);
    return code;
  };
  EXPECT_EQ(PlaceOf(loop(11)), "sweep:11 ") << "in its line";
  EXPECT_EQ(PlaceOf(loop(12)), "sweep:11 ") << "in the next";
  Code divided = loop(12);
  divided.Mark(0x104, "s.c", 11);
  EXPECT_EQ(PlaceOf(divided), "sweep:11 ") << "the loop, or a directive of its own";
  Code second = loop(13);
  second.Mark(0x104, "s.c", 11);
  EXPECT_EQ(PlaceOf(second), "sweep:12 ") << "behind another loop of the construct";
}

// As gfortran compiles `do`: the line of `do` is that of the counter, or of what follows the loop.
TEST(PlacesTest, FortranLoopsHaveTheLineOfDo) {
  Code code = OneLoop();
  code.Line(0x110, {In("sweep", 12, "s.f90")}).Line(0x118, {In("sweep", 11, "s.f90")});
  code.Line(0x11c, {In("sweep", 12, "s.f90")});
  EXPECT_EQ(PlaceOf(code), "sweep:11 ");
  Code behind = OneLoop();
  behind.Line(0x110, {In("sweep", 12, "s.f90")}).Line(0x134, {In("sweep", 11, "s.f90")});
  EXPECT_EQ(PlaceOf(behind), "sweep:11 ");
  Code array = OneLoop();
  array.Line(0x110, {In("sweep", 12, "s.f90")}).Line(0x134, {In("sweep", 13, "s.f90")});
  EXPECT_EQ(PlaceOf(array), "sweep:12 ");
}

}  // namespace
}  // namespace roofmark::loops
