// SPDX-License-Identifier: BSD-3-Clause
//
// What a fuzz target demands ends the process where it does not hold.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/core/file.h"
#include "tests/support/process.h"

#define ROW(target) extern "C" int Fuzz_##target(const uint8_t* data, size_t size);
#include "rows.inc"
#undef ROW

namespace roofmark {
namespace {

struct Target {
  const char* name;
  int (*take)(const uint8_t*, size_t);
};
constexpr Target kTargets[] = {
#define ROW(target) {#target, &Fuzz_##target},
#include "rows.inc"
#undef ROW
};

class Seeds : public ::testing::TestWithParam<Target> {};

TEST_P(Seeds, Hold) {
  const std::string folder = std::string(CORPUS "/") + GetParam().name;
  const std::vector<std::string> files = test::ListFiles(folder);
  EXPECT_FALSE(files.empty());
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const Result<std::string> bytes = ReadFile(folder + "/" + file);
    ASSERT_TRUE(bytes) << bytes.error();
    EXPECT_FALSE(bytes->empty());
    const auto* data = reinterpret_cast<const uint8_t*>(bytes->data());
    EXPECT_EQ(GetParam().take(data, bytes->size()), 0);
  }
}
INSTANTIATE_TEST_SUITE_P(Fuzz, Seeds, ::testing::ValuesIn(kTargets),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace roofmark
