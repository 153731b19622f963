// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/core_units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "collectors/counting/dataflow/latency_text.h"
#include "lib/model/latencies.h"
#include "tests/lib/model/sample_machine.h"

namespace roofmark {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A core of 2 GHz, by operations a cycle.
Machine CoreOf(std::string vendor, uint32_t family,
               const std::vector<std::pair<std::string, double>>& per_cycle) {
  Machine machine;
  machine.cpu_vendor = std::move(vendor);
  machine.cpu_family = family;
  machine.ceilings.push_back(test::MakeCeiling("clock.scalar", "clock", 2));
  machine.ceilings.push_back(test::MakeCeiling("compute.dp.fma.scalar", "FMA", 2 * 2));
  for (const auto& [name, rate] : per_cycle) {
    machine.ceilings.push_back(test::MakeCeiling("throughput." + name, name, 2 * rate));
  }
  return machine;
}

TEST(CoreUnits, AreAsManyAsWereMeasured) {
  const Machine zen = CoreOf("AuthenticAMD", 25,
                             {{"int", 3.96},
                              {"compare", 2},
                              {"convert_general", 1},
                              {"cross", 0.5},
                              {"load", 2.98},
                              {"store", 2}});
  const std::string text = UnitsOf({&zen, 1});
  roof_latencies read;
  ASSERT_EQ(roof_latencies_parse(text.c_str(), &read), nullptr) << text;
  EXPECT_EQ(read.units[ROOF_L_INT], 0xf00);
  EXPECT_EQ(read.units[ROOF_L_FP_COMPARE], 0b0011);
  EXPECT_EQ(read.units[ROOF_L_CONVERT_GENERAL], 0b1000) << "one of two";
  EXPECT_EQ(read.units[ROOF_L_DP_ADD], 0b1100) << "both, where nothing was measured";
  EXPECT_EQ(read.units[ROOF_L_DP_FMA], 0b0001) << "of FLOPs it does two";
  EXPECT_EQ(read.busy[ROOF_L_CROSS], 2);
  EXPECT_EQ(read.loads, 3);
  EXPECT_EQ(read.vector_loads, 2);
  EXPECT_EQ(read.stores, 2);
  EXPECT_EQ(read.units[ROOF_L_DP_DIV], 0) << "the divider is a resource of its own";
}

TEST(CoreUnits, OfIntelsCoresAreShared) {
  const Machine lake = CoreOf("GenuineIntel", 6, {{"int", 4}, {"shuffle", 1}, {"load", 2}});
  const std::string text = UnitsOf({&lake, 1});
  roof_latencies read;
  ASSERT_EQ(roof_latencies_parse(text.c_str(), &read), nullptr) << text;
  EXPECT_EQ(read.units[ROOF_L_INT] & read.units[ROOF_L_DP_MUL], 0b11);
  EXPECT_EQ(read.units[ROOF_L_SHUFFLE], 0b100);
  EXPECT_EQ(read.vector_loads, 2);
}

// A class that is faster than its units can be belongs to another core than the one known here.
TEST(CoreUnits, ThatAreNotThoseOfTheCoreAreLeftOut) {
  const Machine faster = CoreOf("AuthenticAMD", 25, {{"int", 4}, {"compare", 3}});
  EXPECT_THAT(UnitsOf({&faster, 1}), Not(HasSubstr("units_compare")));
  EXPECT_THAT(UnitsOf({&faster, 1}), HasSubstr("units_convert"));
}

TEST(CoreUnits, AreNotKnownOfEveryMachine) {
  const Machine zen1 = CoreOf("AuthenticAMD", 22, {{"int", 4}});
  const Machine arm = CoreOf("ARM", 0, {{"int", 4}});
  const Machine old = CoreOf("AuthenticAMD", 25, {});
  for (const Machine& machine : {zen1, arm, old}) EXPECT_THAT(UnitsOf({&machine, 1}), IsEmpty());
  const std::vector<Machine> kinds = {CoreOf("AuthenticAMD", 25, {{"int", 4}}),
                                      CoreOf("AuthenticAMD", 26, {{"int", 6}})};
  EXPECT_THAT(UnitsOf(kinds), IsEmpty()) << "of nodes that differ";
}

TEST(CoreUnits, StandAmongTheLatencies) {
  Machine zen = CoreOf("AuthenticAMD", 25, {{"int", 4}});
  zen.ceilings.push_back(test::MakeCeiling("chain.dp_add", "chain", 1.5));
  EXPECT_THAT(LatenciesOf(zen), HasSubstr(",units_int=3840,"));
}

}  // namespace
}  // namespace roofmark
