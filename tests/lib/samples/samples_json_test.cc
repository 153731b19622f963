// SPDX-License-Identifier: BSD-3-Clause
#include "lib/samples/samples_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/limits.h"
#include "tests/lib/profile/json_kinds.h"
#include "tests/lib/profile/schema_check.h"
#include "tests/lib/samples/some_samples.h"

namespace roofmark {
namespace {

using test::SomeSamples;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ErrorOf(const nlohmann::json& json) {
  const Result<Samples> read = SamplesFromJson(json.dump(), "F");
  return read ? "" : read.error();
}
nlohmann::json Document() { return nlohmann::json::parse(SamplesToJson(SomeSamples())); }

TEST(SamplesJson, ComesBackAsItWas) {
  const Samples samples = SomeSamples();
  const Result<Samples> read = SamplesFromJson(SamplesToJson(samples), "F");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, samples);
  EXPECT_EQ(*SamplesFromJson(SamplesToJson({}), "F"), Samples());
}

TEST(SamplesJson, MatchesItsSchema) {
  ROOFMARK_SKIP_WITHOUT_JSONSCHEMA();
  EXPECT_TRUE(test::MatchesSchema(SamplesToJson(SomeSamples()), "samples.schema.json"));
  nlohmann::json wrong = Document();
  wrong["processes"][0]["threads"][0]["method"] = "guess";
  EXPECT_FALSE(test::MatchesSchema(wrong.dump(), "samples.schema.json"));
}

TEST(SamplesJson, BytesThatAreNoTextAreKeptReadable) {
  Samples samples = SomeSamples();
  samples.modules[0].file = "/opt/\xff";
  const Result<Samples> read = SamplesFromJson(SamplesToJson(samples), "F");
  ASSERT_TRUE(read) << read.error();
  EXPECT_THAT(read->modules[0].file, StartsWith("/opt/"));
}

// --- what is refused
// ------------------------------------------------------------------------------

TEST(SamplesJson, OtherFilesAreNamed) {
  EXPECT_THAT(SamplesFromJson("", "F").error(), StartsWith("F is empty; give a file"));
  EXPECT_THAT(SamplesFromJson("{}", "F").error(), StartsWith("F is no samples file: "));
  EXPECT_THAT(SamplesFromJson("[1]", "F").error(), StartsWith("F is no samples file: "));
  const std::string text = SamplesToJson(SomeSamples());
  EXPECT_THAT(SamplesFromJson(text.substr(0, text.size() / 2), "F").error(),
              StartsWith("F is truncated at byte "));
  nlohmann::json newer = Document();
  newer["version"] = 2;
  EXPECT_THAT(ErrorOf(newer), StartsWith("F is of version 2; this roofmark reads up to 1"));
}

TEST(SamplesJson, ValuesOfOtherKindsAreNamed) {
  // They identify the file; the rest is checked where it is read.
  const std::vector<std::string> elsewhere = {"/format", "/version"};
  const nlohmann::json document = Document();
  for (const std::string& pointer : test::PointersIn(document)) {
    if (test::IsOneOf(pointer, elsewhere)) continue;
    const nlohmann::json& value = document[nlohmann::json::json_pointer(pointer)];
    for (const nlohmann::json& other : test::OtherKinds(value)) {
      EXPECT_THAT(ErrorOf(test::With(document, pointer, other)), HasSubstr(pointer))
          << pointer << " " << other;
    }
  }
}

TEST(SamplesJson, MembersThatAreMissingAreNamed) {
  const std::vector<std::string> optional = {
      "/processes/0/(command|start_time|why_not_perf_event|why_no_kernel|warnings|other_threads)",
      "/processes/0/(counted|counted/./times|why_not_counted|mpi_calls)",
      "/modules/./kernel_ns",
      "/processes/0/own.*",
      "/processes/0/threads/./kernel",
      "/modules/./build_id"};
  const nlohmann::json document = Document();
  for (const std::string& pointer : test::PointersIn(document)) {
    if (test::IsItem(pointer)) continue;
    const bool may_be_missing = test::IsOneOf(pointer, optional);
    const std::string error = ErrorOf(test::Without(document, pointer));
    EXPECT_EQ(error.empty(), may_be_missing) << pointer << ": " << error;
  }
}

TEST(SamplesJson, ValuesThatContradictEachOtherAreNamed) {
  const auto error_of = [](const std::string& pointer, const nlohmann::json& value) {
    return ErrorOf(test::With(Document(), pointer, value));
  };
  EXPECT_THAT(error_of("/processes/0/rank", 1), HasSubstr("/processes/0/rank is 1"));
  EXPECT_THAT(error_of("/processes/0/ranks", limits::kRanks + 1), HasSubstr("/processes/0/ranks"));
  EXPECT_THAT(error_of("/processes/0/threads/0/kernel", 31), HasSubstr("is above `samples`"));
  EXPECT_THAT(error_of("/processes/0/threads/0/period_ns", 0), HasSubstr("period_ns is 0"));
  EXPECT_THAT(error_of("/processes/0/mpi_calls/ways/0/file/1", 2), HasSubstr("is no index of"));
  EXPECT_THAT(error_of("/processes/0/mpi_calls/ways/0/offset", {1}), HasSubstr("is not as long"));
  EXPECT_THAT(error_of("/processes/0/threads/1/number", 0), HasSubstr("/threads/1/number"));
  EXPECT_THAT(error_of("/modules/0/offset/1", 16), HasSubstr("/modules/0/offset/1 is not"));
  EXPECT_THAT(error_of("/modules/0/cpu_ns", {1}), HasSubstr("/modules/0/offset is longer"));
  EXPECT_THAT(error_of("/modules/0/main_ns/0", 20'000'001), HasSubstr("is above `cpu_ns`"));
  EXPECT_THAT(error_of("/modules/0/samples", {1, 2, 3}), HasSubstr("/modules/0/samples has 3"));
  EXPECT_THAT(error_of("/modules/0/build_id", "XY"), HasSubstr("is not hexadecimal"));
}

TEST(SamplesJson, MoreThanTheLimitsIsRefused) {
  Samples samples = SomeSamples();
  samples.modules.resize(limits::kSampledModules + 1);
  EXPECT_THAT(SamplesFromJson(SamplesToJson(samples), "F").error(), HasSubstr("/modules has "));
  samples = SomeSamples();
  samples.modules.resize(1);
  for (uint64_t i = 0; i < limits::kSampledPlaces; ++i) {
    samples.modules[0].places.push_back({(1 << 21) + i, 1, 1});
  }
  EXPECT_THAT(SamplesFromJson(SamplesToJson(samples), "F").error(),
              HasSubstr("/modules/0/offset has "));
}

}  // namespace
}  // namespace roofmark
