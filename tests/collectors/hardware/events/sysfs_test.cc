// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/sysfs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/hardware/events/fixture.h"

namespace roofmark::events {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<std::string> Names(const Expansion& expansion) {
  std::vector<std::string> names;
  for (const Device& device : expansion.devices) names.push_back(device.name);
  return names;
}

TEST(SysfsTest, PatternsTakeDigitsOnly) {
  EXPECT_TRUE(MatchesDevice("uncore_imc_#", "uncore_imc_11"));
  EXPECT_FALSE(MatchesDevice("uncore_imc_#", "uncore_imc_"));
  EXPECT_FALSE(MatchesDevice("uncore_imc_#", "uncore_imc_free_running_0"));
  EXPECT_FALSE(MatchesDevice("uncore_imc_#", "uncore_imc_1x"));
  EXPECT_TRUE(MatchesDevice("nest_mba#_imc", "nest_mba7_imc"));
  EXPECT_FALSE(MatchesDevice("cpu", "cpu_core"));
  EXPECT_EQ(DeviceNumber("nest_mba12_imc"), "12");
  EXPECT_EQ(DeviceNumber("amd_df"), "");
}

TEST(SysfsTest, ReadsADevice) {
  const Machine machine("skx");
  const Result<Device> device = machine.sysfs().Read("uncore_imc_3");
  ASSERT_TRUE(device) << device.error();
  EXPECT_EQ(device->type, 23u);
  ASSERT_TRUE(device->PerPackage());
  EXPECT_THAT(*device->cpumask, ElementsAre(0u, 4u));
  EXPECT_EQ(device->format.at("umask").Bits(), 8u);
  const KernelEvent& read = device->events.at("cas_count_read");
  EXPECT_EQ(read.fields, "event=0x04,umask=0x03");
  EXPECT_DOUBLE_EQ(read.scale * (1 << 20), 64);
  EXPECT_EQ(read.unit, "MiB");
  EXPECT_THAT(device->events, SizeIs(2));  // .scale and .unit are no events
  const Result<Device> core = machine.sysfs().Read("cpu");
  ASSERT_TRUE(core);
  EXPECT_FALSE(core->PerPackage());
}

TEST(SysfsTest, ChannelsInNaturalOrder) {
  const Machine machine("spr");
  const Result<Expansion> all = machine.sysfs().Expand("uncore_imc_#|uncore_imc");
  ASSERT_TRUE(all) << all.error();
  EXPECT_THAT(Names(*all),
              ElementsAre("uncore_imc_0", "uncore_imc_1", "uncore_imc_2", "uncore_imc_3",
                          "uncore_imc_4", "uncore_imc_5", "uncore_imc_6", "uncore_imc_7",
                          "uncore_imc_8", "uncore_imc_9", "uncore_imc_10", "uncore_imc_11"));
}

TEST(SysfsTest, TheFirstAlternativeThatMatchesCounts) {
  const Machine numbered("srf");
  EXPECT_THAT(Names(*numbered.sysfs().Expand("uncore_imc_#|uncore_type_6_#")), SizeIs(8));
  const Machine named("gnr");
  named.Write("uncore_type_6_0/type", "99");
  EXPECT_THAT(Names(*named.sysfs().Expand("uncore_imc_#|uncore_type_6_#")),
              testing::Each(testing::StartsWith("uncore_imc_")));
}

TEST(SysfsTest, TheCoresDeviceUnderEveryName) {
  EXPECT_THAT(Names(*Machine("zen4").sysfs().Expand("cpu")), ElementsAre("cpu"));
  EXPECT_THAT(Names(*Machine("v2").sysfs().Expand("cpu")), ElementsAre("armv8_pmuv3_0"));
  EXPECT_THAT(Machine("hybrid").sysfs().Expand("cpu").error(),
              testing::AllOf(HasSubstr("cpu_atom"), HasSubstr("cpu_core")));
}

TEST(SysfsTest, WhatIsMissingIsNamedWithItsCause) {
  const Machine machine("n1");
  EXPECT_THAT(machine.sysfs().Expand("uncore_imc_#").error(),
              testing::AllOf(HasSubstr("uncore_imc_#"), HasSubstr("driver")));
  EXPECT_THAT(Sysfs("/nonexistent").Expand("cpu").error(), HasSubstr("no PMU"));
  machine.Remove("armv8_pmuv3_0");
  EXPECT_THAT(machine.sysfs().Expand("cpu").error(), HasSubstr("no PMU"));
}

TEST(SysfsTest, UsersNamesStandForAllUnits) {
  const Machine machine("icx");
  EXPECT_THAT(Names(*machine.sysfs().ExpandUserName("uncore_imc")), SizeIs(8));
  EXPECT_THAT(Names(*machine.sysfs().ExpandUserName("uncore_imc_5")), ElementsAre("uncore_imc_5"));
  EXPECT_THAT(Names(*machine.sysfs().ExpandUserName("uncore_imc_free_running")), SizeIs(4));
}

TEST(SysfsTest, DevicesByType) {
  const Machine machine("skx");
  EXPECT_EQ(machine.sysfs().FindType(25)->name, "uncore_imc_5");
  EXPECT_FALSE(machine.sysfs().FindType(77));
}

// The kernel of this machine, whatever it offers.
TEST(SysfsTest, ReadsTheRealKernel) {
  const Sysfs sysfs;
  if (sysfs.DeviceNames().empty()) GTEST_SKIP() << "no /sys/bus/event_source/devices here";
  for (const std::string& name : sysfs.DeviceNames())
    EXPECT_TRUE(sysfs.Read(name)) << name << ": " << sysfs.Read(name).error();
}

}  // namespace
}  // namespace roofmark::events
