// SPDX-License-Identifier: BSD-3-Clause
//
// Loops and functions as paths of their own; see guests/nests.c, which has their numbers and says
// how many additions each of its parts executes.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/collectors/counting/valgrind/tool_run.h"

namespace roofmark {
namespace {

constexpr unsigned kOuter = 1, kInner = 2, kCallLoop = 3, kLeaf = 4, kRecur = 5, kTail = 6,
                   kCaseLoop = 7, kJumper = 8, kRaiseLoop = 9, kFunction = 10;

class Nests : public testing::TestWithParam<const char*> {
 protected:
  void Execute(std::vector<std::string> command) {
    command.insert(command.begin(), "nests");
    run_ = RunTool(SmallCaches(GetParam()), command);
    ASSERT_EQ(run_.exit_code, 0) << run_.err;
    std::istringstream lines(run_.out);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string kind;
      unsigned first = 0, second = 0, third = 0;
      words >> kind >> first >> second >> third;
      if (kind == "nest") path_[{first, second}] = third;
      if (kind == "entries") entries_[{first, second}] = third;
    }
  }
  // The path of nests, one inside the other, in that of markers; 0: it was not entered.
  unsigned Path(const std::vector<unsigned>& nests, unsigned path = 0) const {
    for (unsigned nest : nests) {
      const auto found = path_.find({path, nest});
      if (found == path_.end()) return 0;
      path = found->second;
    }
    return path;
  }
  uint64_t Adds(unsigned path, unsigned thread = 1) const { return Flops(run_.At(thread, path)); }
  uint64_t Entries(unsigned path, unsigned thread = 1) const {
    const auto found = entries_.find({thread, path});
    return found == entries_.end() ? 0 : found->second;
  }
  size_t paths() const { return path_.size(); }

 private:
  ToolRun run_;
  std::map<std::pair<unsigned, unsigned>, unsigned> path_;     // by parent and nest
  std::map<std::pair<unsigned, unsigned>, unsigned> entries_;  // by thread and path
};

TEST_P(Nests, LoopsInLoops) {
  Execute({"nested", "nested"});
  const unsigned outer = Path({kOuter}), inner = Path({kOuter, kInner});
  ASSERT_NE(inner, 0u);
  EXPECT_EQ(Adds(0), 2u * 2);
  EXPECT_EQ(Adds(outer), 2u * 20);
  EXPECT_EQ(Adds(inner), 2u * 70);
  EXPECT_EQ(Entries(outer), 2u);
  EXPECT_EQ(Entries(inner), 2u * 10);
  EXPECT_EQ(paths(), 2u);
}

TEST_P(Nests, WhatALoopCallsIsInside) {
  Execute({"calling"});
  EXPECT_EQ(Adds(0), 0u);
  EXPECT_EQ(Adds(Path({kCallLoop})), 5u * (1 + 1));
  EXPECT_EQ(Adds(Path({kCallLoop, kLeaf})), 5u * 3) << "a loop that begins with its function";
  EXPECT_EQ(Entries(Path({kCallLoop})), 1u);
  EXPECT_EQ(Entries(Path({kCallLoop, kLeaf})), 5u);
}

TEST_P(Nests, RecursionStaysInItsPath) {
  Execute({"recur", "nested"});
  EXPECT_EQ(Adds(Path({kRecur})), 8u);
  EXPECT_EQ(Entries(Path({kRecur})), 1u);
  EXPECT_EQ(Adds(Path({kOuter})), 20u) << "it has ended";
}

TEST_P(Nests, AFunctionThatEndsByAJump) {
  Execute({"tail", "nested"});
  EXPECT_EQ(Adds(Path({kTail})), 1u + 2);
  EXPECT_EQ(Adds(0), 2u);
}

TEST_P(Nests, ALoopThatIsLeftThroughATable) {
  Execute({"cases"});
  EXPECT_EQ(Adds(Path({kCaseLoop})), 4u);
  EXPECT_EQ(Entries(Path({kCaseLoop})), 1u);
  EXPECT_EQ(Adds(0), 1u);
}

TEST_P(Nests, CodeOfAnInlinedFunctionIsInPiecesOfOneVisit) {
  Execute({"inlining"});
  EXPECT_EQ(Adds(Path({kFunction})), 2u * (3 + 1 + 1)) << "with what it calls";
  EXPECT_EQ(Adds(0), 2u * (2 + 1)) << "behind the call it is left";
  EXPECT_EQ(Entries(Path({kFunction})), 2u);
  EXPECT_EQ(paths(), 1u);
}

TEST_P(Nests, LongjmpEndsThem) {
  Execute({"jumper"});
  EXPECT_EQ(Adds(Path({kJumper})), 1u);
  EXPECT_EQ(Adds(0), 5u + 2);
  EXPECT_EQ(Adds(Path({kOuter})), 20u);
}

TEST_P(Nests, AHandlerOnAStackOfItsOwnIsWhereItInterrupted) {
  Execute({"thread", "raising"});
  EXPECT_EQ(Adds(Path({kRaiseLoop}), 2), 5u * (1 + 92));
  EXPECT_EQ(Adds(0, 2), 0u);
}

TEST_P(Nests, BelowMarkersAndByThread) {
  Execute({"nested", "marked", "nested", "thread", "calling", "unmarked", "thread", "nested"});
  EXPECT_EQ(Adds(Path({kOuter, kInner})), 70u);
  EXPECT_EQ(Adds(Path({kOuter, kInner}, 7)), 70u);
  EXPECT_EQ(Adds(7), 2u);
  EXPECT_EQ(Adds(Path({kCallLoop, kLeaf}, 7), 2), 15u) << "the thread is in the team's path";
  EXPECT_EQ(Adds(Path({kOuter, kInner}), 3), 70u);
  EXPECT_EQ(Entries(Path({kOuter}, 7)), 1u);
  EXPECT_EQ(Entries(Path({kOuter}), 3), 1u);
}

INSTANTIATE_TEST_SUITE_P(Counts, Nests, testing::Values("flops", "cache"),
                         [](const auto& given) { return std::string(given.param); });

}  // namespace
}  // namespace roofmark
