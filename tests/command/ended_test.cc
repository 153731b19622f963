// SPDX-License-Identifier: BSD-3-Clause
#include "command/ended.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace roofmark::cli {
namespace {

TEST(EndedWith, NamesTheSignalOfAStatus) {
  EXPECT_EQ(EndedWith(0), "ended with status 0");
  EXPECT_EQ(EndedWith(3), "ended with status 3");
  EXPECT_EQ(EndedWith(128), "ended with status 128");
  EXPECT_EQ(EndedWith(128 + SIGABRT), "ended with status 134 (128 + SIGABRT)");
  EXPECT_EQ(EndedWith(128 + SIGSEGV), "ended with status 139 (128 + SIGSEGV)");
  EXPECT_EQ(EndedWith(128 + SIGRTMIN + 2),
            "ended with status " + std::to_string(130 + SIGRTMIN) + " (128 + SIGRTMIN+2)");
  EXPECT_EQ(EndedWith(255), "ended with status 255");
}

// By the C library's own list.
TEST(EndedWith, NamesAllSignals) {
  for (int number = 1; number < NSIG; ++number) {
    if (sigabbrev_np(number) == nullptr) continue;
    EXPECT_EQ(EndedWith(128 + number), "ended with status " + std::to_string(128 + number) +
                                           " (128 + SIG" + sigabbrev_np(number) + ")");
  }
}

}  // namespace
}  // namespace roofmark::cli
