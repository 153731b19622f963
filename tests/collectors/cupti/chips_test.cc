// SPDX-License-Identifier: BSD-3-Clause
//
// What chips can count in one pass, by the CUPTI that is installed: it needs no device for that.
#include <gtest/gtest.h>

#include "collectors/cupti/metrics.h"

namespace roofmark::cupti {
namespace {

class Chips : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    Result<Library> library = OpenCuptiAlone();
    if (!library) GTEST_SKIP() << library.error();
    library_ = *library;
  }
  Library library_;
};

TEST_P(Chips, CountAllOfEachGroupInOnePass) {
  for (const Group group : {Group::kKernels, Group::kMemory}) {
    const Result<Plan> plan = MakePlan(library_, GetParam(), group);
    ASSERT_TRUE(plan) << plan.error();
    EXPECT_FALSE(plan->config.empty());
    for (const MetricRow& row : Metrics()) {
      const std::string& missing = plan->missing[static_cast<size_t>(row.id)];
      EXPECT_EQ(missing.empty(), row.group == group) << row.cupti << ": " << missing;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(OfDataCentres, Chips, testing::Values("GA100", "GH100", "GB100"));

TEST_F(Chips, AnUnknownOneIsAnErrorWithItsName) {
  const Result<Plan> plan = MakePlan(library_, "GX999", Group::kKernels);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().find("GX999"), std::string::npos) << plan.error();
}

}  // namespace
}  // namespace roofmark::cupti
