// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of the documents that are written from tables.
#ifndef ROOFMARK_TESTS_LIB_REPORT_DOCUMENTS_H_
#define ROOFMARK_TESTS_LIB_REPORT_DOCUMENTS_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "lib/core/file.h"

namespace roofmark::test {

// The lines of `file` between two lines; written anew if the test is asked to.
inline void ExpectBetween(const std::string& file, std::string_view begin, std::string_view end,
                          const std::string& text) {
  const std::string path = std::string(ROOFMARK_DOCS_DIR "/") + file;
  const Result<std::string> page = ReadFile(path);
  ASSERT_TRUE(page) << page.error();
  const size_t from = page->find(begin);
  ASSERT_NE(from, std::string::npos) << file << " lacks the line " << begin;
  const size_t first = from + begin.size(), last = page->find(end, first);
  ASSERT_NE(last, std::string::npos) << file << " lacks the line " << end;
  if (std::getenv("ROOFMARK_TEST_WRITE_DOCS") != nullptr) {
    const std::string whole = page->substr(0, first) + text + page->substr(last);
    ASSERT_TRUE(WriteFile(path, whole, IfExists::kReplace));
    return;
  }
  EXPECT_EQ(page->substr(first, last - first), text)
      << "regenerate: ROOFMARK_TEST_WRITE_DOCS=1 build/dev/tests/lib_tests";
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_REPORT_DOCUMENTS_H_
