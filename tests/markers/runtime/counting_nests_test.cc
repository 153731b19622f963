// SPDX-License-Identifier: BSD-3-Clause
//
// Functions as regions under the counting engine (ROOFMARK_NESTS), and the file of executed code.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "lib/core/file.h"
#include "lib/found/found_json.h"
#include "tests/support/recording.h"

namespace roofmark::test {
namespace {

using testing::HasSubstr;

struct How {
  const char *name, *engine, *program;
};

class CountingNests : public Recording, public testing::WithParamInterface<How> {
 protected:
  JobProfile Count(const std::vector<std::string>& arguments, Environment environment = {}) {
    environment["ROOFMARK_ENGINE"] = GetParam().engine;
    environment["ROOFMARK_COLLECTOR"] = "counting";
    environment["ROOFMARK_COUNT"] = "flops";
    std::vector<std::string> command = {GetParam().program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return RunAndRead(command, environment);
  }
  // Writes a plan in which these functions are regions; returns its name.
  std::string Plan(const std::vector<std::string>& functions) {
    NestPlan plan;
    plan.modules = {GetParam().program};
    for (const std::string& function : functions) {
      const auto index = static_cast<uint32_t>(plan.nests.size());
      const auto [begin, bytes] = Extent(function);
      plan.nests.push_back({function + "()", "working.c", 7, {}, true});
      plan.ranges.push_back({0, index, begin, begin + bytes});
      plan.entries.push_back({0, index, begin});
    }
    const auto before = [](const auto& one, const auto& other) {
      return PlaceOf(one) < PlaceOf(other);
    };
    std::sort(plan.ranges.begin(), plan.ranges.end(), before);
    std::sort(plan.entries.begin(), plan.entries.end(), before);
    const std::string file = directory_.File("nests.json");
    EXPECT_TRUE(WriteFile(file, NestPlanToJson(plan), IfExists::kReplace));
    return file;
  }
  // Where nm finds a function, and how long it is.
  std::pair<uint64_t, uint64_t> Extent(const std::string& function) {
    const Ended ended = test::Run({"nm", "-S", GetParam().program}, {}, directory_.path());
    std::istringstream lines(ended.out);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string begin, bytes, kind, name;
      words >> begin >> bytes >> kind >> name;
      if (name == function) {
        return {std::stoull(begin, nullptr, 16), std::stoull(bytes, nullptr, 16)};
      }
    }
    ADD_FAILURE() << "no function " << function;
    return {0, 1};
  }
  static uint64_t Adds(const JobProfile& job, const std::string& path) {
    const int row = job.FindPath(path);
    if (row < 0) return 0;
    return static_cast<uint64_t>(
        job.At(static_cast<size_t>(row),
               FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd))
            .Sum());
  }

 private:
  static uint64_t PlaceOf(const PlannedRange& range) { return range.begin; }
  static uint64_t PlaceOf(const PlannedEntry& entry) { return entry.place; }
};

TEST_P(CountingNests, FunctionsAreRegionsOfAProgramWithoutMarkers) {
  const JobProfile job = Count({"led"}, {{"ROOFMARK_NESTS", Plan({"Led"})}});
  ASSERT_EQ(job.paths.size(), 1u);
  EXPECT_EQ(job.paths[0].path, "Led()");
  EXPECT_EQ(job.paths[0].file, "working.c");
  EXPECT_EQ(job.paths[0].line, 7u);
  EXPECT_EQ(Adds(job, "Led()"), 2u * (100 + 3 * 1000)) << "with what the team does for it";
  EXPECT_EQ(Value(job, "Led()", metric::kVisits), 2u);
  EXPECT_EQ(Value(job, "Led()", metric::kWorkers), 3u);
}

TEST_P(CountingNests, TheyNestInEachOtherAndInMarkers) {
  const std::string plan = Plan({"Led", "Add"});
  const JobProfile led = Count({"led"}, {{"ROOFMARK_NESTS", plan}});
  EXPECT_EQ(Adds(led, "Led()"), 2u * (100 + 3 * 1000));
  EXPECT_EQ(Adds(led, "Led()/Add()"), 2u * (100 + 3 * 1000));
  EXPECT_EQ(Adds(led, "Add()"), 10u);
  std::remove(output_.c_str());
  const JobProfile team = Count({"team", "4"}, {{"ROOFMARK_NESTS", plan}});
  EXPECT_EQ(Adds(team, "team"), 2u * 10'000);
  EXPECT_EQ(Adds(team, "team/Add()"), 10'000u);
  EXPECT_EQ(Adds(team, "team/own/Add()"), 10'000u);
}

TEST_P(CountingNests, ExecutedCodeIsWrittenBesideTheRooflineFile) {
  Count({"led"}, {{"ROOFMARK_EXECUTED", "on"}, {"ROOFMARK_OUTSIDE", "on"}});
  const std::string file = directory_.File("run.executed0.json");
  const Result<std::string> text = ReadFile(file);
  ASSERT_TRUE(text) << text.error();
  const Result<Executed> executed = ExecutedFromJson(*text, file);
  ASSERT_TRUE(executed) << executed.error();
  const auto program =
      std::find_if(executed->modules.begin(), executed->modules.end(),
                   [](const ExecutedModule& module) { return module.file == GetParam().program; });
  ASSERT_NE(program, executed->modules.end());
  const auto [begin, bytes] = Extent("Add");
  uint64_t back = 0;
  for (const ExecutedWay& way : program->ways) {
    const bool inside = way.from >= begin && way.from < begin + bytes && way.to >= begin;
    if (inside && way.to < way.from) back += way.times;
  }
  // Each of the calls goes back once less than it adds.
  EXPECT_EQ(back, 2u * (100 + 3 * 1000) + 10 - (2 * 4 + 1));
}

TEST_P(CountingNests, APlanThatIsMissingIsSaidAndTheProgramGoesOn) {
  Count({"nested"}, {{"ROOFMARK_NESTS", directory_.File("missing.json")}});
  EXPECT_THAT(ended_.err, HasSubstr("ROOFMARK_NESTS: "));
  EXPECT_THAT(ended_.err, HasSubstr("missing.json"));
}

// Each engine, and each runtime of OpenMP.
const How kHow[] = {
    {"valgrind_libgomp", "valgrind", WORKING},
    {"native_libgomp", "native", WORKING},
#ifdef WORKING_LIBOMP
    {"valgrind_libomp", "valgrind", WORKING_LIBOMP},
    {"native_libomp", "native", WORKING_LIBOMP},
#endif
};
INSTANTIATE_TEST_SUITE_P(Engines, CountingNests, testing::ValuesIn(kHow),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace roofmark::test
