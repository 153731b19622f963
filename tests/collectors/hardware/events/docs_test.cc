// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdlib>

#include "collectors/hardware/events/markdown.h"
#include "lib/core/file.h"

namespace roofmark::events {
namespace {

TEST(DocsTest, EventsPageIsTheTable) {
  const std::string path = DOCS "/events.md";
  if (std::getenv("ROOFMARK_TEST_WRITE_DOCS") != nullptr) {
    ASSERT_TRUE(WriteFile(path, EventsMarkdown(), IfExists::kReplace));
  }
  const Result<std::string> page = ReadFile(path);
  ASSERT_TRUE(page) << page.error();
  EXPECT_EQ(*page, EventsMarkdown())
      << "regenerate: ROOFMARK_TEST_WRITE_DOCS=1 tests/hardware_tests --gtest_filter=DocsTest.*";
}

}  // namespace
}  // namespace roofmark::events
