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

TEST(GpuFindings, NothingAroundIsNothingToSay) { EXPECT_TRUE(DescribeSurroundings({}).empty()); }

TEST(GpuFindings, HiddenGpusAreMissingWithTheCure) {
  cupti::Surroundings around;
  around.visible = "";
  Findings findings = DescribeSurroundings(around);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].id, "cuda_visible_devices");
  EXPECT_EQ(findings[0].diagnosis.state, State::kMissing);
  EXPECT_THAT(findings[0].diagnosis.cause, HasSubstr("hides every GPU"));
  EXPECT_THAT(findings[0].diagnosis.cure, HasSubstr("unset CUDA_VISIBLE_DEVICES"));
  around.visible = "0,2";
  findings = DescribeSurroundings(around);
  EXPECT_TRUE(findings[0].Ok()) << "a choice is no fault";
  EXPECT_EQ(findings[0].found, "0,2");
}

TEST(GpuFindings, SharedAndProfiledGpusAreLimited) {
  cupti::Surroundings around;
  around.mig_instances = 7;
  around.mps = "/tmp/mps";
  around.injection = "/opt/nsys/libToolsInjection64.so";
  around.dcgm = true;
  const Findings findings = DescribeSurroundings(around);
  ASSERT_EQ(findings.size(), 4u);
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.diagnosis.state, State::kLimited) << finding.id;
    EXPECT_FALSE(finding.diagnosis.cure.empty()) << finding.id;
  }
  EXPECT_EQ(findings[0].found, "7 GPU instances");
  EXPECT_THAT(findings[1].diagnosis.cure, HasSubstr("nvidia-cuda-mps-control"));
  EXPECT_THAT(findings[2].found, HasSubstr("libToolsInjection64"));
  EXPECT_THAT(findings[3].diagnosis.cure, HasSubstr("dcgmi profile --pause"));
}

}  // namespace
}  // namespace roofmark::cli
