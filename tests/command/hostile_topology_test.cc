// SPDX-License-Identifier: BSD-3-Clause
//
// Damaged hwloc XML files: each ends with a plan or with a sentence, and what crashes is hwloc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "lib/core/file.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Ended;
using testing::HasSubstr;

using Random = std::mt19937;

size_t Below(Random& random, size_t end) { return random() % end; }

// Another value for one attribute.
void ChangeValue(std::string& xml, Random& random) {
  const std::vector<std::string> values = {
      "0",          "1",       "-1",   "3",        "65535",   "4294967295", "18446744073709551615",
      "0x00000000", "0xf...f", "0xff", "NUMANode", "L1Cache", "Core",       ""};
  const size_t begin = xml.find("=\"", Below(random, xml.size()));
  const size_t end = begin == std::string::npos ? begin : xml.find('"', begin + 2);
  if (end == std::string::npos) return;
  xml.replace(begin + 2, end - begin - 2, values[Below(random, values.size())]);
}

// No object of some types is left.
void ChangeTypes(std::string& xml, Random& random) {
  for (const std::string type : {"Package", "L3Cache", "L2Cache", "L1Cache", "Core", "NUMANode"}) {
    if (Below(random, 2) == 0) continue;
    const std::string mark = "type=\"" + type + "\"";
    for (size_t at = xml.find(mark); at != std::string::npos; at = xml.find(mark, at)) {
      xml.replace(at, mark.size(), "type=\"Group\"");
    }
  }
}

void ChangeByte(std::string& xml, Random& random) {
  xml[Below(random, xml.size())] = static_cast<char>(random());
}

// Lines are elements, or the end of one.
size_t LineAt(const std::string& xml, Random& random) {
  return xml.rfind('\n', Below(random, xml.size())) + 1;
}

void DropLine(std::string& xml, Random& random) {
  const size_t begin = LineAt(xml, random);
  xml.erase(begin, xml.find('\n', begin) - begin);
}

void RepeatLine(std::string& xml, Random& random) {
  const size_t begin = LineAt(xml, random);
  const std::string line = xml.substr(begin, xml.find('\n', begin) - begin + 1);
  xml.insert(LineAt(xml, random), line);
}

std::string Damaged(std::string xml, uint32_t seed) {
  Random random(seed);
  constexpr void (*kWays[])(std::string&, Random&) = {ChangeValue, ChangeTypes, ChangeByte,
                                                      DropLine, RepeatLine};
  for (size_t times = 1 + Below(random, 4); times > 0; --times) {
    kWays[Below(random, std::size(kWays))](xml, random);
  }
  return xml;
}

TEST(HostileTopology, EndsWithAPlanOrASentence) {
  const Result<std::string> sound = ReadFile(TOPOLOGY);
  ASSERT_TRUE(sound) << sound.error();
  const test::TempDir directory;
  const std::string file = directory.File("t.xml");
  int plans = 0, sentences = 0;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    ASSERT_TRUE(WriteFile(file, Damaged(*sound, seed), IfExists::kReplace));
    const Ended ended = test::Run({ROOFMARK, "machine", "--topology", file, "--quick"},
                                  {{"HWLOC_HIDE_ERRORS", "2"}}, directory.path(), 300);
    if (ended.status == 0) {
      ++plans;
      EXPECT_THAT(ended.out, HasSubstr("plan of a quick measurement")) << "seed " << seed;
      continue;
    }
    ++sentences;
    EXPECT_EQ(ended.status, 1) << "seed " << seed << ": " << ended.err;
    EXPECT_THAT(ended.err, HasSubstr(file)) << "seed " << seed;
    if (ended.err.find("hwloc crashed") == std::string::npos) continue;
    const Ended alone = test::Run({LOADS_HWLOC, file}, {{"HWLOC_HIDE_ERRORS", "2"}}, ".", 300);
    EXPECT_GT(alone.status, 1) << "seed " << seed << ": hwloc survives it, roofmark does not";
  }
  EXPECT_GT(plans, 10);
  EXPECT_GT(sentences, 10);
}

}  // namespace
}  // namespace roofmark
