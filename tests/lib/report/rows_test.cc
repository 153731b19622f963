// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Provenance, SaysWhichRegionsWereChosen) {
  JobProfile job = roofmark::test::EmptyJob(1);
  roofmark::test::AddPass(job, "timer", 2);
  roofmark::test::AddPass(job, "counting", 20);
  EXPECT_THAT(Provenance(job, {}), Not(Contains(HasSubstr("regions chosen"))));
  for (PassInfo& pass : job.run.passes) pass.settings["regions"] = "solve/*,-halo";
  EXPECT_THAT(Provenance(job, {}), Contains("regions chosen: solve/*,-halo"));
  job.run.passes[1].settings.clear();
  EXPECT_THAT(Provenance(job, {}), Contains("regions chosen: solve/*,-halo; in another pass: all"));
}

}  // namespace
}  // namespace roofmark
