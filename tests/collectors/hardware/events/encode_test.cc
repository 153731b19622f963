// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/encode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/hardware/events/fixture.h"

namespace roofmark::events {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Encoding Table(const Machine& machine, const Formula& formula, size_t term = 0) {
  const Result<Encoding> encoding = EncodeTableEvent(machine.sysfs(), formula.terms.at(term).event);
  EXPECT_TRUE(encoding) << encoding.error();
  return encoding ? *encoding : Encoding{};
}

Formula Dram(Microarch microarch, std::string_view name) {
  return Find(TableOf({microarch}), name).at(0);
}

TEST(EncodeTest, CoreEventsCountThreads) {
  const Machine machine("spr");
  const Formula flops = Find(TableOf({Microarch::kSapphireRapids}), "flops_dp_512").at(0);
  const Encoding encoding = Table(machine, flops);
  ASSERT_THAT(encoding.events, SizeIs(1));
  EXPECT_EQ(encoding.events[0].type, 4u);
  EXPECT_THAT(encoding.events[0].config, ElementsAre(0x40c7u, 0u, 0u));
  EXPECT_EQ(encoding.events[0].scope, Scope::kThread);
  EXPECT_THAT(encoding.events[0].cpus, IsEmpty());
}

TEST(EncodeTest, EveryChannelOnTheCpusOfItsMask) {
  const Machine machine("spr");
  const Encoding encoding = Table(machine, Dram(Microarch::kSapphireRapids, "dram_write_bytes"));
  ASSERT_THAT(encoding.events, SizeIs(12));
  EXPECT_EQ(encoding.events[10].device, "uncore_imc_10");
  EXPECT_EQ(encoding.events[10].type, 210u);
  for (const EncodedEvent& event : encoding.events) {
    EXPECT_EQ(event.config[0], 0xf005u);
    EXPECT_EQ(event.scope, Scope::kPackage);
    EXPECT_THAT(event.cpus, ElementsAre(0u, 4u));
    EXPECT_EQ(event.scale, 1);  // the kernel's MiB must not be applied to our bytes
    EXPECT_THAT(event.unit, IsEmpty());
  }
  EXPECT_THAT(encoding.notes, IsEmpty());
}

TEST(EncodeTest, AmdControllersOfBothSockets) {
  const Machine machine("zen4");
  const Encoding encoding = Table(machine, Dram(Microarch::kZen4, "dram_read_bytes"));
  ASSERT_THAT(encoding.events, SizeIs(24));
  EXPECT_EQ(encoding.events[0].config[0], 0x10au);
  EXPECT_THAT(encoding.events[11].cpus, ElementsAre(0u));
  EXPECT_THAT(encoding.events[12].cpus, ElementsAre(16u));
}

TEST(EncodeTest, WideEventNumbersAreSplit) {
  const Machine machine("zen3");
  const Formula dram = Dram(Microarch::kZen3, "dram_bytes");
  ASSERT_THAT(dram.terms, SizeIs(8));
  EXPECT_EQ(Table(machine, dram, 0).events[0].config[0], 0x3807u);
  EXPECT_EQ(Table(machine, dram, 7).events[0].config[0], 0x1000038c7u);
}

TEST(EncodeTest, NamesWithTheDevicesNumber) {
  const Machine machine("power9");
  const Encoding encoding = Table(machine, Dram(Microarch::kPower9, "dram_write_bytes"));
  ASSERT_THAT(encoding.events, SizeIs(8));
  EXPECT_EQ(encoding.events[0].config[0], 0x200u);
  EXPECT_EQ(encoding.events[7].config[0], 0x270u);
  EXPECT_EQ(encoding.events[7].scale, 1);
  machine.Remove("nest_mba3_imc/events");
  EXPECT_THAT(
      EncodeTableEvent(machine.sysfs(), Dram(Microarch::kPower9, "dram_write_bytes").terms[0].event)
          .error(),
      testing::AllOf(HasSubstr("nest_mba3_imc"), HasSubstr("PM_MBA3_WRITE_BYTES")));
}

// Every event of the cores fails so, and the user asked for none of them by name.
TEST(EncodeTest, AMissingDeviceIsTheReasonAndNotOneOfItsEvents) {
  const Machine machine("zen4");
  machine.Remove("cpu");
  for (const Formula& formula : TableOf({Microarch::kZen4}).formulas) {
    const Event& event = formula.terms[0].event;
    if (!event.OnCore()) continue;
    const std::string error = EncodeTableEvent(machine.sysfs(), event).error();
    EXPECT_THAT(error, testing::StartsWith("no PMU of the cores"));
    EXPECT_THAT(error, testing::Not(HasSubstr(event.name)));
  }
}

TEST(EncodeTest, TheKernelsOwnSpellingWinsAndDisagreementIsReported) {
  const Machine machine("skx");
  machine.Write("uncore_imc_2/events/cas_count_read", "event=0x04,umask=0x07");
  const Encoding encoding = Table(machine, Dram(Microarch::kSkylake, "dram_read_bytes"));
  EXPECT_EQ(encoding.events[2].config[0], 0x704u);
  EXPECT_EQ(encoding.events[3].config[0], 0x304u);
  EXPECT_THAT(encoding.notes,
              ElementsAre(testing::AllOf(HasSubstr("uncore_imc_2"), HasSubstr("umask=0x07"))));
}

TEST(EncodeTest, UserTextOnAllUnits) {
  const Machine machine("skx");
  const auto encoding = EncodeUserEvent(machine.sysfs(), "uncore_imc/event=0x04,umask=12,inv/");
  ASSERT_TRUE(encoding) << encoding.error();
  ASSERT_THAT(encoding->events, SizeIs(6));
  EXPECT_EQ(encoding->events[5].config[0], 0x800c04u);
  EXPECT_EQ(encoding->events[5].name, "uncore_imc_5/event=0x04,umask=12,inv/");
}

TEST(EncodeTest, UserNamesCarryTheKernelsUnit) {
  const Machine machine("skx");
  const auto encoding = EncodeUserEvent(machine.sysfs(), "uncore_imc_1/cas_count_read/");
  ASSERT_TRUE(encoding) << encoding.error();
  ASSERT_THAT(encoding->events, SizeIs(1));
  EXPECT_EQ(encoding->events[0].config[0], 0x304u);
  EXPECT_EQ(encoding->events[0].unit, "MiB");
  EXPECT_DOUBLE_EQ(encoding->events[0].scale * (1 << 20), 64);
  const auto core = EncodeUserEvent(machine.sysfs(), "cpu/mem-loads/");
  ASSERT_TRUE(core) << core.error();
  EXPECT_THAT(core->events[0].config, ElementsAre(0x1cdu, 3u, 0u));
  EXPECT_EQ(core->events[0].scope, Scope::kThread);
}

TEST(EncodeTest, UserErrorsNameWhatIsWrong) {
  const Machine machine("skx");
  const auto error = [&](const std::string& text) {
    const auto encoding = EncodeUserEvent(machine.sysfs(), text);
    EXPECT_FALSE(encoding) << text;
    return encoding.error();
  };
  EXPECT_THAT(error("uncore_imc/evnt=4/"),
              testing::AllOf(HasSubstr("\"evnt\""), HasSubstr("umask")));
  EXPECT_THAT(error("uncore_imc/event=0x104/"), HasSubstr("8 bits"));
  EXPECT_THAT(error("uncore_imc/cas_count/"), HasSubstr("\"cas_count\""));
  EXPECT_THAT(error("uncore_foo/event=1/"), HasSubstr("uncore_foo"));
  EXPECT_THAT(error("no_such_event_anywhere"), HasSubstr("no_such_event_anywhere"));
}

TEST(EncodeTest, ParametersOfTheUserStayAnError) {
  const Machine machine("skx");
  machine.Write("cpu/events/needs", "event=0x1,umask=?");
  EXPECT_THAT(EncodeUserEvent(machine.sysfs(), "cpu/needs/").error(), HasSubstr("umask=?"));
}

}  // namespace
}  // namespace roofmark::events
