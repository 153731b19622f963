// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/job_end.h"

#include <gtest/gtest.h>

#include "lib/core/messages/command_run.h"

namespace roofmark::cli {
namespace {

TEST(JobEnd, IsWhatSlurmSays) {
  EXPECT_EQ(SecondsToJobEnd("1790000600", 1790000000), 600);
  for (const char* const unknown : {"", "soon", "1790000600x", "-1", "1789999999"})
    EXPECT_EQ(SecondsToJobEnd(unknown, 1790000000), std::nullopt) << unknown;
  EXPECT_EQ(SecondsToJobEnd(nullptr, 1790000000), std::nullopt);
}

TEST(JobEnd, IsSaidWhereTheWorkPassMayComeTooLate) {
  const auto why = [](std::optional<double> left_s) {
    return WhyJobIsTooShort({25, 281}, left_s, /*is_work=*/true);
  };
  EXPECT_EQ(why(std::nullopt), "");
  EXPECT_EQ(why(300), "");
  EXPECT_EQ(why(100), InWords(message::kJobEndsBefore, "may not", "100 s"));
  EXPECT_EQ(why(20), InWords(message::kJobEndsBefore, "will not", "20 s"));
}

// --work-limit is of no use to a repeat.
TEST(JobEnd, OfOtherExecutionsIsNotSaidOfTheWorkPass) {
  EXPECT_EQ(WhyJobIsTooShort({25, 25}, 20, /*is_work=*/false),
            InWords(message::kJobEndsBeforeExecution, "will not", "20 s"));
}

}  // namespace
}  // namespace roofmark::cli
