// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/forest.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/lib/loops/code.h"

namespace roofmark::loops {
namespace {

using test::Code;
using test::Kind;

uint64_t Sum(const std::vector<Edge>& edges) {
  uint64_t times = 0;
  for (const Edge& edge : edges) times += edge.times;
  return times;
}

// "header depth iterations entries exits" of each.
std::vector<std::string> Texts(const Forest& forest) {
  std::vector<std::string> texts;
  for (const Loop& loop : forest.loops) {
    char text[100];
    snprintf(text, sizeof text, "%lx d%u it%lu en%lu ex%lu%s", loop.header, loop.depth,
             Sum(loop.back), Sum(loop.entries), Sum(loop.exits), loop.irreducible ? " *" : "");
    texts.push_back(text);
  }
  return texts;
}

using Strings = std::vector<std::string>;

// A function with one loop of one block, called twice from elsewhere; 9 iterations in all.
Code OneLoop() {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 2)
      .Block(0x100, 0x110, 2)
      .Block(0x110, 0x120, 9)
      .Edge(0x11e, 0x110, 7)
      .Edge(0x11e, 0x120, 2)
      .Block(0x120, 0x130, 2)
      .Edge(0x12e, kElsewhere, 2, Kind::kReturn);
  return code;
}

TEST(ForestTest, ALoopOfOneBlock) {
  const Code code = OneLoop();
  const Forest forest = FindLoops(code.Input());
  EXPECT_EQ(Texts(forest), Strings{"110 d1 it7 en2 ex2"});
  EXPECT_EQ(forest.loops[0].back, (std::vector<Edge>{{0x11e, 0x110, 7}}));
  EXPECT_EQ(forest.loops[0].exits, (std::vector<Edge>{{0x11e, 0x120, 2}}));
  // Nothing branches into it.
  EXPECT_EQ(forest.loops[0].entries, (std::vector<Edge>{{0x10f, 0x110, 2}}));
}

// The engine's blocks go on behind branches that are not taken: the first comes in and does one
// iteration, the second one iteration and what follows.
TEST(ForestTest, OverlappingBlocksAreTheSameLoop) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 2)
      .Block(0x100, 0x130, 2)
      .Block(0x110, 0x130, 7)
      .Edge(0x11e, 0x110, 7)
      .Edge(0x12e, kElsewhere, 2, Kind::kReturn);
  const Forest forest = FindLoops(code.Input());
  EXPECT_EQ(Texts(forest), Strings{"110 d1 it7 en2 ex2"});
  ASSERT_EQ(forest.flow.pieces.size(), 3u);
  EXPECT_EQ(forest.flow.pieces[0].times, 2u);
  EXPECT_EQ(forest.flow.pieces[1].times, 9u);
  EXPECT_EQ(forest.flow.pieces[2].times, 2u);
}

// GCC puts the code of a rare case behind the return. It branches back to the loop, and so the
// return must not look as if it went on there. Engines say nothing of returns.
TEST(ForestTest, CodeBehindAReturnDoesNotFollowIt) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 2)
      .Block(0x100, 0x110, 2)
      .Block(0x110, 0x120, 9)
      .Edge(0x11e, 0x150, 4)
      .Edge(0x11e, 0x120, 5)
      .Block(0x120, 0x130, 9)
      .Edge(0x12e, 0x110, 7)
      .Edge(0x12e, 0x130, 2)
      .Block(0x130, 0x150, 2)
      .Block(0x150, 0x160, 4)
      .Edge(0x15e, 0x120, 4, Kind::kJump);
  const Forest forest = FindLoops(code.Input());
  EXPECT_EQ(Texts(forest), Strings{"110 d1 it7 en2 ex2"});
  EXPECT_FALSE(forest.loop_of_piece[3]) << "what is behind the loop";
}

TEST(ForestTest, LoopsInsideEachOther) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 1)
      .Block(0x110, 0x120, 3)
      .Block(0x120, 0x130, 12)
      .Edge(0x12e, 0x120, 9)
      .Block(0x130, 0x140, 3)
      .Edge(0x12e, 0x130, 3)
      .Edge(0x13e, 0x110, 2)
      .Edge(0x13e, 0x140, 1)
      .Block(0x140, 0x150, 1)
      .Edge(0x14e, kElsewhere, 1, Kind::kReturn);
  const Forest forest = FindLoops(code.Input());
  EXPECT_EQ(Texts(forest), (Strings{"110 d1 it2 en1 ex1", "120 d2 it9 en3 ex3"}));
  EXPECT_EQ(forest.loops[1].parent, 0u);
}

TEST(ForestTest, TwoWaysBackAreOneLoop) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 1)
      .Block(0x110, 0x120, 6)
      .Edge(0x11e, 0x110, 2)
      .Edge(0x11e, 0x120, 4)
      .Block(0x120, 0x130, 4)
      .Edge(0x12e, 0x110, 3)
      .Edge(0x12e, 0x130, 1)
      .Block(0x130, 0x140, 1);
  EXPECT_EQ(Texts(FindLoops(code.Input())), Strings{"110 d1 it5 en1 ex1"});
}

TEST(ForestTest, TwoEntriesAreAnIrreducibleLoop) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 4)
      .Block(0x100, 0x110, 4)
      .Edge(0x10e, 0x120, 1)
      .Edge(0x10e, 0x110, 3)
      .Block(0x110, 0x120, 8)
      .Edge(0x11e, 0x120, 8)
      .Block(0x120, 0x130, 9)
      .Edge(0x12e, 0x110, 5)
      .Edge(0x12e, 0x130, 4)
      .Block(0x130, 0x140, 4);
  EXPECT_EQ(Texts(FindLoops(code.Input())), Strings{"110 d1 it5 en4 ex4 *"});
}

// The block behind a call is reached from the call, and neither call nor return leaves the loop.
TEST(ForestTest, ACallInALoop) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Function("g", 0x200, 0x300);
  code.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 1)
      .Block(0x110, 0x120, 5)
      .Edge(0x11e, 0x200, 5, Kind::kCall)
      .Block(0x200, 0x210, 5)
      .Edge(0x20e, 0x120, 5, Kind::kReturn)
      .Block(0x120, 0x130, 5)
      .Edge(0x12e, 0x110, 4)
      .Edge(0x12e, 0x130, 1)
      .Block(0x130, 0x140, 1)
      .Edge(0x13e, kElsewhere, 1, Kind::kReturn);
  EXPECT_EQ(Texts(FindLoops(code.Input())), Strings{"110 d1 it4 en1 ex1"});
}

TEST(ForestTest, ACallOfAnotherModuleInALoop) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 1)
      .Block(0x110, 0x120, 5)
      .Edge(0x11e, kElsewhere, 5, Kind::kCall)
      .Edge(kElsewhere, 0x120, 5)
      .Block(0x120, 0x130, 5)
      .Edge(0x12e, 0x110, 4)
      .Block(0x130, 0x140, 1)
      .Edge(0x12e, 0x130, 1);
  EXPECT_EQ(Texts(FindLoops(code.Input())), Strings{"110 d1 it4 en1 ex1"});
}

// A block may go on behind a call whose callee the engine inlined.
TEST(ForestTest, ABlockThatGoesOnBehindACall) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Function("g", 0x200, 0x300);
  code.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 1)
      .Block(0x110, 0x130, 5)
      .Edge(0x11e, 0x200, 5, Kind::kCall)
      .Block(0x200, 0x210, 5)
      .Edge(0x12e, 0x110, 4)
      .Edge(0x12e, 0x130, 1)
      .Block(0x130, 0x140, 1);
  const Forest forest = FindLoops(code.Input());
  EXPECT_EQ(Texts(forest), Strings{"110 d1 it4 en1 ex1"});
  ASSERT_EQ(forest.flow.pieces.size(), 5u);
  EXPECT_EQ(forest.flow.pieces[2].begin, 0x120u);
  EXPECT_EQ(forest.flow.pieces[2].times, 5u);
}

TEST(ForestTest, RecursionIsNoLoop) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 5)
      .Edge(0x10e, 0x100, 4, Kind::kCall)
      .Edge(0x11e, 0x110, 4, Kind::kReturn)
      .Block(0x110, 0x120, 5)
      .Edge(0x11e, kElsewhere, 1, Kind::kReturn);
  EXPECT_TRUE(FindLoops(code.Input()).loops.empty());
}

// The function's first block is the header: each call enters the loop.
TEST(ForestTest, ALoopAtTheBeginOfAFunction) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 3)
      .Block(0x100, 0x110, 10)
      .Edge(0x10e, 0x100, 7)
      .Edge(0x10e, 0x110, 3)
      .Block(0x110, 0x120, 3)
      .Edge(0x11e, kElsewhere, 3, Kind::kReturn);
  EXPECT_EQ(Texts(FindLoops(code.Input())), Strings{"100 d1 it7 en3 ex3"});
}

TEST(ForestTest, ReturnsAndJumpsElsewhereLeaveALoop) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Function("g", 0x200, 0x300);
  code.Edge(kElsewhere, 0x100, 3)
      .Block(0x100, 0x110, 3)
      .Block(0x110, 0x120, 9)
      .Edge(0x11e, 0x120, 9)
      .Block(0x120, 0x130, 9)
      .Edge(0x12e, 0x110, 6)
      .Edge(0x12e, 0x150, 1)
      .Edge(0x12e, 0x140, 2)
      .Block(0x140, 0x150, 2)
      .Edge(0x14e, kElsewhere, 2, Kind::kReturn)
      .Block(0x150, 0x160, 1)
      .Edge(0x15e, 0x200, 1, Kind::kJump)
      .Block(0x200, 0x210, 1);
  EXPECT_EQ(Texts(FindLoops(code.Input())), Strings{"110 d1 it6 en3 ex3"});
  Code inside;
  inside.Function("f", 0x100, 0x200);
  inside.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 4)
      .Edge(0x10e, 0x100, 3)
      .Edge(0x10e, kElsewhere, 1);
  EXPECT_EQ(Texts(FindLoops(inside.Input())), Strings{"100 d1 it3 en1 ex1"});
}

// The way through code that is seldom executed, and lies elsewhere, is in the loop.
TEST(ForestTest, AColdPartBelongsToItsFunction) {
  Code code;
  code.Function("f.cold", 0x80, 0x100, binary::Part::kCold, 1);
  code.Function("f", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 1)
      .Block(0x100, 0x110, 1)
      .Block(0x110, 0x120, 9)
      .Edge(0x11e, 0x80, 1)
      .Edge(0x11e, 0x120, 8)
      .Block(0x80, 0x90, 1)
      .Edge(0x8e, 0x120, 1, Kind::kJump)
      .Block(0x120, 0x130, 9)
      .Edge(0x12e, 0x110, 8)
      .Edge(0x12e, 0x130, 1)
      .Block(0x130, 0x140, 1);
  const Forest forest = FindLoops(code.Input());
  EXPECT_EQ(Texts(forest), Strings{"110 d1 it8 en1 ex1"});
  EXPECT_EQ(forest.loops[0].function, 1u);
  EXPECT_EQ(forest.loops[0].pieces.size(), 3u);
}

TEST(ForestTest, ALoopThatNothingEnters) {
  Code code;
  code.Function("f", 0x100, 0x200);
  code.Block(0x120, 0x130, 9).Edge(0x12e, 0x120, 8);
  EXPECT_EQ(Texts(FindLoops(code.Input())), Strings{"120 d1 it8 en0 ex0"});
}

TEST(ForestTest, OddInputIsNoLoop) {
  EXPECT_TRUE(FindLoops(Code().Input()).loops.empty());
  Code outside;
  outside.Function("f", 0x100, 0x200);
  outside.Block(0x300, 0x310, 5).Edge(0x30e, 0x300, 4);
  EXPECT_TRUE(FindLoops(outside.Input()).loops.empty());
  Code lost;  // edges whose blocks were lost
  lost.Function("f", 0x100, 0x200);
  lost.Block(0x100, 0x110, 1).Edge(0x15e, 0x150, 4).Edge(0x10e, 0x1f0, 2).Block(0x120, 0x120, 1);
  EXPECT_TRUE(FindLoops(lost.Input()).loops.empty());
}

// The time is printed, not tested: other programs may keep the machine busy.
TEST(ForestTest, AHundredThousandBlocks) {
  constexpr uint64_t kFunctions = 1000, kLoops = 33, kBytes = 0x1000;
  Code code;
  for (uint64_t f = 0; f < kFunctions; ++f) {
    const uint64_t begin = (f + 1) * kBytes;
    code.Function("f" + std::to_string(f), begin, begin + kBytes);
    code.Edge(kElsewhere, begin, 1);
    uint64_t at = begin;
    for (uint64_t i = 0; i < kLoops; ++i, at += 0x30) {
      code.Block(at, at + 0x10, 1)
          .Block(at + 0x10, at + 0x20, 90)
          .Edge(at + 0x1e, at + 0x10, 81)
          .Edge(at + 0x1e, at + 0x20, 9)
          .Block(at + 0x20, at + 0x30, 9)
          .Edge(at + 0x2e, at + 0x10, 8)
          .Edge(at + 0x2e, at + 0x30, 1);
    }
    code.Block(at, at + 0x10, 1);
  }
  const Input input = code.Input();
  const auto start = std::chrono::steady_clock::now();
  const Forest forest = FindLoops(input);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(forest.flow.pieces.size(), kFunctions * (3 * kLoops + 1));
  EXPECT_EQ(forest.loops.size(), kFunctions * kLoops);
  RecordProperty("seconds", std::to_string(seconds.count()));
  printf("%zu blocks: %.3f s\n", input.blocks.size(), seconds.count());
}

}  // namespace
}  // namespace roofmark::loops
