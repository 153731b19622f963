// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/nests.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/lib/loops/code.h"

namespace roofmark::loops {
namespace {

using test::Code;
using test::Kind;
using Strings = std::vector<std::string>;

SourceFrame In(const std::string& function, uint32_t line) { return {function, "dir/s.c", line}; }

Strings Names(const Nests& nests) {
  Strings names;
  for (const Nest& nest : nests.nests) names.push_back(nest.name);
  return names;
}

// A loop of one block of 16 bytes at `begin`, entered from the block before, left to that behind.
void AddLoop(Code& code, uint64_t begin, SourceChain chain, uint64_t iterations = 8) {
  code.Block(begin - 0x10, begin, 1)
      .Block(begin, begin + 0x10, iterations + 1)
      .Edge(begin + 0xe, begin, iterations)
      .Edge(begin + 0xe, begin + 0x10, 1)
      .Line(begin - 0x10, {})
      .Line(begin, std::move(chain))
      .Line(begin + 0x10, {});
}

// Vector body, and what is left.
TEST(NestsTest, PartsOfOneLoopAreOneNest) {
  Code code;
  code.Function("sweep", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 1);
  AddLoop(code, 0x110, {In("sweep", 11)}, 20);
  AddLoop(code, 0x130, {In("sweep", 11)}, 2);
  code.Block(0x140, 0x150, 1);
  const Nests nests = FindNests(code.Input());
  ASSERT_EQ(Names(nests), Strings{"s.c:11 in sweep()"});
  const Nest& nest = nests.nests[0];
  ASSERT_EQ(nest.parts.size(), 2u);
  EXPECT_EQ(nest.parts[0].header, 0x110u);
  EXPECT_EQ(nest.parts[0].iterations, 20u);
  EXPECT_EQ(nest.parts[1].iterations, 2u);
  EXPECT_EQ(nest.ranges, (std::vector<Range>{{0x110, 0x120}, {0x130, 0x140}}));
  EXPECT_EQ(nest.entries, (std::vector<Edge>{{0x10f, 0x110, 1}, {0x12f, 0x130, 1}}));
  EXPECT_EQ(nest.exits, (std::vector<Edge>{{0x11e, 0x120, 1}, {0x13e, 0x140, 1}}));
  EXPECT_EQ(nests.At(0x115), 0u);
  EXPECT_EQ(nests.At(0x125), std::nullopt);
  EXPECT_EQ(nests.At(0), std::nullopt);
}

TEST(NestsTest, WhatLeadsFromOnePartToTheNextIsNoExit) {
  Code code;
  code.Function("sweep", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 1).Block(0x100, 0x110, 1);
  code.Block(0x110, 0x120, 9).Edge(0x11e, 0x110, 8).Edge(0x11e, 0x120, 1);
  code.Block(0x120, 0x130, 3).Edge(0x12e, 0x120, 2).Edge(0x12e, 0x130, 1);
  code.Block(0x130, 0x140, 1).Line(0x110, {In("sweep", 11)}).Line(0x130, {});
  const Nests nests = FindNests(code.Input());
  ASSERT_EQ(nests.nests.size(), 1u);
  EXPECT_EQ(nests.nests[0].entries, (std::vector<Edge>{{0x10f, 0x110, 1}}));
  EXPECT_EQ(nests.nests[0].exits, (std::vector<Edge>{{0x12e, 0x130, 1}}));
  EXPECT_EQ(nests.nests[0].ranges, (std::vector<Range>{{0x110, 0x130}}));
}

TEST(NestsTest, ClonesAreOneNest) {
  Code code;
  const uint32_t parent = code.Function("sweep", 0x100, 0x200);
  code.Function("sweep.constprop.0", 0x200, 0x300, binary::Part::kClone, parent);
  AddLoop(code, 0x110, {In("sweep", 11)});
  AddLoop(code, 0x210, {In("sweep", 11)});
  const Nests nests = FindNests(code.Input());
  ASSERT_EQ(Names(nests), Strings{"s.c:11 in sweep()"});
  EXPECT_EQ(nests.nests[0].function, parent);
  EXPECT_EQ(nests.nests[0].parts[1].function, 1u);
}

// A loop inside another one: [0x110, 0x140) with [0x120, 0x130).
Code TwoLoops(uint32_t outer, uint32_t inner) {
  Code code;
  code.Function("sweep", 0x100, 0x200);
  code.Edge(kElsewhere, 0x100, 1).Block(0x100, 0x110, 1).Block(0x110, 0x120, 4);
  code.Block(0x120, 0x130, 40).Edge(0x12e, 0x120, 36).Edge(0x12e, 0x130, 4);
  code.Block(0x130, 0x140, 4).Edge(0x13e, 0x110, 3).Edge(0x13e, 0x140, 1).Block(0x140, 0x150, 1);
  code.Line(0x110, {In("sweep", outer)}).Line(0x120, {In("sweep", inner)});
  code.Line(0x130, {In("sweep", outer)});
  return code;
}

TEST(NestsTest, LoopsInsideEachOtherAreParentAndChild) {
  const Nests nests = FindNests(TwoLoops(10, 11).Input());
  ASSERT_EQ(Names(nests), (Strings{"s.c:10 in sweep()", "s.c:11 in sweep()"}));
  EXPECT_EQ(nests.nests[1].parent, 0u);
  EXPECT_EQ(nests.nests[1].depth, 2u);
  EXPECT_EQ(nests.nests[0].children, std::vector<uint32_t>{1});
  EXPECT_EQ(nests.nests[0].ranges, (std::vector<Range>{{0x110, 0x140}}));
  EXPECT_EQ(nests.At(0x112), 0u);
  EXPECT_EQ(nests.At(0x122), 1u);
}

TEST(NestsTest, TwoLoopsThatTheCompilerMadeOfOneAreOneNest) {
  const Nests nests = FindNests(TwoLoops(11, 11).Input());
  ASSERT_EQ(Names(nests), Strings{"s.c:11 in sweep()"});
  EXPECT_EQ(nests.nests[0].parts.size(), 2u);
  EXPECT_EQ(nests.nests[0].entries, (std::vector<Edge>{{0x10f, 0x110, 1}}));
  EXPECT_EQ(nests.nests[0].exits, (std::vector<Edge>{{0x13e, 0x140, 1}}));
}

TEST(NestsTest, BodiesOfConstructsHangBelowTheirFunction) {
  Code code;
  const uint32_t parent = code.Function("sweep", 0x100, 0x200);
  code.Function("sweep._omp_fn.0", 0x200, 0x300, binary::Part::kOutlined, parent);
  AddLoop(code, 0x210, {In("sweep", 11)});
  const Nests nests = FindNests(code.Input());
  ASSERT_EQ(Names(nests), Strings{"s.c:11 in sweep()"});
  EXPECT_EQ(nests.nests[0].function, parent);
}

TEST(NestsTest, OneFunctionInlinedTwiceIsTwoNests) {
  Code code;
  code.Function("sweep", 0x100, 0x200);
  AddLoop(code, 0x110, {In("help", 11), In("sweep", 40)});
  AddLoop(code, 0x150, {In("help", 11), In("sweep", 50)});
  AddLoop(code, 0x190, {In("help", 12), In("sweep", 50)});
  EXPECT_EQ(
      Names(FindNests(code.Input())),
      (Strings{"s.c:11 in help(), at s.c:40", "s.c:11 in help(), at s.c:50", "s.c:12 in help()"}));
}

TEST(NestsTest, WithoutLinesEachLoopIsANest) {
  Code code;
  code.Function("sweep", 0x100, 0x200);
  AddLoop(code, 0x110, {});
  AddLoop(code, 0x150, {});
  EXPECT_EQ(Names(FindNests(code.Input())),
            (Strings{"libx.so+0x110 in sweep()", "libx.so+0x150 in sweep()"}));
}

TEST(NestsTest, AStrippedFunctionIsNamedByTheSymbolBefore) {
  Code code;
  code.Function("", 0x100, 0x200);
  AddLoop(code, 0x110, {});
  Input input = code.Input();
  input.functions[0].name = "libx.so+0x100";
  EXPECT_EQ(Names(FindNests(input)), Strings{"libx.so+0x110 in libx.so+0x100"});
  input.functions[0].nearest = "dgemm_";
  EXPECT_EQ(Names(FindNests(input)), Strings{"libx.so+0x110 in libx.so+0x100 behind dgemm_()"});
}

}  // namespace
}  // namespace roofmark::loops
