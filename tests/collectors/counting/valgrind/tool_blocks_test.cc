// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks and the ways between them, of loops whose counts are known; see guests/blocks.c. Each is
// executed twice, by two threads, with and without the cache model.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "tests/collectors/counting/valgrind/tool_run.h"

namespace roofmark {
namespace {

class Blocks : public testing::TestWithParam<const char*> {
 protected:
  void Execute(const std::string& part) {
    const ToolRun run = RunTool(SmallCaches(GetParam()), {"blocks", part});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) Read(line);
  }
  // How often the instruction behind a label was executed.
  uint64_t Times(const std::string& label) const {
    const auto found = times_.find(labels_.at(label));
    return found == times_.end() ? 0 : found->second;
  }
  uint64_t Way(const std::string& from, const std::string& to, uint64_t calls = 0) const {
    const auto found = ways_.find({{labels_.at(from), labels_.at(to)}, calls});
    return found == ways_.end() ? 0 : found->second;
  }
  uint64_t Called(const std::string& from, const std::string& to) const {
    const auto found = called_.find({labels_.at(from), labels_.at(to)});
    return found == called_.end() ? 0 : found->second;
  }
  uint64_t library_ = 0;

 private:
  void Read(const std::string& line) {
    std::istringstream words(line);
    std::string kind, name;
    long from = 0, to = 0;
    uint64_t bytes = 0, times = 0, calls = 0;
    words >> kind;
    if (kind == "label") {
      words >> name >> from;
      labels_[name] = from;
    } else if (kind == "block") {
      words >> from >> bytes >> to >> times;
      for (uint64_t i = 0; i < bytes; ++i) times_[from + static_cast<long>(i)] += times;
    } else if (kind == "way") {
      words >> from >> to >> times >> calls;
      ways_[{{from, to}, calls}] += times;
    } else if (kind == "called") {
      words >> from >> to >> times;
      called_[{from, to}] += times;
    } else if (kind == "library") {
      words >> library_;
    }
  }

  std::map<std::string, long> labels_;
  std::map<long, uint64_t> times_;  // by byte
  std::map<std::pair<std::pair<long, long>, uint64_t>, uint64_t> ways_;
  std::map<std::pair<long, long>, uint64_t> called_;
};

TEST_P(Blocks, OfNestedLoops) {
  Execute("nested");
  EXPECT_EQ(Times("nested"), 2u);
  EXPECT_EQ(Times("outer"), 2u * 10);
  EXPECT_EQ(Times("inner"), 2u * 70);
  EXPECT_EQ(Times("inner_back"), 2u * 70);
  EXPECT_EQ(Times("after_inner"), 2u * 10);
  EXPECT_EQ(Times("after_outer"), 2u);
  EXPECT_EQ(Way("inner_back", "inner"), 2u * 60);
  EXPECT_EQ(Way("inner_back", "after_inner"), 2u * 10);
  EXPECT_EQ(Way("outer_back", "outer"), 2u * 9);
  EXPECT_EQ(Way("outer_back", "after_outer"), 2u);
}

TEST_P(Blocks, WaysThroughATable) {
  Execute("table");
  EXPECT_EQ(Way("jump", "first"), 2u * 4);
  EXPECT_EQ(Way("jump", "second"), 2u * 8);
  EXPECT_EQ(Way("first_on", "joined"), 2u * 4);
  EXPECT_EQ(Way("table_back", "again"), 2u * 11);
  EXPECT_EQ(Times("second"), 2u * 8);
  EXPECT_EQ(Times("joined"), 2u * 12);
}

TEST_P(Blocks, CallsAreNoJumpsAndRepeatedStringsNoLoops) {
  Execute("calling");
  EXPECT_EQ(Way("call", "copying", 1), 2u * 5);
  EXPECT_EQ(Way("call", "copying", 0), 0u);
  EXPECT_EQ(Way("call_back", "call_again"), 2u * 4);
  EXPECT_EQ(Way("copy", "copy"), 0u);
  EXPECT_EQ(Times("after_call"), 2u * 5);
  EXPECT_EQ(Times("copying"), 2u * 5);
  EXPECT_EQ(Times("copied"), 2u * 5);
}

TEST_P(Blocks, CallsThroughARegister) {
  Execute("through");
  EXPECT_EQ(Called("through_call", "leaf"), 2u * 6);
  EXPECT_EQ(Way("through_call", "leaf", 1) + Way("through_call", "leaf", 0), 0u);
  EXPECT_EQ(Times("leaf"), 2u * 6);
}

// The first one leads to the linker, which looks the function up.
TEST_P(Blocks, CallsOfALibraryHaveTheirCaller) {
  Execute("library");
  EXPECT_EQ(library_, 2u * 7);
}

INSTANTIATE_TEST_SUITE_P(Counts, Blocks, testing::Values("flops", "cache"),
                         [](const auto& given) { return std::string(given.param); });

}  // namespace
}  // namespace roofmark
