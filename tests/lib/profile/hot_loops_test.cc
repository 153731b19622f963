// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/hot_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/roofline_json.h"
#include "tests/lib/incore/made_up_loops.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/lib/profile/schema_check.h"

namespace roofmark {
namespace {

using ::testing::HasSubstr;

std::string Text() {
  RooflineFile file;
  file.job = test::EmptyJob(1);
  file.hot = test::MadeUpLoops();
  return RooflineToJson(file);
}

std::string Changed(const std::string& from, const std::string& to) {
  std::string text = Text();
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  const Result<RooflineFile> file = RooflineFromJson(text, "f.json");
  return file ? "" : file.error();
}

TEST(HotLoops, AFileHasThemAsTheyWere) {
  const Result<RooflineFile> file = RooflineFromJson(Text(), "f.json");
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->hot, test::MadeUpLoops());
  EXPECT_TRUE(test::MatchesSchema(Text(), "roofline.schema.json"));
}

TEST(HotLoops, WhatIsDamagedIsNamed) {
  EXPECT_THAT(Changed("c5fd1004", "c5fd100"), HasSubstr("/hot_loops/loops/0/blocks/0/code"));
  EXPECT_THAT(Changed("c5fd1004", "c5fd10xy"), HasSubstr("hexadecimal"));
  EXPECT_THAT(Changed("c5fd1004", std::string(8200, '0')), HasSubstr("at most 4096 bytes"));
  EXPECT_THAT(Changed("\"timed\": true", "\"timed\": 3"), HasSubstr("/hot_loops/timed"));
  EXPECT_THAT(Changed("\"sources\"", "\"others\""), HasSubstr("must name a source"));
}

}  // namespace
}  // namespace roofmark
