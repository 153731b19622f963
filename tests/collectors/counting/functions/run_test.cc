// SPDX-License-Identifier: BSD-3-Clause
//
// Functions by name as regions under the counting engine (ROOFMARK_FUNCTIONS).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/recording.h"

namespace roofmark::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CountingFunctions : public Recording, public testing::WithParamInterface<const char*> {
 protected:
  JobProfile Count(const std::string& functions, std::vector<std::string> arguments = {}) {
    std::vector<std::string> command = {CALLS};
    command.insert(command.end(), arguments.begin(), arguments.end());
    environment_["LD_PRELOAD"] = LIBRARY;
    environment_["ROOFMARK_ENGINE"] = GetParam();
    environment_["ROOFMARK_COLLECTOR"] = "counting";
    environment_["ROOFMARK_COUNT"] = "flops";
    environment_["ROOFMARK_FUNCTIONS"] = functions;
    return RunAndRead(command, environment_);
  }
  Environment environment_;

  // "additions in visits" of a region.
  static std::string Of(const JobProfile& job, const std::string& path) {
    const int row = job.FindPath(path);
    if (row < 0) return "no region";
    const auto at = [&](MetricId metric) {
      return std::to_string(static_cast<uint64_t>(job.At(static_cast<size_t>(row), metric).Sum()));
    };
    return at(FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd)) + " in " +
           at(metric::kVisits);
  }
};

TEST_P(CountingFunctions, HaveWhatTheyCall) {
  const JobProfile job = Count("app:ns::Solve*");
  EXPECT_EQ(job.paths.size(), 2u);
  EXPECT_EQ(Of(job, "ns::Solve<int>()"), "100 in 1");
  EXPECT_EQ(Of(job, "ns::Solve()"), "7 in 1");
}

TEST_P(CountingFunctions, OfALibraryAreBelowTheirCallers) {
  const JobProfile job = Count("libfunctions_called*:called_also_,app:Again");
  EXPECT_EQ(Of(job, "Again()"), "25 in 1") << "recursion stays in the region";
  EXPECT_EQ(Of(job, "Again()/called_also_()"), "25 in 10");
  EXPECT_EQ(Of(job, "called_also_()"), std::to_string(7 * 11 + 22 + 100 + 7 + 1000) + " in 21");
}

TEST_P(CountingFunctions, ThatCallEachOtherNest) {
  const JobProfile job = Count("app:Even,app:Odd");
  EXPECT_EQ(job.paths.size(), 4u);
  EXPECT_EQ(Of(job, "Even()"), "77 in 1");
  EXPECT_EQ(Of(job, "Even()/Odd()"), "66 in 1");
  EXPECT_EQ(Of(job, "Odd()"), "22 in 1");
  EXPECT_EQ(Of(job, "Odd()/Even()"), "11 in 1");
}

TEST_P(CountingFunctions, OfALibraryThatIsOpenedLate) {
  const JobProfile job = Count(std::string(CALLED_LATE) + ":called_add", {CALLED_LATE});
  EXPECT_EQ(job.paths.size(), 1u);
  EXPECT_EQ(Of(job, "called_add()"), "20 in 1");
}

TEST_P(CountingFunctions, ThatThereAreNotAreSaidInTheFile) {
  const JobProfile job = Count("app:Even,app:Uneven");
  EXPECT_EQ(Of(job, "Even()"), "88 in 2");
  ASSERT_EQ(job.run.passes.size(), 1u);
  EXPECT_THAT(job.run.passes[0].facts.at("functions"),
              HasSubstr("`app:Uneven` matches no function"));
}

TEST_P(CountingFunctions, AreNotPlannedTwice) {
  environment_["ROOFMARK_NESTS"] = directory_.File("nests.json");
  Count("app:Even");
  EXPECT_THAT(ended_.err, AllOf(HasSubstr("ROOFMARK_FUNCTIONS: "), HasSubstr("ROOFMARK_NESTS")));
}

INSTANTIATE_TEST_SUITE_P(Engines, CountingFunctions, testing::Values("valgrind", "native"),
                         [](const auto& given) { return std::string(given.param); });

}  // namespace
}  // namespace roofmark::test
