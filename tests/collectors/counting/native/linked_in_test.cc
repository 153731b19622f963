// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/native/linked_in.h"

#include <gtest/gtest.h>

namespace roofmark::counting {
namespace {

TEST(LinkedIn, NamesAFunctionOfMpiOrOfAnOpenMpRuntime) {
  EXPECT_EQ(FindLinkedIn(ROOFMARK_GUESTS "/layers_linked_in").substr(0, 4), "MPI_");
}

TEST(LinkedIn, LibrariesAreNotLinkedIn) {
  EXPECT_EQ(FindLinkedIn("/proc/self/exe"), "");
  EXPECT_EQ(FindLinkedIn(ROOFMARK_GUESTS "/exact_v3_double"), "");
}

TEST(LinkedIn, FilesThatAreNoneHaveNothing) {
  EXPECT_EQ(FindLinkedIn("/nonexistent"), "");
  EXPECT_EQ(FindLinkedIn("/proc/self/maps"), "");
}

}  // namespace
}  // namespace roofmark::counting
