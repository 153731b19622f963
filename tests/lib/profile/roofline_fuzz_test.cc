// SPDX-License-Identifier: BSD-3-Clause
//
// Roofline files that are cut short or damaged anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lib/profile/roofline_json.h"
#include "tests/lib/profile/sample_file.h"
#include "tests/support/pairs.h"

namespace roofmark {
namespace {

using test::SampleFile;
using ::testing::StartsWith;

// Every byte of both ends; the long table of metrics in between by steps.
TEST(RooflineJsonFuzz, TruncatedAnywhere) {
  std::string text = RooflineToJson(SampleFile());
  text.pop_back();  // the line feed at the end is no loss
  for (size_t n = 1; n < text.size(); n += (n > 900 && n + 500 < text.size()) ? 97 : 1) {
    const auto read = RooflineFromJson(std::string_view(text).substr(0, n), "f.json");
    ASSERT_FALSE(read) << n;
    ASSERT_THAT(read.error(), StartsWith("f.json is truncated at byte " + std::to_string(n)));
  }
}

// Every value of the file replaced by one of another type, of every type in turn: an error or a
// valid profile, and what is valid can be written again.
TEST(RooflineJsonFuzz, EveryValueOfEveryType) {
  const auto good = nlohmann::json::parse(RooflineToJson(SampleFile()));
  const std::vector<nlohmann::json> values = {
      nullptr, true, -1, 1e300, UINT64_MAX, "x", nlohmann::json::array({1}), {{"k", 1}}};
  size_t refused = 0, accepted = 0, turn = 0;
  const auto flat = good.flatten();
  for (const auto& [pointer, ignored] : flat.items()) {
    // Most metrics stand for each other; the whole table would only cost time.
    if (pointer.find("/metrics/") == 0 && pointer.find("/metrics/visits/") != 0) continue;
    for (const auto& value : test::InTurn(values, turn++)) {
      auto bad = good;
      bad[nlohmann::json::json_pointer(pointer)] = value;
      const auto read = RooflineFromJson(bad.dump(), "f.json");
      if (read) {
        ++accepted;
        RooflineToJson(*read);
      } else {
        ++refused;
        ASSERT_THAT(read.error(), StartsWith("f.json is "));
      }
    }
  }
  EXPECT_GT(refused, accepted);
}

TEST(RooflineJsonFuzz, FlippedBytes) {
  const std::string text = RooflineToJson(SampleFile());
  uint32_t state = 12345;  // a linear congruence: the same bytes in every run
  for (int i = 0; i < 500; ++i) {
    std::string bad = text;
    for (int k = 0; k < 3; ++k) {
      state = state * 1664525u + 1013904223u;
      bad[(state >> 8) % bad.size()] = static_cast<char>(state >> 24);
    }
    const auto read = RooflineFromJson(bad, "f.json");
    if (!read) {
      ASSERT_THAT(read.error(), StartsWith("f.json "));
    }
  }
}

}  // namespace
}  // namespace roofmark
