// SPDX-License-Identifier: BSD-3-Clause
//
// Golden files lie in tests/golden. After an intended change write them anew and look at the
// difference:  ROOFMARK_UPDATE_GOLDEN=1 build/dev/tests/lib_tests && git diff tests/golden
#ifndef ROOFMARK_TESTS_LIB_REPORT_GOLDEN_H_
#define ROOFMARK_TESTS_LIB_REPORT_GOLDEN_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace roofmark::test {

inline void ExpectGolden(const std::string& text, const std::string& name) {
  const std::string path = std::string(ROOFMARK_GOLDEN_DIR "/") + name;
  if (std::getenv("ROOFMARK_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    GTEST_SKIP() << path << " written anew";
  }
  std::ostringstream expected;
  expected << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, expected.str()) << "differs from " << path;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_REPORT_GOLDEN_H_
