// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_SAMPLES in real jobs: each rank has a file, and they can be merged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/file.h"
#include "lib/samples/samples_json.h"
#include "tests/mpi/mpi_jobs.h"

namespace roofmark {
namespace {

using test::Ended;
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

TEST_P(SampledJobs, AProgramWithoutMarkers) {
  ExpectOneFileOfEachRank(Launch({"-n", "2", "env", "LD_PRELOAD=" LIBRARY, Program("plain")},
                                 {{"ROOFMARK_SAMPLES", "on"}}));
}

TEST_P(SampledJobs, AProgramWithMarkers) {
  ExpectOneFileOfEachRank(
      Launch({"-n", "2", Program("job_threads")}, {{"ROOFMARK_SAMPLES", "timer:100"}}));
  EXPECT_EQ(Read("run.json").run.ranks_merged, 2u);
}

INSTANTIATE_TEST_SUITE_P(Mpi, SampledJobs, testing::ValuesIn(test::kMpis), test::NameOf);

}  // namespace
}  // namespace roofmark
