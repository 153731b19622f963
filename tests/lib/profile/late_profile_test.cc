// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/late_profile.h"

#include <gtest/gtest.h>

#include "lib/core/messages/recording.h"
#include "lib/profile/region_name.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

JobProfile LateOf(uint32_t rank, const std::map<std::string, uint64_t>& visits) {
  RunInfo run;
  run.ranks = 4;
  run.first_rank = rank;
  run.warnings = {"of the recording"};
  return LateProfile(run, visits);
}

TEST(LateProfileTest, OneRankIsNamed) {
  EXPECT_EQ(DescribeLate(LateOf(3, {{"a", 2}, {"b/c", 40}})),
            InWords(message::kRegionsAfterEnd, "42", "rank 3",
                    "a (2), " + EscapeRegionName("b/c") + " (40)"));
}

TEST(LateProfileTest, OfSeveralRanksTheVisitsAreAdded) {
  JobProfile late = LateOf(1, {{"a", 2}, {"b", 1}});
  MergeProfiles(late, LateOf(2, {{"a", 5}}));
  EXPECT_EQ(DescribeLate(late),
            InWords(message::kRegionsAfterEnd, "8", "2 of 4 ranks", "a (7), b (1)"));
  EXPECT_TRUE(late.run.warnings.empty());
}

}  // namespace
}  // namespace roofmark
