// SPDX-License-Identifier: BSD-3-Clause
#include "command/doctor/gpu_findings.h"

#include <gmock/gmock.h>

namespace roofmark::cli {
namespace {

using testing::HasSubstr;

cupti::DriverFacts Two(bool administrators_only) {
  cupti::DriverFacts driver;
  driver.loaded = true;
  driver.version = "driver 580";
  driver.gpus = {{"NVIDIA H200", "GPU-1"}, {"NVIDIA H200", "GPU-2"}};
  driver.administrators_only = administrators_only;
  return driver;
}

TEST(GpuFindings, WithoutADriverThereIsNothingElseToSay) {
  const Findings findings = DescribeGpus({}, "", "", false);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].diagnosis.state, State::kUnsupported);
}

TEST(GpuFindings, NameDevicesAndDriver) {
  const Findings findings = DescribeGpus(Two(false), "", "libcupti.so.13", false);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].found, "2 x NVIDIA H200, with driver 580");
  EXPECT_TRUE(findings[1].Ok());
}

TEST(GpuFindings, CountersForAdministratorsAloneAreDeniedWithTheCure) {
  const Findings findings = DescribeGpus(Two(true), "", "libcupti.so.13", false);
  EXPECT_EQ(findings[1].diagnosis.state, State::kDenied);
  EXPECT_THAT(findings[1].diagnosis.cure, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  EXPECT_TRUE(DescribeGpus(Two(true), "", "libcupti.so.13", true)[1].Ok());
}

TEST(GpuFindings, AMissingCuptiIsMissing) {
  const Findings findings = DescribeGpus(Two(false), "no such file", "", false);
  EXPECT_EQ(findings[1].diagnosis.state, State::kMissing);
  EXPECT_EQ(findings[1].diagnosis.cause, "no such file");
}

}  // namespace
}  // namespace roofmark::cli
