// SPDX-License-Identifier: BSD-3-Clause
#include "lib/incore/scheduling.h"

#include <gtest/gtest.h>

namespace roofmark::incore {
namespace {

TEST(Scheduling, CpusHaveTheirNames) {
  const SchedulingModel* genoa = FindSchedulingModel("AuthenticAMD", 25, 17);
  ASSERT_NE(genoa, nullptr);
  EXPECT_EQ(genoa->mcpu, "znver4");
  EXPECT_EQ(genoa->ports, "Zn4");
  EXPECT_EQ(FindSchedulingModel("AuthenticAMD", 25, 1)->mcpu, "znver3");
  EXPECT_EQ(FindSchedulingModel("GenuineIntel", 6, 0x8f)->mcpu, "sapphirerapids");
  EXPECT_EQ(FindSchedulingModel("GenuineIntel", 6, 0x01), nullptr);
  EXPECT_EQ(FindSchedulingModel("", 0, 0), nullptr);
}

TEST(Scheduling, PortsTellWhoseTheyAre) {
  EXPECT_EQ(OwnerOfPort("SKXPort0"), "Skylake's");
  EXPECT_EQ(OwnerOfPort("Zn4ALU0"), "Zen 4's");
  EXPECT_EQ(OwnerOfPort("Port0"), "");
}

}  // namespace
}  // namespace roofmark::incore
