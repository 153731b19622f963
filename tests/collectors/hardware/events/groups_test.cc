// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/collectors/hardware/events/fixture.h"

namespace roofmark::events {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> Names(Microarch microarch, std::string_view group) {
  std::vector<std::string> names;
  for (const Formula& formula : Select(TableOf({microarch}), *FindGroup(group)).formulas)
    names.push_back(QuantityName(formula.quantity));
  return names;
}

TEST(GroupsTest, KnownByName) {
  for (const char* name : {"dp", "sp", "mem", "cache", "mix", "all"})
    EXPECT_NE(FindGroup(name), nullptr) << name;
  EXPECT_EQ(FindGroup("DP"), nullptr);
}

TEST(GroupsTest, DoublePrecision) {
  EXPECT_THAT(Names(Microarch::kIceLake, "dp"),
              ElementsAre("cycles", "instructions", "flops_dp_scalar", "flops_dp_128",
                          "flops_dp_256", "flops_dp_512"));
  EXPECT_THAT(Names(Microarch::kZen3, "dp"), ElementsAre("cycles", "instructions", "flops_mixed"));
  EXPECT_THAT(Names(Microarch::kZen1, "dp"), ElementsAre("cycles", "instructions", "flops_dp"));
  EXPECT_THAT(Names(Microarch::kZen5, "sp"),
              ElementsAre("cycles", "instructions", "flops_sp_scalar", "flops_sp_vector"));
}

TEST(GroupsTest, MixByKindWhereTheCpuCan) {
  EXPECT_THAT(Names(Microarch::kZen2, "mix"),
              ElementsAre("cycles", "instructions", "flops_mixed_add", "flops_mixed_mul",
                          "flops_mixed_div+sqrt", "flops_mixed_fma"));
  EXPECT_THAT(Names(Microarch::kSkylake, "mix"), Contains("flops_sp_512"));
}

TEST(GroupsTest, MemoryAndCaches) {
  EXPECT_THAT(Names(Microarch::kSkylake, "mem"),
              testing::UnorderedElementsAre("dram_read_bytes", "dram_write_bytes",
                                            "last_level_misses", "memory_stall_cycles", "cycles"));
  EXPECT_THAT(Names(Microarch::kZen3, "mem"), Contains("dram_bytes"));
  EXPECT_THAT(Names(Microarch::kBroadwell, "cache"),
              testing::UnorderedElementsAre("l1_read_bytes", "l1_write_bytes", "l2_read_bytes",
                                            "l2_write_bytes", "last_level_misses"));
}

TEST(GroupsTest, EverythingTakesTheFinestView) {
  EXPECT_EQ(FinestView(TableOf({Microarch::kZen1})), FpView::kByKind);
  EXPECT_EQ(FinestView(TableOf({Microarch::kZen4})), FpView::kByKind);
  // By kind, Zen 5 does not tell precisions.
  EXPECT_EQ(FinestView(TableOf({Microarch::kZen5})), FpView::kByPrecision);
  EXPECT_EQ(FinestView(TableOf({Microarch::kSapphireRapids})), FpView::kByPrecision);
}

TEST(GroupsTest, MissingQuantitiesHaveAReason) {
  const Selection haswell = Select(TableOf({Microarch::kHaswell}), *FindGroup("dp"));
  ASSERT_EQ(haswell.missing.size(), 1u);
  EXPECT_THAT(haswell.missing[0].reason, HasSubstr("counting"));
  const Selection n1 = Select(TableOf({Microarch::kNeoverseN1}), *FindGroup("mem"));
  EXPECT_THAT(n1.missing, Contains(testing::Field(&Refusal::reason, HasSubstr("MEM_ACCESS"))));
  // A controller that does not tell reads from writes misses nothing.
  for (const Refusal& missing : Select(TableOf({Microarch::kZen3}), *FindGroup("mem")).missing)
    EXPECT_EQ(missing.measure, Measure::kMemoryStallCycles) << missing.reason;
}

TEST(EveryGroupTest, NeverTwoViewsOfTheSameOperations) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    for (const Group& group : Groups()) {
      std::set<FpView> views;
      for (const Formula& formula : Select(TableOf(cpu), group).formulas) {
        if (formula.quantity.measure == Measure::kFlops) views.insert(formula.quantity.view);
      }
      EXPECT_LE(views.size(), 1u) << group.name;
    }
  }
}

TEST(EveryGroupTest, AsksForSomethingOrSaysWhyNot) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    for (const Group& group : Groups()) {
      const Selection selection = Select(TableOf(cpu), group);
      EXPECT_FALSE(selection.formulas.empty() && selection.missing.empty()) << group.name;
      std::set<Measure> given;
      for (const Formula& formula : selection.formulas) given.insert(formula.quantity.measure);
      for (const Refusal& missing : selection.missing) {
        EXPECT_THAT(given, Not(Contains(missing.measure))) << group.name;
        EXPECT_THAT(missing.reason, Not(testing::IsEmpty()));
      }
    }
  }
}

}  // namespace
}  // namespace roofmark::events
