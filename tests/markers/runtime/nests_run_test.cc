// SPDX-License-Identifier: BSD-3-Clause
//
// Loops and functions as regions (ROOFMARK_NESTS), by each engine: the program (programs/nests.c)
// is written out, and says how many additions each of its parts executes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "lib/core/file.h"
#include "lib/found/found_json.h"
#include "tests/markers/runtime/labels.h"
#include "tests/support/recording.h"

namespace roofmark::test {
namespace {

struct Engine {
  const char *name, *counts;
};
constexpr Engine kEngines[] = {
    {"valgrind", "flops"}, {"valgrind", "cache"}, {"native", "flops"}, {"native", "cache"}};

// In the order of NestPlan.
enum Nest : uint32_t {
  kOuter,
  kInner,
  kCallLoop,
  kLeaf,
  kRecur,
  kTail,
  kCaseLoop,
  kJumper,
  kRaiseLoop,
  kFunction,
  kBody,
  kRestOfBody
};

class NestsByEngine : public Recording, public testing::WithParamInterface<Engine> {
 protected:
  void Execute(std::vector<std::string> command) {
    command.insert(command.begin(), NESTS);
    const std::string file = directory_.File("nests.json");
    ASSERT_TRUE(WriteFile(file, NestPlanToJson(Plan()), IfExists::kReplace));
    job_ = RunAndRead(command, {{"ROOFMARK_COLLECTOR", "counting"},
                                {"ROOFMARK_ENGINE", GetParam().name},
                                {"ROOFMARK_COUNT", GetParam().counts},
                                {"ROOFMARK_CACHE", "L1:1K:2"},
                                {"ROOFMARK_SAMPLE", "1"},
                                {"ROOFMARK_NESTS", file}});
    ASSERT_EQ(job_.run.passes.at(0).facts.count("engine"), 1u) << ended_.err;
    EXPECT_EQ(job_.run.passes.at(0).facts.at("engine"), GetParam().name);
  }
  // What was added in a region, with all that is inside; and how often it was visited.
  uint64_t Adds(const std::string& path) const {
    return job_.FindPath(path) < 0 ? 0 : Value(job_, path, kAdds);
  }
  uint64_t Visits(const std::string& path) const {
    return job_.FindPath(path) < 0 ? 0 : Value(job_, path, metric::kVisits);
  }
  size_t regions() const { return job_.paths.size(); }
  bool is_native() const { return std::string(GetParam().name) == "native"; }
  JobProfile job_;

 private:
  NestPlan Plan() {
    const std::map<std::string, uint64_t> at = LabelsOf(NESTS);
    NestPlan plan;
    plan.modules = {NESTS};
    plan.nests = {{"outer", "n.c", 1, {}, false},
                  {"inner", "n.c", 2, kOuter, false},
                  {"call_loop", "n.c", 3, {}, false},
                  {"leaf", "n.c", 4, {}, false},
                  {"recur", "n.c", 5, {}, true},
                  {"tail", "n.c", 6, {}, true},
                  {"case_loop", "n.c", 7, {}, false},
                  {"jumper", "n.c", 8, {}, true},
                  {"raise_loop", "n.c", 9, {}, false},
                  {"function", "n.c", 10, {}, true},
                  {"function", "n.c", 10, {}, false, kFunction},
                  {"function", "n.c", 10, {}, false, kFunction, kBody}};
    const auto range = [&](Nest nest, const char* begin, const char* end) {
      plan.ranges.push_back({0, nest, at.at(begin), at.at(end)});
    };
    range(kOuter, "outer", "inner");
    range(kInner, "inner", "inner_end");
    range(kOuter, "inner_end", "outer_end");
    range(kCallLoop, "call_loop", "call_loop_end");
    range(kLeaf, "leaf", "leaf_end");
    range(kRecur, "recur", "recur_end");
    range(kTail, "tail", "tail_end");
    range(kCaseLoop, "case_loop", "case_loop_end");
    range(kRaiseLoop, "raise_loop", "raise_loop_end");
    range(kBody, "body_begin", "body_rest");
    range(kRestOfBody, "body_rest", "body_end");
    range(kRestOfBody, "body_again", "body_gone");
    range(kJumper, "jumper_begin", "jumper_end");
    plan.entries = {{0, kLeaf, at.at("leaf")},
                    {0, kRecur, at.at("recur")},
                    {0, kTail, at.at("tail")},
                    {0, kJumper, at.at("jumper_begin")}};
    return plan;
  }
};

TEST_P(NestsByEngine, LoopsInLoops) {
  Execute({"nested", "nested"});
  EXPECT_EQ(Adds("outer"), 2u * (20 + 70));
  EXPECT_EQ(Adds("outer/inner"), 2u * 70);
  EXPECT_EQ(Visits("outer"), 2u);
  EXPECT_EQ(Visits("outer/inner"), 2u * 10);
  EXPECT_EQ(regions(), 2u);
}

TEST_P(NestsByEngine, WhatALoopCallsIsInside) {
  Execute({"calling"});
  EXPECT_EQ(Adds("call_loop"), 5u * (1 + 1 + 3));
  EXPECT_EQ(Adds("call_loop/leaf"), 5u * 3) << "a loop that begins with its function";
  EXPECT_EQ(Visits("call_loop"), 1u);
  EXPECT_EQ(Visits("call_loop/leaf"), 5u);
}

TEST_P(NestsByEngine, RecursionStaysInItsRegion) {
  Execute({"recur", "nested"});
  EXPECT_EQ(Adds("recur"), 8u);
  EXPECT_EQ(Visits("recur"), 1u);
  EXPECT_EQ(Adds("outer"), 20u + 70) << "it has ended";
}

TEST_P(NestsByEngine, AFunctionThatEndsByAJump) {
  Execute({"tail", "nested"});
  EXPECT_EQ(Adds("tail"), 1u + 2);
  EXPECT_EQ(Adds("outer"), 20u + 70);
  EXPECT_EQ(regions(), 3u);
}

TEST_P(NestsByEngine, ALoopThatIsLeftThroughATable) {
  Execute({"cases"});
  EXPECT_EQ(Adds("case_loop"), 4u);
  EXPECT_EQ(Visits("case_loop"), 1u);
}

TEST_P(NestsByEngine, CodeOfAnInlinedFunctionIsInPiecesOfOneVisit) {
  Execute({"inlining"});
  EXPECT_EQ(Adds("function"), 2u * (3 + 1 + 1)) << "with what it calls";
  EXPECT_EQ(Visits("function"), 2u);
  EXPECT_EQ(regions(), 1u);
}

TEST_P(NestsByEngine, LongjmpEndsThem) {
  Execute({"jumper"});
  EXPECT_EQ(Adds("jumper"), 1u);
  EXPECT_EQ(Adds("outer"), 20u + 70);
  EXPECT_EQ(regions(), 3u);
}

TEST_P(NestsByEngine, AHandlerOnAStackOfItsOwnIsWhereItInterrupted) {
  Execute({"thread", "raising"});
  EXPECT_EQ(Adds("raise_loop"), 5u * (1 + 92));
  EXPECT_EQ(regions(), 1u);
}

TEST_P(NestsByEngine, BelowMarkersAndByThread) {
  Execute({"nested", "marked", "nested", "thread", "calling", "unmarked", "thread", "nested"});
  EXPECT_EQ(Adds("outer/inner"), 2u * 70) << "on two threads";
  EXPECT_EQ(Adds("marked/outer/inner"), 70u);
  EXPECT_EQ(Adds("marked"), 92u + 25);
  EXPECT_EQ(Adds("marked/call_loop/leaf"), 15u) << "the thread is in the team's region";
  EXPECT_EQ(Visits("marked/outer"), 1u);
  EXPECT_EQ(Visits("outer"), 1u) << "once on each of two threads";
}

INSTANTIATE_TEST_SUITE_P(Engines, NestsByEngine, testing::ValuesIn(kEngines),
                         [](const auto& given) {
                           return std::string(given.param.name) + "_" + given.param.counts;
                         });

}  // namespace
}  // namespace roofmark::test
