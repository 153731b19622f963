// SPDX-License-Identifier: BSD-3-Clause
//
// The whole way: markers of an OpenMP program, virtual counters, roofline file; and what is said
// where nothing can be counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/recording.h"
#include "tests/collectors/perf_event/flops.h"
#include "tests/support/recording.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using perf_test::kDp256;
using perf_test::kDpScalar;
using testing::HasSubstr;
using testing::Values;

class PerfLibrary : public Recording, public testing::WithParamInterface<const char*> {
 protected:
  JobProfile Count(Environment environment, const std::vector<std::string>& arguments = {}) {
    std::vector<std::string> command = {RETIRING};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return RunAndRead(command, environment);
  }
  static std::string Machine(const std::string& name) { return VPMU_MACHINES "/" + name; }
};

TEST_P(PerfLibrary, EveryOpenMpThreadIsExact) {
  const JobProfile job =
      Count({{"ROOFMARK_COLLECTOR", "perf_event"}, {"VPMU_MACHINE", Machine(GetParam())}});
  EXPECT_EQ(Value(job, "outer", kDpScalar), 21u);
  EXPECT_EQ(Value(job, "outer/team", kDpScalar), 0u);
  EXPECT_EQ(Value(job, "outer/team", kDp256), 3u * 4 * 1000);
  EXPECT_EQ(Value(job, "outer", kDp256), 3u * 4 * 1000);
  EXPECT_EQ(Value(job, "outer/team/own", metric::kInstructions), 3u * 1000);
  EXPECT_EQ(Value(job, "outer/team", metric::kWorkerFlopsMax), 3u * 4 * 400);
  EXPECT_EQ(Value(job, "outer/team", metric::kWorkers), 4u);
  EXPECT_EQ(job.sources[kDp256].origin, "perf_event");
  EXPECT_TRUE(job.run.warnings.empty()) << job.run.warnings.front();
}
INSTANTIATE_TEST_SUITE_P(Machines, PerfLibrary, Values("skx", "clx", "icx", "spr", "spr61", "emr"));

TEST_F(PerfLibrary, HandlersMayInterruptABoundary) {
  const JobProfile job =
      Count({{"ROOFMARK_COLLECTOR", "perf_event"}, {"VPMU_MACHINE", Machine("skx")}}, {"signals"});
  EXPECT_THAT(job.run.warnings,
              testing::ElementsAre(test::Says(message::kCallsHadNoEffect, testing::_)));
}

TEST_F(PerfLibrary, AutoTakesWhatOpens) {
  const JobProfile job = Count({{"ROOFMARK", "on"}, {"VPMU_MACHINE", Machine("skx")}});
  EXPECT_EQ(Value(job, "outer/team", kDp256), 3u * 4 * 1000);
  EXPECT_EQ(job.run.passes[0].collector, "perf_event");
  EXPECT_TRUE(job.run.passes[0].times_are_real);
}

TEST_F(PerfLibrary, WhatCannotOpenIsSaidAndTimesRemain) {
  const JobProfile job = Count({{"ROOFMARK_COLLECTOR", "perf_event"},
                                {"VPMU_MACHINE", Machine("skx")},
                                {"VPMU_PARANOID", "3"}});
  EXPECT_THAT(ended_.err, HasSubstr("roofmark: ROOFMARK_COLLECTOR=perf_event: "));
  EXPECT_THAT(ended_.err, HasSubstr("perf_event_paranoid is 3"));
  EXPECT_THAT(ended_.err, HasSubstr("roofmark: recording visits and time only\n"));
  EXPECT_EQ(Value(job, "outer", metric::kVisits), 3u);
  EXPECT_EQ(job.At(0, kDp256).ranks, 0u) << "denied is not zero";
}

// The status says why there is none.
TEST_F(PerfLibrary, FailedReadsLeaveNoNumber) {
  const JobProfile job = Count(
      {{"ROOFMARK_COLLECTOR", "perf_event"}, {"VPMU_MACHINE", Machine("skx")}}, {"read:8+:EIO"});
  const int outer = job.FindPath("outer");
  ASSERT_GE(outer, 0);
  EXPECT_EQ(Worst(job.At(static_cast<size_t>(outer), kDp256).status_bits), Status::kInvalid);
  EXPECT_EQ(Worst(job.At(static_cast<size_t>(outer), metric::kWorkerFlopsMax).status_bits),
            Status::kInvalid);
}

}  // namespace
}  // namespace roofmark::test
