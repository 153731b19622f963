// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/limits.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

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
            fmt::format("the limit on more files is {}, and the counting engine needs {}",
                        files.rlim_cur, files.rlim_cur + 1));
}

}  // namespace
}  // namespace roofmark::counting
