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
  EXPECT_EQ(WhyJobIsTooShort({25, 281}, std::nullopt), "");
  EXPECT_EQ(WhyJobIsTooShort({25, 281}, 300), "");
  EXPECT_EQ(WhyJobIsTooShort({25, 281}, 100), InWords(message::kJobEndsBefore, "may not", "100 s"));
  EXPECT_EQ(WhyJobIsTooShort({25, 281}, 20), InWords(message::kJobEndsBefore, "will not", "20 s"));
}

}  // namespace
}  // namespace roofmark::cli
