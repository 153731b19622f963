// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/limits.h"

#include <gtest/gtest.h>

#include "lib/core/messages/collectors.h"

namespace roofmark::counting {
namespace {

TEST(Limits, TheFirstThatIsTooLowIsNamed) {
  rlimit files;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  const Need enough = {RLIMIT_NOFILE, files.rlim_cur, "open files"};
  const Need more = {RLIMIT_NOFILE, files.rlim_cur + 1, "more files"};
  const Need most = {RLIMIT_NOFILE, files.rlim_cur + 2, "most files"};
  EXPECT_EQ(WhyTooLittle({{enough}}), "");
  EXPECT_EQ(WhyTooLittle({{enough, more, most}}),
            InWords(message::kLimitTooLow, "more files", files.rlim_cur, files.rlim_cur + 1));
}

}  // namespace
}  // namespace roofmark::counting
