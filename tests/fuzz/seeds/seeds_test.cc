// SPDX-License-Identifier: BSD-3-Clause
//
// What a fuzz target demands ends the process where it does not hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

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

std::vector<std::filesystem::path> FilesIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Seeds : public ::testing::TestWithParam<Target> {};

TEST_P(Seeds, Hold) {
  const auto files = FilesIn(std::filesystem::path(CORPUS) / GetParam().name);
  EXPECT_FALSE(files.empty());
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file);
    std::ifstream in(file, std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_FALSE(bytes.empty());
    EXPECT_EQ(GetParam().take(bytes.data(), bytes.size()), 0);
  }
}
INSTANTIATE_TEST_SUITE_P(Fuzz, Seeds, ::testing::ValuesIn(kTargets),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace roofmark
