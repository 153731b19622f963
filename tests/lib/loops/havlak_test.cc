// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/havlak.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roofmark::loops {
namespace {

using Graph = std::vector<std::vector<uint32_t>>;

// "header<outer" of each header, `*` where the loop is irreducible; then "node:header" of the rest.
std::string Text(const Graph& graph) {
  const Nesting nesting = FindNesting(graph);
  std::string headers, nodes;
  for (uint32_t node = 0; node < graph.size(); ++node) {
    const uint32_t around = nesting.header[node];
    const std::string name = around == kNoNode ? "" : std::to_string(around);
    if (nesting.is_header[node]) {
      headers += std::to_string(node) + (nesting.irreducible[node] ? "*" : "") + "<" + name + " ";
    } else if (around != kNoNode) {
      nodes += std::to_string(node) + ":" + name + " ";
    }
  }
  return headers + "| " + nodes;
}

TEST(HavlakTest, StraightCodeHasNoLoop) { EXPECT_EQ(Text({{1}, {2}, {}}), "| "); }

TEST(HavlakTest, NothingHasNoLoop) { EXPECT_EQ(Text({}), "| "); }

TEST(HavlakTest, WaysThatMeetAreNoLoop) { EXPECT_EQ(Text({{1, 2}, {3}, {3}, {}}), "| "); }

TEST(HavlakTest, ASelfLoop) { EXPECT_EQ(Text({{1}, {1, 2}, {}}), "1< | "); }

TEST(HavlakTest, AWhileLoop) { EXPECT_EQ(Text({{1}, {2, 3}, {1}, {}}), "1< | 2:1 "); }

TEST(HavlakTest, LoopsInsideEachOther) {
  // 1 { 2 { 3 { 4 } } 5 }
  EXPECT_EQ(Text({{1}, {2}, {3}, {4}, {3, 5}, {2, 6}, {1, 7}, {}}), "1< 2<1 3<2 | 4:3 5:2 6:1 ");
}

TEST(HavlakTest, LoopsBehindEachOther) {
  EXPECT_EQ(Text({{1}, {2}, {1, 3}, {4}, {3, 5}, {}}), "1< 3< | 2:1 4:3 ");
}

TEST(HavlakTest, TwoBackEdgesToOneHeaderAreOneLoop) {
  EXPECT_EQ(Text({{1}, {2, 3}, {1}, {1, 4}, {}}), "1< | 2:1 3:1 ");
}

TEST(HavlakTest, ALoopWithTwoEntriesIsIrreducible) {
  // 0 enters the loop of 1 and 2 at both.
  EXPECT_EQ(Text({{1, 2}, {2}, {1, 3}, {}}), "1*< | 2:1 ");
}

TEST(HavlakTest, AnIrreducibleLoopInsideAReducibleOne) {
  // 1 { 2 <-> 3, entered at both } back from 4
  EXPECT_EQ(Text({{1}, {2, 3}, {3}, {2, 4}, {1, 5}, {}}), "1< 2*<1 | 3:2 4:1 ");
}

TEST(HavlakTest, AReducibleLoopInsideAnIrreducibleOne) {
  // 1 -> 2 -> 3 -> 1, entered at 1 and 3; 2 is a loop of its own.
  EXPECT_EQ(Text({{1, 3}, {2}, {2, 3}, {1, 4}, {}}), "1*< 2<1 | 3:1 ");
}

TEST(HavlakTest, WhatIsNotReachedIsInNoLoop) { EXPECT_EQ(Text({{1}, {}, {3}, {2}}), "| "); }

// A chain of so many loops, each with a loop inside.
TEST(HavlakTest, ManyNodesAreNoRecursion) {
  constexpr uint32_t kLoops = 50000;
  Graph graph{{1}};
  for (uint32_t i = 0; i < kLoops; ++i) {
    const uint32_t node = 1 + 2 * i;
    graph.push_back({node + 1});
    graph.push_back({node + 1, node, node + 2});
  }
  graph.push_back({});
  const Nesting nesting = FindNesting(graph);
  EXPECT_TRUE(nesting.is_header[1]);
  EXPECT_TRUE(nesting.is_header[2]);
  EXPECT_EQ(nesting.header[2], 1u);
  EXPECT_EQ(nesting.header[2 * kLoops], 2 * kLoops - 1);
}

// Each loop inside the one before.
TEST(HavlakTest, DeepNests) {
  constexpr uint32_t kDepth = 20000;
  Graph graph{{1}};
  for (uint32_t i = 1; i <= kDepth; ++i) graph.push_back({i + 1});
  // The way back: node kDepth + i closes the loop of kDepth + 1 - i.
  for (uint32_t i = 1; i <= kDepth; ++i) graph.push_back({kDepth + 1 - i, kDepth + i + 1});
  graph.push_back({});
  const Nesting nesting = FindNesting(graph);
  EXPECT_EQ(nesting.header[kDepth], kDepth - 1);
  EXPECT_EQ(nesting.header[2], 1u);
  EXPECT_EQ(nesting.header[1], kNoNode);
}

}  // namespace
}  // namespace roofmark::loops
