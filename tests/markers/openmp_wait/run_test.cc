// SPDX-License-Identifier: BSD-3-Clause
//
// Time of threads in parallel regions, as `roofmark run` measures it: in the region where they are
// begun, and in those around it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/markers/openmp_wait/cases.h"
#include "tests/support/clocks.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using testing::HasSubstr;

constexpr uint64_t kWorkNs = kWorkMs * 950'000, kWaitNs = kWorkMs * 500'000;

class OpenMpWaitByTheCommand : public testing::Test {
 protected:
  test::Ended Run(const std::vector<std::string>& options) {
    std::vector<std::string> command = {ROOFMARK, "run", "--no-machine", "--collector",
                                        "timer",  "-o",  "run.json"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", MARKED_CASES});
    return test::Run(command, {}, directory_.path(), 120);
  }
  JobProfile Job() const { return test::ReadRoofline(directory_.File("run.json")).job; }
  static Cell At(const JobProfile& job, const std::string& path, MetricId metric) {
    const int row = job.FindPath(path);
    EXPECT_GE(row, 0) << path;
    return row < 0 ? Cell{} : job.At(static_cast<size_t>(row), metric);
  }

  test::TempDir directory_;
};

TEST_F(OpenMpWaitByTheCommand, MeasuresIt) {
  if (!test::TicksAgree()) GTEST_SKIP() << test::kTicksDisagree;
  const test::Ended ended = Run({});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const JobProfile job = Job();
  EXPECT_EQ(job.sources[metric::kOpenMpBusyNs].origin, "openmp_wait");
  EXPECT_GE(At(job, "all/end", metric::kOpenMpBusiestNs).max, 4 * kWorkNs);
  EXPECT_GE(At(job, "all/end", metric::kOpenMpWaitNs).max, 4 * kWaitNs);
  EXPECT_GE(At(job, "all/barrier", metric::kOpenMpBusyNs).max, 3 * kWorkNs);
  EXPECT_EQ(At(job, "all/alone", metric::kParallelNs).max, 0u);
  for (const MetricId id : {metric::kParallelNs, metric::kOpenMpBusyNs, metric::kOpenMpBusiestNs,
                            metric::kOpenMpWaitNs}) {
    const uint64_t below = At(job, "all/end", id).max + At(job, "all/barrier", id).max;
    EXPECT_NEAR(static_cast<double>(At(job, "all", id).max), static_cast<double>(below), 8);
  }
  EXPECT_THAT(ended.out, HasSubstr("of their time in parallel regions in OpenMP"));
}

// What is preloaded does not keep GCC's AddressSanitizer from starting.
TEST_F(OpenMpWaitByTheCommand, ProgramsWithSanitizersStart) {
  const test::Ended ended = test::Run({ROOFMARK, "run", "--collector", "timer", "-o", "run.json",
                                       "--", "sh", "-c", "echo $ASAN_OPTIONS; exec " MARKED_CASES},
                                      {{"ASAN_OPTIONS", "verbosity=0"}}, directory_.path(), 120);
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("verbosity=0:verify_asan_link_order=0\n"));
}

TEST_F(OpenMpWaitByTheCommand, NotIfUnwanted) {
  const test::Ended ended = Run({"--no-openmp-wait"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const JobProfile job = Job();
  EXPECT_EQ(At(job, "all/end", metric::kParallelNs).ranks, 0u);
  EXPECT_THAT(job.sources[metric::kParallelNs].reason, HasSubstr("no parallel region"));
}

}  // namespace
}  // namespace roofmark
