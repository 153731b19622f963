// SPDX-License-Identifier: BSD-3-Clause
//
// Lint of the event table: nothing undefined, nothing unsummed, nothing unsaid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "collectors/hardware/events/encode.h"
#include "collectors/hardware/events/event_text.h"
#include "collectors/hardware/events/groups.h"
#include "tests/collectors/hardware/events/fixture.h"

namespace roofmark::events {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;

// Only Xeon Max has such memory: TrapsTest has its machine.
bool IsHbm(const Event& event) { return event.device.starts_with("uncore_hbm"); }

TEST(LintTest, EveryEventIsDefinedOnItsMachine) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    const EventTable table = TableOf(cpu);
    const Machine machine(MachineOf(cpu));
    const Sysfs sysfs = machine.sysfs();
    for (const Formula& formula : table.formulas) {
      ASSERT_THAT(formula.terms, Not(IsEmpty())) << QuantityName(formula.quantity);
      for (const Term& term : formula.terms) {
        EXPECT_THAT(term.event.name, Not(IsEmpty()));
        if (IsHbm(term.event)) continue;
        const auto encoding = EncodeTableEvent(sysfs, term.event);
        ASSERT_TRUE(encoding) << term.event.name << ": " << encoding.error();
        // The kernel's own spelling, where it has one, is the table's.
        EXPECT_THAT(encoding->notes, IsEmpty());
      }
    }
  }
}

TEST(LintTest, EveryChannelIsSummed) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    const EventTable table = TableOf(cpu);
    const Machine machine(MachineOf(cpu));
    const Sysfs sysfs = machine.sysfs();
    std::set<std::string> controllers;
    for (const std::string& name : sysfs.DeviceNames()) {
      for (const char* family : {"uncore_imc_#", "uncore_type_6_#", "amd_umc_#", "nvidia_scf_pmu_#",
                                 "uncore_dmc_#", "nest_mba#_imc"}) {
        if (MatchesDevice(family, name)) controllers.insert(name);
      }
    }
    for (const Formula& formula : table.formulas) {
      const Measure measure = formula.quantity.measure;
      if (measure != Measure::kDramReadBytes && measure != Measure::kDramWriteBytes) continue;
      for (const Term& term : formula.terms) {
        if (term.event.OnCore() || term.event.device == "uncore_imc") continue;
        const auto encoding = EncodeTableEvent(sysfs, term.event);
        ASSERT_TRUE(encoding) << encoding.error();
        std::set<std::string> counted;
        for (const EncodedEvent& event : encoding->events) counted.insert(event.device);
        EXPECT_EQ(counted, controllers) << term.event.name;
      }
    }
  }
}

TEST(LintTest, NoQuantityTwiceInAView) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    const EventTable table = TableOf(cpu);
    std::set<std::pair<FpView, std::string>> seen;
    for (const Formula& formula : table.formulas)
      EXPECT_TRUE(seen.emplace(formula.quantity.view, QuantityName(formula.quantity)).second)
          << QuantityName(formula.quantity);
  }
}

TEST(LintTest, NoEventTwiceInAView) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    const EventTable table = TableOf(cpu);
    for (const Group& group : Groups()) {
      std::set<std::pair<std::string, Measure>> seen;
      for (const Formula& formula : Select(table, group).formulas) {
        for (const Term& term : formula.terms)
          EXPECT_TRUE(
              seen.emplace(term.event.device + "/" + term.event.fields + term.event.kernel_name,
                           formula.quantity.measure)
                  .second)
              << group.name << ": " << term.event.name;
      }
    }
  }
}

TEST(LintTest, EveryMeasureIsCountedOrRefused) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    const EventTable table = TableOf(cpu);
    std::set<Measure> known;
    for (const Formula& formula : table.formulas) known.insert(formula.quantity.measure);
    for (const Refusal& refusal : table.refusals) {
      EXPECT_THAT(known, Not(Contains(refusal.measure))) << "counted and refused";
      EXPECT_THAT(refusal.reason, Not(IsEmpty()));
    }
    for (const Refusal& refusal : table.refusals) known.insert(refusal.measure);
    if (known.contains(Measure::kDramBytes)) {
      known.insert(Measure::kDramReadBytes);
      known.insert(Measure::kDramWriteBytes);
    }
    for (const Measure measure :
         {Measure::kFlops, Measure::kCycles, Measure::kInstructions, Measure::kMemoryStallCycles,
          Measure::kLastLevelMisses, Measure::kL1ReadBytes, Measure::kL1WriteBytes,
          Measure::kL2ReadBytes, Measure::kL2WriteBytes, Measure::kL3ReadBytes,
          Measure::kDramReadBytes, Measure::kDramWriteBytes})
      EXPECT_THAT(known, Contains(measure)) << MeasureName(measure);
  }
}

TEST(LintTest, WeightsAndStatusesArePossible) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    const EventTable table = TableOf(cpu);
    for (const Formula& formula : table.formulas) {
      const Quantity& quantity = formula.quantity;
      EXPECT_THAT(formula.status, AnyOf(Status::kMeasured, Status::kMixedPrecision));
      if (quantity.measure == Measure::kFlops) {
        EXPECT_NE(quantity.kinds, 0);
        const bool mixed = quantity.precision == FpPrecision::kMixed ||
                           quantity.view == FpView::kIfDouble || quantity.view == FpView::kIfSingle;
        EXPECT_EQ(formula.status == Status::kMixedPrecision, mixed) << QuantityName(quantity);
      }
      for (const Term& term : formula.terms) {
        EXPECT_NE(term.weight, 0);
        EXPECT_GE(term.event.counters, 1);
        // Lines of memory, unless the maker counts beats or bytes.
        const bool dram = quantity.measure >= Measure::kDramReadBytes;
        if (dram) {
          EXPECT_THAT(std::abs(term.weight), AnyOf(1, 32, 64, 256)) << term.event.name;
        }
      }
    }
  }
}

// Fields on every lane: two doubles or four singles per 128 bits.
TEST(LintTest, WeightIsTheNumberOfLanes) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    const EventTable table = TableOf(cpu);
    const std::map<FpWidth, double> bits = {
        {FpWidth::k128, 128}, {FpWidth::k256, 256}, {FpWidth::k512, 512}};
    const std::map<FpPrecision, double> size = {
        {FpPrecision::kDouble, 64}, {FpPrecision::kSingle, 32}, {FpPrecision::kHalf, 16}};
    for (const Formula& formula : table.formulas) {
      const Quantity& quantity = formula.quantity;
      if (quantity.measure != Measure::kFlops) continue;
      if (quantity.width == FpWidth::kScalar) {
        EXPECT_EQ(formula.terms[0].weight, 1);
      }
      if (!bits.contains(quantity.width)) continue;
      EXPECT_EQ(formula.terms[0].weight, bits.at(quantity.width) / size.at(quantity.precision))
          << QuantityName(quantity);
    }
  }
}

TEST(LintTest, SharedCountersNameEventsOfTheTable) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    const EventTable table = TableOf(cpu);
    std::set<std::string> names;
    for (const Formula& formula : table.formulas)
      for (const Term& term : formula.terms) names.insert(term.event.name);
    for (const auto& set : table.exclusive)
      for (const std::string& name : set) EXPECT_THAT(names, Contains(name));
  }
}

}  // namespace
}  // namespace roofmark::events
