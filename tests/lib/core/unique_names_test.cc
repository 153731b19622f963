// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/unique_names.h"

#include <gtest/gtest.h>

#include "lib/core/found_name.h"

namespace roofmark {
namespace {

TEST(UniqueNames, NumbersBeginWithTwo) {
  UniqueNames names;
  EXPECT_EQ(names.Take("sum"), "sum");
  EXPECT_EQ(names.Take("sum 3"), "sum 3");
  EXPECT_EQ(names.Take("sum"), "sum 2");
  EXPECT_EQ(names.Take("sum"), "sum 4") << "the program has a 3 itself";
  EXPECT_EQ(names.Take("sum", " (", ")"), "sum (2)");
}

TEST(LoopName, HasAPlaceAndAFunction) {
  const auto loop = LoopName::Of("solver.c:214 in sweep(), at main.c:3");
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->place, "solver.c:214");
  EXPECT_EQ(loop->function, "sweep(), at main.c:3");
  EXPECT_FALSE(LoopName::Of("sweep()"));
}

}  // namespace
}  // namespace roofmark
