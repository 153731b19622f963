// SPDX-License-Identifier: BSD-3-Clause
//
// The whole way: markers of a program, CUPTI, roofline file.
#include <gmock/gmock.h>

#include "tests/support/recording.h"

namespace roofmark::test {
namespace {

using testing::HasSubstr;

constexpr size_t kAdd = static_cast<size_t>(DeviceMetric::kDpAdd);

class CuptiLibrary : public Recording {};

TEST_F(CuptiLibrary, RegionsHaveWhatTheirKernelsDid) {
  const JobProfile job =
      RunAndRead({LAUNCHING}, {{"ROOFMARK_COLLECTOR", "cupti"}, {"LD_LIBRARY_PATH", STAND_IN}});
  ASSERT_EQ(job.run.devices.size(), 1u) << ended_.err;
  const DeviceInfo& device = job.run.devices[0];
  EXPECT_EQ(device.chip, "GH100");
  ASSERT_EQ(device.rows.size(), 2u);
  EXPECT_EQ(device.rows[0].path, "outer");
  EXPECT_EQ(device.rows[0].values[kAdd], 42u);
  EXPECT_EQ(device.rows[1].path, "outer/inner");
  EXPECT_EQ(ValueOf(device, device.rows[1], DeviceMetric::kDpAdd), 12u);
  EXPECT_EQ(ValueOf(device, device.rows[1], DeviceMetric::kDramReadBytes), std::nullopt);
  // Nothing of it is the host's, and times are not the program's.
  EXPECT_FALSE(HasValue(job.sources[metric::kFlops].status));
  EXPECT_FALSE(HasValue(job.sources[metric::kWorkerFlopsMax].status));
  EXPECT_FALSE(job.run.passes[0].times_are_real);
  EXPECT_EQ(job.run.passes[0].collector, "cupti");
}

// As if nothing had been asked for: no collector is told of boundaries, and times are valid.
TEST_F(CuptiLibrary, WithoutADriverTheProgramIsTimedAndTheReasonStandsInTheFile) {
  const JobProfile job = RunAndRead({LAUNCHING}, {{"ROOFMARK_COLLECTOR", "cupti"}});
  EXPECT_THAT(ended_.err, HasSubstr("ROOFMARK_COLLECTOR=cupti: there is no driver"));
  EXPECT_TRUE(job.run.devices.empty());
  EXPECT_TRUE(job.run.passes[0].times_are_real);
  EXPECT_EQ(job.run.passes[0].collector, "timer");
  EXPECT_THAT(job.run.passes[0].facts.at(kNoCountersFact), HasSubstr("no driver"));
  EXPECT_EQ(Value(job, "outer/inner", metric::kVisits), 3u);
}

TEST_F(CuptiLibrary, AutoNeverAsksGpus) {
  const JobProfile job =
      RunAndRead({LAUNCHING}, {{"ROOFMARK", "on"}, {"LD_LIBRARY_PATH", STAND_IN}});
  EXPECT_TRUE(job.run.devices.empty());
}

}  // namespace
}  // namespace roofmark::test
