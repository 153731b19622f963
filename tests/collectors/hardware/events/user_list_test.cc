// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/user_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/hardware/events/fixture.h"

namespace roofmark::events {
namespace {

using testing::HasSubstr;

// An event of the device "power" with the kernel's scale and unit.
ListedEvent WithUnit(const std::string& scale, const std::string& unit) {
  const Machine machine("skx");
  machine.Write("power/type", "21");
  machine.Write("power/cpumask", "0");
  machine.Write("power/format/event", "config:0-7");
  machine.Write("power/events/energy", "event=0x02");
  if (!scale.empty()) machine.Write("power/events/energy.scale", scale);
  if (!unit.empty()) machine.Write("power/events/energy.unit", unit);
  const Result<ListedEvent> listed = EncodeListed(machine.sysfs(), "power/energy/");
  EXPECT_TRUE(listed) << listed.error();
  return listed ? *listed : ListedEvent{};
}

TEST(UserList, TheKernelsUnitsBecomeIntegers) {
  const ListedEvent joules = WithUnit("2.5e-10", "Joules");
  EXPECT_EQ(joules.unit, "nJ");
  EXPECT_DOUBLE_EQ(joules.weight, 0.25);
  const ListedEvent traffic = WithUnit("6.103515625e-5", "MiB");
  EXPECT_EQ(traffic.unit, "bytes");
  EXPECT_DOUBLE_EQ(traffic.weight, 64);
}

TEST(UserList, UnitsThatNobodyKnowsStay) {
  const ListedEvent many = WithUnit("64", "slots");
  EXPECT_EQ(many.unit, "slots");
  EXPECT_DOUBLE_EQ(many.weight, 64);
  EXPECT_EQ(WithUnit("4", "").unit, "count");
  // Of a fraction the raw counts are kept, and the unit says what one of them is.
  const ListedEvent fraction = WithUnit("0.5", "slots");
  EXPECT_EQ(fraction.unit, "0.5 slots");
  EXPECT_DOUBLE_EQ(fraction.weight, 1);
  EXPECT_EQ(WithUnit("0.25", "").unit, "0.25 counts");
}

TEST(UserList, WithoutAUnitItIsACount) {
  const ListedEvent plain = WithUnit("", "");
  EXPECT_DOUBLE_EQ(plain.weight, 1);
  EXPECT_EQ(plain.unit, ListedEvent{}.unit);
}

TEST(UserList, NamesOfPapiAreSentToTheirCollector) {
  const Machine machine("skx");
  EXPECT_THAT(EncodeListed(machine.sysfs(), "PAPI_DP_OPS").error(),
              HasSubstr("ROOFMARK_COLLECTOR=papi"));
  EXPECT_THAT(EncodeListed(machine.sysfs(), "pcp:::perfevent.x").error(),
              HasSubstr("pcp is a component of PAPI that does not count for threads"));
}

TEST(UserList, AListHasEachNameOnceAndNotTooMany) {
  EXPECT_THAT(ParseUserList("").error(), HasSubstr("names no event"));
  EXPECT_THAT(ParseUserList("task-clock,page-faults,task-clock").error(),
              HasSubstr("names task-clock twice"));
  std::string many = "e0";
  for (int i = 1; i <= 16; ++i) many += ",e" + std::to_string(i);
  EXPECT_THAT(ParseUserList(many).error(), HasSubstr("names 17 events, but at most 16"));
  EXPECT_EQ(*ParseUserList("task-clock,page-faults"),
            (std::vector<std::string>{"task-clock", "page-faults"}));
}

}  // namespace
}  // namespace roofmark::events
