// SPDX-License-Identifier: BSD-3-Clause
//
// The whole way: markers of an OpenMP program, PAPI or a list of the user's, roofline file; which
// collector is chosen, and what is said of what none can count.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/papi/flops.h"
#include "tests/support/recording.h"

namespace roofmark::test {
namespace {

using papi_test::kDouble;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::Values;

class PapiLibrary : public Recording, public testing::WithParamInterface<const char*> {
 protected:
  JobProfile Count(Environment environment, const std::vector<std::string>& arguments = {}) {
    std::vector<std::string> command = {RETIRING};
    command.insert(command.end(), arguments.begin(), arguments.end());
    environment.try_emplace("VPMU_MACHINE", VPMU_MACHINES "/skx");
    // LeakSanitizer dies where PAPI is loaded.
    environment.try_emplace("ASAN_OPTIONS", "detect_leaks=0");
    return RunAndRead(command, environment);
  }
  static std::string Origin(const JobProfile& job, MetricId metric) {
    return job.sources[metric].origin;
  }
};

TEST_P(PapiLibrary, EveryOpenMpThreadIsExact) {
  const JobProfile job = Count({{"ROOFMARK_COLLECTOR", "papi"},
                                {"ROOFMARK_GROUP", "dp"},
                                {"VPMU_MACHINE", std::string(VPMU_MACHINES "/") + GetParam()}});
  EXPECT_EQ(Value(job, "outer/team", kDouble), 3u * 4 * 1000);
  EXPECT_EQ(Value(job, "outer", kDouble), 3u * 4 * 1000 + 21);
  EXPECT_EQ(Value(job, "outer/team/own", metric::kInstructions), 3u * 1000);
  EXPECT_EQ(Value(job, "outer/team", metric::kWorkers), 4u);
  EXPECT_EQ(Origin(job, kDouble), "papi");
  EXPECT_TRUE(job.run.warnings.empty()) << job.run.warnings.front();
}
INSTANTIATE_TEST_SUITE_P(Machines, PapiLibrary, Values("skx", "clx", "icx"));

TEST_F(PapiLibrary, AutoTakesPapiForItsPresetsAndTheFileSaysWhoCounts) {
  const JobProfile job =
      Count({{"ROOFMARK_EVENTS", "PAPI_DP_OPS,task-clock,cpu/event=0xc7,umask=0x01/"}});
  EXPECT_THAT(ended_.err, HasSubstr("counting ROOFMARK_EVENTS by papi"));
  EXPECT_EQ(job.run.passes[0].collector, "papi");
  EXPECT_EQ(Value(job, "outer", UserMetric(0)), 3u * 4 * 1000 + 21);
  EXPECT_EQ(Value(job, "outer", kDouble), 3u * 4 * 1000 + 21);
  EXPECT_EQ(Value(job, "outer", UserMetric(2)), 21u);
  EXPECT_GT(Value(job, "outer", UserMetric(1)), 0u);
  EXPECT_EQ(Origin(job, UserMetric(0)), "papi");
  EXPECT_EQ(Origin(job, UserMetric(2)), "perf_event");
  EXPECT_EQ(job.sources[UserMetric(2)].label, "cpu/event=0xc7,umask=0x01/");
  EXPECT_EQ(job.sources[UserMetric(1)].unit, "ns");
}

// Events of the user's, through PAPI, beside threads that perf_event counts.
TEST_F(PapiLibrary, AutoReadsAListOfMemoryControllersThroughPapi) {
  const JobProfile job =
      Count({{"ROOFMARK_PACKAGE_EVENTS", "skx_unc_imc0::UNC_M_CAS_COUNT:RD*64:read"},
             {"VPMU_PARANOID", "0"}});
  EXPECT_EQ(job.run.passes[0].collector, "perf_event");
  EXPECT_EQ(Origin(job, metric::kInstructions), "perf_event");
  EXPECT_EQ(Origin(job, metric::kPackageDramReadBytes), "papi");
  EXPECT_EQ(Value(job, "outer/team/own", metric::kInstructions), 3u * 1000);
  EXPECT_EQ(job.sources[metric::kPackageDramReadBytes].status, Status::kMeasured);
  EXPECT_FALSE(HasValue(job.sources[metric::kPackageDramWriteBytes].status)) << "not in the list";
}

TEST_F(PapiLibrary, AutoTakesPerfEventWhereItCountsAll) {
  const JobProfile job = Count({{"ROOFMARK_EVENTS", "instructions,task-clock"}});
  EXPECT_EQ(job.run.passes[0].collector, "perf_event");
  EXPECT_EQ(Value(job, "outer/team/own", metric::kInstructions), 3u * 1000);
}

TEST_F(PapiLibrary, WhatNobodyCountsIsNamedWithEveryReason) {
  const JobProfile job = Count({{"ROOFMARK_EVENTS", "task-clock,PAPI_NO_SUCH"}});
  EXPECT_THAT(ended_.err, HasSubstr("not counted: PAPI_NO_SUCH (perf_event: "));
  EXPECT_THAT(ended_.err, HasSubstr("papi: PAPI 7."));
  EXPECT_GT(Value(job, "outer", UserMetric(0)), 0u);
  EXPECT_FALSE(HasValue(job.sources[UserMetric(1)].status));
}

TEST_F(PapiLibrary, EventsThatTheKernelDoesNotHaveAreNoNumbers) {
  const JobProfile job = Count({{"ROOFMARK_EVENTS", "cycles"}, {"VPMU_MACHINE", ""}});
  if (HasValue(job.sources[UserMetric(0)].status)) GTEST_SKIP() << "this machine counts cycles";
  EXPECT_THAT(ended_.err,
              HasSubstr("none of the events in ROOFMARK_EVENTS can be counted: cycles: "));
  EXPECT_THAT(ended_.err, HasSubstr("recording visits and time only"));
  // PAPI does not know every CPU; where it does, both say the same, and it is said once.
  EXPECT_THAT(ended_.err, AnyOf(HasSubstr("papi: PAPI's component perf_event is disabled here"),
                                Not(HasSubstr("papi:"))));
}

TEST_F(PapiLibrary, MistakesInTheListCountNothingAndSaySo) {
  Count({{"ROOFMARK_EVENTS", "cycles,cycles"}});
  EXPECT_THAT(ended_.err, HasSubstr("ROOFMARK_EVENTS names cycles twice"));
  EXPECT_THAT(ended_.err, HasSubstr("recording visits and time only"));
  Count({{"ROOFMARK_EVENTS", "PAPI_NO_SUCH"}});
  EXPECT_THAT(ended_.err, HasSubstr("roofmark: ROOFMARK_COLLECTOR=auto: "));
  Count({{"ROOFMARK_PACKAGE_EVENTS", "skx_unc_imc0::UNC_M_CAS_COUNT:RD"}});
  EXPECT_THAT(ended_.err, HasSubstr("ROOFMARK_PACKAGE_EVENTS: \"skx_unc_imc0::UNC_M_CAS_COUNT:RD\" "
                                    "does not say what it counts: end it with :read or :write"));
  EXPECT_THAT(ended_.err, HasSubstr("recording visits and time only"));
}

TEST_F(PapiLibrary, AListThatPapiDoesNotKnowIsNamedAndTheRestIsCounted) {
  const JobProfile job =
      Count({{"ROOFMARK_PACKAGE_EVENTS", "no_unc_imc0::NO:RD:read"}, {"VPMU_PARANOID", "0"}});
  EXPECT_THAT(ended_.err, HasSubstr("package_dram_read_bytes (no_unc_imc0::NO:RD: PAPI 7."));
  EXPECT_EQ(Value(job, "outer/team/own", metric::kInstructions), 3u * 1000);
}

TEST_F(PapiLibrary, WithoutAListPapiIsNotEvenAskedWhereTheTableKnowsTheCpu) {
  Count({{"ROOFMARK", "on"}, {"VPMU_PARANOID", "3"}});
  EXPECT_THAT(ended_.err, HasSubstr("perf_event_paranoid is 3"));
  EXPECT_THAT(ended_.err, Not(HasSubstr("papi")));
}

TEST_F(PapiLibrary, FailedReadsLeaveNoNumber) {
  const JobProfile job =
      Count({{"ROOFMARK_COLLECTOR", "papi"}, {"ROOFMARK_GROUP", "dp"}}, {"read:8+:EIO"});
  const int outer = job.FindPath("outer");
  ASSERT_GE(outer, 0);
  // PAPI reads when it opens too: the new threads' counters are not there at all.
  EXPECT_FALSE(HasValue(Worst(job.At(static_cast<size_t>(outer), kDouble).status_bits)));
}

}  // namespace
}  // namespace roofmark::test
