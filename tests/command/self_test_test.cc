// SPDX-License-Identifier: BSD-3-Clause
//
// The whole self-test under the counting engine, which does not miss an operation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/lib/profile/schema_check.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using nlohmann::json;
using test::Ended;
using ::testing::HasSubstr;

TEST(SelfTestCommand, EngineIsExact) {
  const test::TempDir directory;
  const Ended ended =
      test::Run({ROOFMARK, "doctor", "--self-test", "--collector", "counting", "--json"},
                {{"XDG_CACHE_HOME", directory.path()}}, directory.path(), 300);
  ASSERT_EQ(ended.status, 0) << ended.out << ended.err;
  EXPECT_TRUE(!test::HavePythonJsonschema() ||
              test::MatchesSchema(ended.out, "doctor.schema.json"));
  const json test = json::parse(ended.out)["self_test"];
  EXPECT_EQ(test["collector"], "counting");
  EXPECT_EQ(test["off"], 0);
  std::set<std::string> kernels, families;
  for (const json& check : test["checks"]) {
    const std::string family = check["family"];
    families.insert(family);
    if (family == "flops" && !check["ratio"].is_null()) kernels.insert(check["exercise"]);
    if (family == "flops" || family == "instructions" || family == "threads") {
      EXPECT_EQ(check["counted"], check["known_most"]) << check.dump();
    }
  }
  EXPECT_EQ(families,
            (std::set<std::string>{"caches", "dram", "flops", "instructions", "threads"}));
  for (const char* kernel : {"dp scalar add", "dp 128 mul", "dp 256 fma", "dp 256 div",
                             "sp scalar sqrt", "sp 128 fma", "sp 256 add"}) {
    EXPECT_TRUE(kernels.count(kernel)) << kernel;
  }
}

TEST(SelfTestCommand, DoctorProbesTheEngineByCounting) {
  const test::TempDir directory;
  const test::Environment environment = {{"XDG_CACHE_HOME", directory.path()}};
  const Ended ended = test::Run({ROOFMARK, "doctor"}, environment, directory.path());
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("  ok           counting engine     counts FLOPs exactly"));
  EXPECT_THAT(ended.out,
              HasSubstr(HAS_NATIVE ? "  ok           native engine       counts FLOPs exactly"
                                   : "  missing      native engine       is not there"));
}

}  // namespace
}  // namespace roofmark
