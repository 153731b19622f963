// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_SAMPLES in real jobs: each rank has a file, and they can be merged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lib/core/file.h"
#include "lib/samples/samples_json.h"
#include "tests/mpi/mpi_jobs.h"
#include "tests/support/found_samples.h"

namespace roofmark {
namespace {

using test::Ended;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

class SampledJobs : public test::MpiJobs {
 protected:
  Samples ReadSamples(const std::string& file) const {
    const Result<std::string> text = ReadFile(directory_.File(file));
    EXPECT_TRUE(text) << text.error();
    const Result<Samples> samples = text ? SamplesFromJson(*text, file) : Error{text.error()};
    EXPECT_TRUE(samples) << samples.error();
    return samples ? *samples : Samples();
  }
  void ExpectOneFileOfEachRank(const Ended& ended) {
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(Files(), UnorderedElementsAre("run.json", "run.samples0.json", "run.samples1.json"))
        << ended.err;
    const Samples job =
        MergeSamples({ReadSamples("run.samples1.json"), ReadSamples("run.samples0.json")});
    ASSERT_EQ(job.processes.size(), 2u);
    for (uint32_t rank = 0; rank < 2; ++rank) {
      EXPECT_EQ(job.processes[rank].rank, rank);
      EXPECT_EQ(job.processes[rank].ranks, 2u);
      EXPECT_GE(job.processes[rank].threads.size(), 1u);
    }
    EXPECT_NE(job.processes[0].pid, job.processes[1].pid);
  }
};

// What MPI's own doings are nothing to is on one of them.
class SampledJobsOnMpich : public SampledJobs {};

TEST_P(SampledJobs, AProgramWithoutMarkers) {
  ExpectOneFileOfEachRank(Launch({"-n", "2", "env", "LD_PRELOAD=" LIBRARY, Program("plain")},
                                 {{"ROOFMARK_SAMPLES", "on"}}));
}

TEST_P(SampledJobsOnMpich, AProgramWithMarkers) {
  ExpectOneFileOfEachRank(
      Launch({"-n", "2", Program("job_threads")}, {{"ROOFMARK_SAMPLES", "timer:100"}}));
  EXPECT_EQ(Read("run.json").run.ranks_merged, 2u);
}

#ifdef WITH_COUNTING
// What is found in a job is merged as what is marked is: its time is that of each rank.
TEST_P(SampledJobsOnMpich, LoopsOfAProgramWithoutMarkers) {
  const Ended ended =
      test::Run({ROOFMARK, "run", "--auto", "--no-machine", "--count", "flops", "-o", "run.json",
                 "--", GetParam().launcher, "-n", "2", Program("unmarked")},
                test::ForLaunchers({}), directory_.path(), kSeconds);
  ASSERT_EQ(ended.status, 0) << ended.err;
  if (ended.err.find("left no samples") != std::string::npos) {
    GTEST_SKIP() << "this machine takes no samples of time";
  }
  EXPECT_THAT(Files(), UnorderedElementsAre("run.json"));
  const JobProfile job = Read("run.json");
  // Of rank 0's samples, four times as many as rank 1's fall on the loop; rank 1 waits for the rest
  // of the time. By less than 1e-9, 200 samples leave rank 1 none there, or as many as rank 0.
  const std::string& found = job.run.passes.at(0).facts.at(kFoundFact);
  if (test::SamplesIn(found) < 200) GTEST_SKIP() << "this machine takes too few samples: " << found;
  EXPECT_THAT(found, HasSubstr("of its code called MPI as often in this execution"));
  EXPECT_THAT(ended.err, Not(HasSubstr("time pass once more"))) << "the calls tell";
  const auto loop = std::find_if(job.paths.begin(), job.paths.end(), [](const PathInfo& info) {
    return std::string_view(info.path).ends_with("in chain()");
  });
  ASSERT_NE(loop, job.paths.end()) << ended.err;
  EXPECT_EQ(loop->kind, RegionKind::kFound);
  const Cell adds =
      At(job, loop->path, FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd));
  EXPECT_EQ(adds.min, 10'000'000u);
  EXPECT_EQ(adds.max, 40'000'000u);
  const Cell time = At(job, loop->path, metric::kTimeNs);
  EXPECT_EQ(time.ranks, 2u);
  EXPECT_EQ(time.max_rank, 0u);
  EXPECT_LT(time.min, time.max);
  const auto row = static_cast<size_t>(loop - job.paths.begin());
  EXPECT_EQ(job.SpreadAt(row, Drawn::kTime).highest[0].rank, 0u);
}
#endif

INSTANTIATE_TEST_SUITE_P(Mpi, SampledJobs, testing::ValuesIn(test::kMpis), test::NameOf);
INSTANTIATE_TEST_SUITE_P(Mpi, SampledJobsOnMpich, testing::ValuesIn(test::OneMpi("mpich")),
                         test::NameOf);

}  // namespace
}  // namespace roofmark
