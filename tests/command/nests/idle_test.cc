// SPDX-License-Identifier: BSD-3-Clause
#include "command/nests/idle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// libc has sched_yield at 100 to 110, other at 110 to 200.
FoundCode Sample(const char* symbol) {
  FoundCode code;
  code.files = {"/bin/app", "/lib/libc.so.6"};
  code.modules.resize(2);
  code.modules[0].functions = {{100, 200, "main", "main", "", binary::Part::kWhole, {}}};
  code.modules[1].functions = {{100, 110, symbol, symbol, "", binary::Part::kWhole, {}},
                               {110, 200, "other", "other", "", binary::Part::kWhole, {}}};
  return code;
}

TEST(IdleTest, YieldsAreFoundByTheirSymbol) {
  for (const char* symbol : {"sched_yield", "__sched_yield"}) {
    const std::vector<CodeOfFile> yields = YieldsIn(Sample(symbol));
    ASSERT_EQ(yields.size(), 1u);
    EXPECT_EQ(yields[0].file, "/lib/libc.so.6");
    EXPECT_EQ(yields[0].begin, 100u);
    EXPECT_EQ(yields[0].end, 110u);
  }
  EXPECT_THAT(YieldsIn(Sample("sched_yields")), IsEmpty());
}

TEST(IdleTest, OnlyTheMainThreadsSamplesStayThere) {
  Samples samples;
  const SampledPlace alone = {100, 5, 5000, 5000, 4000}, other = {110, 7, 7000, 0, 7000};
  samples.modules = {
      {"/bin/app", "", {{105, 3, 3000, 0, 0}}},
      {"/lib/libc.so.6", "", {alone, {104, 8, 8000, 2000, 4000}, {109, 9, 9000, 0, 9000}, other}}};
  EXPECT_EQ(DropIdle(YieldsIn(Sample("sched_yield")), samples), 6u + 9u);
  EXPECT_THAT(samples.modules[0].places, ElementsAre(SampledPlace{105, 3, 3000, 0, 0}));
  EXPECT_THAT(samples.modules[1].places,
              ElementsAre(alone, SampledPlace{104, 2, 2000, 2000, 1000}, other));
  EXPECT_EQ(DropIdle({}, samples), 0u);
}

}  // namespace
}  // namespace roofmark::cli
