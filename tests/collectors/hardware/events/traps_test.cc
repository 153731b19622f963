// SPDX-License-Identifier: BSD-3-Clause
//
// Traps that counting tools fell into and that an event table decides; one test each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "collectors/hardware/events/encode.h"
#include "collectors/hardware/events/groups.h"
#include "tests/collectors/hardware/events/fixture.h"

namespace roofmark::events {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Formula Only(Microarch microarch, std::string_view name) {
  const std::vector<Formula> found = Find(TableOf({microarch}), name);
  EXPECT_THAT(found, SizeIs(1)) << name;
  return found.at(0);
}

std::vector<EncodedEvent> Encode(const Machine& machine, const Event& event) {
  const auto encoding = EncodeTableEvent(machine.sysfs(), event);
  EXPECT_TRUE(encoding) << encoding.error();
  return encoding ? encoding->events : std::vector<EncodedEvent>{};
}

// Opened with cpu -1 an uncore event gives EINVAL, and opened by every thread it counts too often.
TEST(TrapsTest, UncoreEventsNameTheCpusOfTheirMask) {
  for (const char* name : {"skx", "icx", "spr", "zen3", "zen4", "v2", "tx2", "power9"}) {
    const Machine machine(name);
    const Result<CpuModel> cpu = IdentifyCpu(*ReadCpuFacts(machine.root()));
    ASSERT_TRUE(cpu) << cpu.error();
    for (const Formula& formula : TableOf(*cpu).formulas) {
      for (const Term& term : formula.terms) {
        if (term.event.OnCore() || term.event.device.starts_with("uncore_hbm")) continue;
        for (const EncodedEvent& event : Encode(machine, term.event)) {
          EXPECT_EQ(event.scope, Scope::kPackage) << event.name;
          EXPECT_THAT(event.cpus, Not(IsEmpty())) << event.name;
        }
      }
    }
  }
}

TEST(TrapsTest, PhantomChannelsAreReportedNotCounted) {
  const Machine machine("skx");
  machine.Write("uncore_imc_4/cpumask", "");
  machine.Remove("uncore_imc_5/type");
  const auto encoding = EncodeTableEvent(
      machine.sysfs(), Only(Microarch::kSkylake, "dram_read_bytes").terms[0].event);
  ASSERT_TRUE(encoding) << encoding.error();
  EXPECT_THAT(encoding->events, SizeIs(4));
  EXPECT_THAT(encoding->notes,
              ElementsAre(testing::AllOf(HasSubstr("uncore_imc_4"), HasSubstr("cpumask")),
                          HasSubstr("uncore_imc_5")));
}

TEST(TrapsTest, FreeRunningCountersAreNoChannels) {
  const Machine machine("icx");
  for (const EncodedEvent& event :
       Encode(machine, Only(Microarch::kIceLake, "dram_read_bytes").terms[0].event))
    EXPECT_THAT(event.device, Not(HasSubstr("free_running")));
}

TEST(TrapsTest, Kernel61WithoutEventsEncodesFromTheFormat) {
  const Machine machine("spr61");
  EXPECT_THAT(machine.sysfs().Read("uncore_imc_0")->events, IsEmpty());
  const auto read =
      Encode(machine, Only(Microarch::kSapphireRapids, "dram_read_bytes").terms[0].event);
  ASSERT_THAT(read, SizeIs(12));
  for (const EncodedEvent& event : read) EXPECT_EQ(event.config[0], 0xcf05u);
}

TEST(TrapsTest, HighBandwidthMemoryUnderAnUnknownUnitsNumber) {
  const Machine machine("spr_max");
  const auto read =
      Encode(machine, Only(Microarch::kSapphireRapids, "hbm_read_bytes").terms[0].event);
  ASSERT_THAT(read, SizeIs(32));
  EXPECT_EQ(read[31].device, "uncore_type_14_31");
  EXPECT_EQ(read[31].config[0], 0xcf05u);
}

TEST(TrapsTest, BothSubchannelsOfGraniteRapids) {
  for (const Microarch microarch : {Microarch::kGraniteRapids, Microarch::kSierraForest}) {
    EXPECT_THAT(Fields(Only(microarch, "dram_read_bytes")),
                ElementsAre("event=0x05,umask=0xcf", "event=0x06,umask=0xcf"));
    EXPECT_THAT(Fields(Only(microarch, "dram_write_bytes")),
                ElementsAre("event=0x05,umask=0xf0", "event=0x06,umask=0xf0"));
  }
}

// In 0xc7 Sierra Forest swaps the bits of scalar double and single: it must not be used there.
TEST(TrapsTest, SierraForestsSwappedBits) {
  for (const Formula& formula : TableOf({Microarch::kSierraForest}).formulas) {
    for (const std::string& fields : Fields(formula)) EXPECT_THAT(fields, Not(HasSubstr("0xc7")));
  }
  EXPECT_THAT(Fields(Only(Microarch::kSierraForest, "flops_dp")),
              ElementsAre("event=0xc8,umask=0x01"));
}

TEST(TrapsTest, HaswellFlopsAreRefusedNotGuessed) {
  for (const bool client : {false, true}) {
    const EventTable table = TableOf({Microarch::kHaswell, client});
    for (const char* group : {"dp", "sp", "mix", "all"}) {
      const Selection selection = Select(table, *FindGroup(group));
      for (const Formula& formula : selection.formulas)
        EXPECT_NE(formula.quantity.measure, Measure::kFlops);
      ASSERT_THAT(selection.missing, Not(IsEmpty()));
      EXPECT_THAT(selection.missing[0].reason, HasSubstr("Haswell has no floating-point events"));
    }
  }
}

TEST(TrapsTest, NeoverseNFlopsAndDramAreRefused) {
  for (const Microarch microarch : {Microarch::kNeoverseN1, Microarch::kNeoverseN2}) {
    const EventTable table = TableOf({microarch});
    for (const Formula& formula : table.formulas) {
      EXPECT_NE(formula.quantity.measure, Measure::kFlops);
      EXPECT_LT(formula.quantity.measure, Measure::kDramReadBytes);
      // MEM_ACCESS (0x13) is what the core issues.
      for (const std::string& fields : Fields(formula)) EXPECT_NE(fields, "event=0x13");
    }
  }
}

TEST(TrapsTest, Zen2To4AreLabelledMixed) {
  for (const Microarch microarch : {Microarch::kZen2, Microarch::kZen3, Microarch::kZen4}) {
    for (const Formula& formula : Select(TableOf({microarch}), *FindGroup("dp")).formulas) {
      if (formula.quantity.measure == Measure::kFlops) {
        EXPECT_EQ(formula.status, Status::kMixedPrecision);
      }
    }
  }
}

TEST(TrapsTest, ZenKindsByUnitMaskBit) {
  const EventTable table = TableOf({Microarch::kZen3});
  const std::pair<const char*, KindSet> kinds[] = {
      {"flops_mixed_add", KindBit(FlopKind::kAdd)},
      {"flops_mixed_mul", KindBit(FlopKind::kMul)},
      {"flops_mixed_div+sqrt", KindBit(FlopKind::kDiv) | KindBit(FlopKind::kSqrt)},
      {"flops_mixed_fma", KindBit(FlopKind::kFma)}};
  uint32_t bit = 1;
  for (const auto& [name, set] : kinds) {
    const Formula formula = Find(table, name).at(0);
    EXPECT_EQ(formula.quantity.kinds, set);
    EXPECT_EQ(formula.terms[0].event.fields, "event=0x03,umask=0x0" + std::to_string(bit));
    bit *= 2;
  }
}

// The kernel adds the second counter of a merged pair itself.
TEST(TrapsTest, ZenMergeIsNotProgrammed) {
  for (const Microarch microarch :
       {Microarch::kZen1, Microarch::kZen2, Microarch::kZen3, Microarch::kZen4, Microarch::kZen5}) {
    for (const Formula& formula : TableOf({microarch}).formulas) {
      for (const Term& term : formula.terms) {
        EXPECT_THAT(term.event.fields, Not(HasSubstr("0xfff")));
        const bool flops = formula.quantity.measure == Measure::kFlops;
        EXPECT_EQ(term.event.counters, flops ? 2 : 1) << term.event.name;
        if (flops) {
          EXPECT_THAT(formula.note, HasSubstr("5.6"));
        }
      }
    }
  }
}

TEST(TrapsTest, IntelCannotTellAnFmaFromTwoOperations) {
  for (const Microarch microarch :
       {Microarch::kBroadwell, Microarch::kSkylake, Microarch::kSapphireRapids}) {
    for (const Formula& formula : TableOf({microarch}).formulas) {
      if (formula.quantity.measure == Measure::kFlops) {
        EXPECT_EQ(formula.quantity.kinds, kAnyKind);
      }
    }
  }
}

// OR-ing unit masks is refused for newer CPUs: one width or precision per event.
TEST(TrapsTest, OneUnitMaskBitPerFlopEvent) {
  for (const Microarch microarch :
       {Microarch::kSkylake, Microarch::kIceLake, Microarch::kSapphireRapids}) {
    const Machine machine(MachineOf({microarch}));
    for (const Formula& formula : TableOf({microarch}).formulas) {
      if (formula.quantity.measure != Measure::kFlops ||
          formula.quantity.precision == FpPrecision::kHalf)
        continue;
      for (const Term& term : formula.terms)
        EXPECT_EQ(std::popcount(Encode(machine, term.event)[0].config[0] >> 8 & 0xff), 1);
    }
  }
}

TEST(TrapsTest, OldCpusOvercountAndSaySo) {
  for (const Microarch microarch : {Microarch::kSandyBridge, Microarch::kIvyBridge}) {
    for (const Formula& formula : Select(TableOf({microarch}), *FindGroup("dp")).formulas) {
      if (formula.quantity.measure == Measure::kFlops) {
        EXPECT_THAT(formula.note, HasSubstr("too high"));
      }
    }
  }
}

TEST(TrapsTest, Zen3ChannelsExceedTheCountersAndSaySo) {
  const Formula dram = Only(Microarch::kZen3, "dram_bytes");
  EXPECT_THAT(dram.terms, SizeIs(8));
  EXPECT_THAT(dram.note, testing::AllOf(HasSubstr("four counters"), HasSubstr("NPS1")));
}

TEST(TrapsTest, PowerFlopsHaveOneCounterBetweenThem) {
  for (const Microarch microarch : {Microarch::kPower9, Microarch::kPower10}) {
    const EventTable table = TableOf({microarch});
    ASSERT_THAT(table.exclusive, SizeIs(1));
    EXPECT_THAT(table.exclusive[0], SizeIs(4));
  }
}

TEST(TrapsTest, LastLevelMissesAreNeverCalledDramBytes) {
  for (const CpuModel& cpu : KnownCpus()) {
    for (const Formula& formula : Find(TableOf(cpu), "last_level_misses")) {
      EXPECT_EQ(MeasureName(formula.quantity.measure), "last_level_misses");
      for (const Term& term : formula.terms) EXPECT_EQ(std::abs(term.weight), 1);
    }
  }
}

}  // namespace
}  // namespace roofmark::events
