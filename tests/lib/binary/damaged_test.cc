// SPDX-License-Identifier: BSD-3-Clause
//
// Files that are cut short or changed are errors, or give less; they never end the process.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "lib/binary/binary.h"
#include "lib/core/file.h"
#include "tests/support/process.h"

namespace roofmark::binary {
namespace {

// Asks everything of it that can be asked.
void AskAll(const std::string& path) {
  auto file = Binary::Open(path);
  if (!file) {
    EXPECT_NE(file.error().find(path), std::string::npos) << file.error();
    return;
  }
  if (!file->sources()) return;
  size_t asked = 0;
  for (const Function& function : file->functions()) {
    if (++asked > 200) break;
    file->sources()->RowsIn(function.begin, std::min(function.end, function.begin + 4096));
    file->sources()->FunctionAround(function.begin);
    file->Code(function.begin, 16);
  }
}

std::string Sample() {
  const auto content = ReadFile(ROOFMARK_SAMPLE);
  EXPECT_TRUE(content);
  return content ? *content : "";
}

TEST(DamagedBinaryTest, CutShort) {
  const test::TempDir directory;
  const std::string sample = Sample();
  const size_t step = sample.size() / 97 + 1;
  for (size_t bytes = 0; bytes < sample.size(); bytes += step) {
    directory.Write("cut", sample.substr(0, bytes));
    AskAll(directory.File("cut"));
  }
  directory.Write("cut", sample.substr(0, 1000));
  const auto file = Binary::Open(directory.File("cut"));
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().find("damaged or cut short"), std::string::npos) << file.error();
}

TEST(DamagedBinaryTest, RandomBytesBehindTheHeader) {
  const test::TempDir directory;
  std::mt19937 random(17);
  for (int round = 0; round < 50; ++round) {
    std::string content = Sample().substr(0, 64);
    while (content.size() < 20000) content += static_cast<char>(random());
    directory.Write("random", content);
    AskAll(directory.File("random"));
  }
}

TEST(DamagedBinaryTest, SomeBytesAreWrong) {
  const test::TempDir directory;
  const std::string sample = Sample();
  std::mt19937 random(18);
  for (int round = 0; round < 100; ++round) {
    std::string content = sample;
    // Few in all of the file; or many in one piece of it.
    const size_t begin = round % 2 == 0 ? 0 : random() % content.size();
    const size_t range = round % 2 == 0 ? content.size() : 512;
    for (int i = 0; i < 200; ++i) {
      content[std::min(begin + random() % range, content.size() - 1)] = static_cast<char>(random());
    }
    directory.Write("wrong", content);
    AskAll(directory.File("wrong"));
  }
}

TEST(DamagedBinaryTest, OtherFilesAreNamed) {
  const test::TempDir directory;
  directory.Write("text", "no program, but a text that is longer than the header of a program is");
  const auto text = Binary::Open(directory.File("text"));
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().find("it is no ELF file"), std::string::npos) << text.error();
  EXPECT_NE(Binary::Open(directory.File("none")).error().find("No such file"), std::string::npos);
  EXPECT_NE(Binary::Open("/dev/zero").error().find("it is no file"), std::string::npos);
  std::string other = Sample();
  other[18] = 40;  // the machine: ARM
  directory.Write("arm", other);
  EXPECT_NE(Binary::Open(directory.File("arm")).error().find("architecture"), std::string::npos);
}

}  // namespace
}  // namespace roofmark::binary
