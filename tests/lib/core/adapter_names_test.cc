// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/adapter_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "lib/core/settings.h"

namespace roofmark {
namespace {

TEST(AdapterNames, SetsOfNames) {
  EXPECT_EQ(ParseAdapters("all"), kAllAdapters);
  EXPECT_EQ(ParseAdapters(AdapterNames().substr(0, AdapterNames().find(','))), 1u);
  for (const char* wrong : {"", "likwid,", ",likwid", "likwid, likwid", "LIKWID", "none", "all,"}) {
    EXPECT_EQ(ParseAdapters(wrong), std::nullopt) << wrong;
  }
  uint32_t all = 0;
  for (const AdapterName& name : kAdapterNames) all |= ParseAdapters(name.id).value_or(0);
  EXPECT_EQ(all, kAllAdapters);
}

TEST(AdapterNames, TheSettingTakesThem) {
  const char* environment[] = {"ROOFMARK_ADAPTERS=likwid", nullptr};
  EXPECT_EQ(ParseSettings(environment).settings.adapters, AdapterBit("likwid"));
  const char* wrong[] = {"ROOFMARK_ADAPTERS=tau", nullptr};
  const ParsedSettings parsed = ParseSettings(wrong);
  EXPECT_EQ(parsed.settings.adapters & kAllAdapters, kAllAdapters);
  ASSERT_EQ(parsed.problems.size(), 1u);
  EXPECT_THAT(parsed.problems[0], testing::HasSubstr(AdapterNames()));
}

// Each row of the table is one of the page, with how the adapter gets in.
TEST(AdapterNames, ThePageHasThem) {
  std::ifstream file(SOURCE_DIR "/docs/adapters.md");
  std::ostringstream page;
  page << file.rdbuf();
  for (const AdapterName& name : kAdapterNames) {
    std::string row = "| `" + std::string(name.id) + "` | " + std::string(name.tool) + " | ";
    if (name.variables[0].empty()) row += "its functions";
    for (const std::string_view variable : name.variables) {
      if (variable.empty()) continue;
      row += (variable == name.variables[0] ? "`" : ", `") + std::string(variable) + "`";
    }
    EXPECT_THAT(page.str(), testing::HasSubstr(row + " |"));
  }
}

}  // namespace
}  // namespace roofmark
