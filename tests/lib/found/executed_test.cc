// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/executed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/found/found_json.h"
#include "tests/lib/profile/schema_check.h"

namespace roofmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Executed Sample() {
  return {{{"/bin/a",
            {{16, 8, 2, 5}, {16, 12, 3, 7}},
            {{20, 16, 4, false}, {20, 16, 4, true}},
            {{16, 8, 0, Layer::kWork, false, 3}, {16, 8, 1, Layer::kMpi, true, 2}}},
           {"/lib/b.so", {}, {}, {}, {{4, 0, 16, 2}, {4, 1, 8, 3}}}},
          {"", "b"}};
}

TEST(Executed, PartsAddUp) {
  Executed other = {{{"/bin/a", {{32, 4, 1, 1}, {16, 8, 2, 10}}, {{20, 16, 1, false}}}}};
  const Executed merged = MergeExecuted({other, Sample()});
  ASSERT_EQ(merged.modules.size(), 2u);
  EXPECT_THAT(merged.modules[0].blocks,
              ElementsAre(ExecutedBlock{16, 8, 2, 15}, ExecutedBlock{16, 12, 3, 7},
                          ExecutedBlock{32, 4, 1, 1}));
  EXPECT_THAT(merged.modules[0].ways,
              ElementsAre(ExecutedWay{20, 16, 5, false}, ExecutedWay{20, 16, 4, true}));
  EXPECT_EQ(MergeExecuted({Sample()}), Sample());
}

TEST(Executed, PathsOfPartsAreUnited) {
  Executed other = {
      {{"/bin/a", {}, {}, {{16, 8, 0, Layer::kMpi, true, 10}, {16, 8, 1, {}, {}, 1}}}}, {"b", "a"}};
  const Executed merged = MergeExecuted({other, Sample()});
  EXPECT_THAT(merged.paths, ElementsAre("", "a", "b"));
  EXPECT_THAT(merged.modules[0].parts, ElementsAre(ExecutedPart{16, 8, 0, Layer::kWork, false, 3},
                                                   ExecutedPart{16, 8, 1, Layer::kWork, false, 1},
                                                   ExecutedPart{16, 8, 2, Layer::kMpi, true, 12}));
}

TEST(Executed, CallsLeadToTheSameModules) {
  const Executed other = {
      {{"/lib/a.so", {}, {}}, {"/lib/b.so", {}, {}, {}, {{4, 1, 8, 10}, {4, 0, 8, 1}}}}};
  const Executed merged = MergeExecuted({other, Sample()});
  ASSERT_EQ(merged.modules.size(), 3u);
  ASSERT_EQ(merged.modules[2].file, "/lib/b.so");
  EXPECT_THAT(
      merged.modules[2].calls,
      ElementsAre(ExecutedCall{4, 0, 16, 2}, ExecutedCall{4, 1, 8, 1}, ExecutedCall{4, 2, 8, 13}));
}

TEST(Executed, SumsStayAtTheGreatestNumber) {
  const Executed one = {{{"a", {{1, 1, 1, UINT64_MAX - 1}}, {}}}};
  EXPECT_EQ(MergeExecuted({one, one}).modules[0].blocks[0].times, UINT64_MAX);
}

TEST(Executed, TheFileGivesItBack) {
  Executed sample = Sample();
  for (const std::vector<std::string>& command : {std::vector<std::string>{}, {"./a", "1"}}) {
    sample.command = command;
    const Result<Executed> read = ExecutedFromJson(ExecutedToJson(sample), "a.json");
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read, sample);
    EXPECT_TRUE(test::MatchesSchema(ExecutedToJson(sample), "executed.schema.json"));
  }
}

TEST(Executed, BadFilesAreNamedWithTheirCure) {
  const auto error = [](const std::string& text) {
    return ExecutedFromJson(text, "a.json").error();
  };
  std::string text = ExecutedToJson(Sample());
  EXPECT_THAT(error(text.substr(0, text.size() / 2)), HasSubstr("a.json is truncated"));
  EXPECT_THAT(error("{}"), HasSubstr("give a file that ROOFMARK_EXECUTED wrote"));
  const std::string column = "\"bytes\":[8,12]";
  ASSERT_NE(text.find(column), std::string::npos);
  std::string shorter = text, wrong = text;
  shorter.replace(text.find(column), column.size(), "\"bytes\":[8]");
  EXPECT_THAT(error(shorter), HasSubstr("/modules/0/blocks/bytes has another length"));
  wrong.replace(text.find(column), column.size(), "\"bytes\":[8,\"x\"]");
  EXPECT_THAT(error(wrong), HasSubstr("/modules/0/blocks/bytes/1"));
  const std::string modules = "\"to_module\":[0,1]";
  ASSERT_NE(text.find(modules), std::string::npos);
  wrong = text;
  wrong.replace(wrong.find(modules), modules.size(), "\"to_module\":[0,2]");
  EXPECT_THAT(error(wrong), HasSubstr("/modules/1/calls/to_module/1 is no number of a module"));
  const std::string paths = "\"paths\":[\"\",\"b\"]";
  ASSERT_NE(text.find(paths), std::string::npos);
  text.replace(text.find(paths), paths.size(), "\"paths\":[\"\"]");
  EXPECT_THAT(error(text), HasSubstr("/modules/0/parts/path/1 is no number of a path"));
}

}  // namespace
}  // namespace roofmark
