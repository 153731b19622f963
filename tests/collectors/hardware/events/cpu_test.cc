// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/hardware/events/fixture.h"

namespace roofmark::events {
namespace {

std::string Identify(const CpuFacts& facts) {
  const Result<CpuModel> cpu = IdentifyCpu(facts);
  return cpu ? CpuKey(*cpu) : cpu.error();
}

CpuFacts X86(std::string vendor, uint32_t family, uint32_t model, uint32_t stepping = 0) {
  return {std::move(vendor), family, model, stepping, 0, 0, ""};
}

TEST(CpuTest, FixturesAreWhatTheirNamesSay) {
  for (const CpuModel& known : KnownCpus()) {
    if (known.client && known.microarch != Microarch::kSkylake) continue;
    const Result<CpuFacts> facts = ReadCpuFacts(Machine(MachineOf(known)).root());
    ASSERT_TRUE(facts) << facts.error();
    EXPECT_EQ(Identify(*facts), CpuKey(known));
  }
}

TEST(CpuTest, SteppingsTellCascadeLakeFromSkylake) {
  EXPECT_EQ(Identify(X86("GenuineIntel", 6, 85, 4)), "skx");
  EXPECT_EQ(Identify(X86("GenuineIntel", 6, 85, 5)), "clx");
  EXPECT_EQ(Identify(X86("GenuineIntel", 6, 85, 7)), "clx");
}

TEST(CpuTest, DesktopRelativesAreMarked) {
  EXPECT_EQ(Identify(X86("GenuineIntel", 6, 42)), "snb-client");
  EXPECT_EQ(Identify(X86("GenuineIntel", 6, 60)), "hsw-client");
  EXPECT_EQ(Identify(X86("GenuineIntel", 6, 140)), "icx-client");
}

TEST(CpuTest, ZenGenerationsByModel) {
  EXPECT_EQ(Identify(X86("AuthenticAMD", 0x17, 0x08)), "zen1");
  EXPECT_EQ(Identify(X86("HygonGenuine", 0x18, 0x00)), "zen1");
  EXPECT_EQ(Identify(X86("AuthenticAMD", 0x17, 0x71)), "zen2");
  EXPECT_EQ(Identify(X86("AuthenticAMD", 0x19, 0x21)), "zen3");
  EXPECT_EQ(Identify(X86("AuthenticAMD", 0x19, 0x50)), "zen3");
  EXPECT_EQ(Identify(X86("AuthenticAMD", 0x19, 0x61)), "zen4");
  EXPECT_EQ(Identify(X86("AuthenticAMD", 0x19, 0xa0)), "zen4");
  EXPECT_EQ(Identify(X86("AuthenticAMD", 0x1a, 0x44)), "zen5");
  EXPECT_THAT(Identify(X86("AuthenticAMD", 0x1a, 0x50)), testing::HasSubstr("family 0x1a"));
}

TEST(CpuTest, ThunderX2UnderBothOwners) {
  CpuFacts facts;
  facts.implementer = 0x42;
  facts.part = 0x516;
  EXPECT_EQ(Identify(facts), "tx2");
}

TEST(CpuTest, UnknownCpusGetAReason) {
  EXPECT_THAT(Identify(X86("GenuineIntel", 6, 151)),
              testing::AllOf(testing::HasSubstr("Intel family 6 model 151"),
                             testing::HasSubstr("ROOFMARK_EVENTS")));
  CpuFacts arm;
  arm.implementer = 0x61;
  arm.part = 0x22;
  EXPECT_THAT(Identify(arm), testing::HasSubstr("implementer 0x61 part 0x22"));
  EXPECT_THAT(Identify(X86("CentaurHauls", 6, 1)), testing::HasSubstr("CentaurHauls"));
  EXPECT_FALSE(ReadCpuFacts("/nonexistent"));
}

TEST(CpuTest, VectorLengthIsAtLeastNeons) { EXPECT_GE(SveVectorBits(), 128u); }

}  // namespace
}  // namespace roofmark::events
