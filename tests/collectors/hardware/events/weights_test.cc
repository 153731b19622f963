// SPDX-License-Identifier: BSD-3-Clause
//
// What each microarchitecture's counters show of a known piece of work, and the FLOPs and bytes
// that must come out. Encodings and increments are spelled here once more, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "collectors/hardware/events/encode.h"
#include "collectors/hardware/events/groups.h"
#include "tests/collectors/hardware/events/fixture.h"

namespace roofmark::events {
namespace {

using Counts = std::map<uint64_t, double>;  // by config, of all devices together

const Sysfs& KnownSysfs(Microarch microarch) {
  static std::map<Microarch, std::pair<std::unique_ptr<Machine>, Sysfs>> known;
  auto found = known.find(microarch);
  if (found == known.end()) {
    auto machine = std::make_unique<Machine>(MachineOf({microarch}));
    const Sysfs sysfs = machine->sysfs();
    found = known.emplace(microarch, std::make_pair(std::move(machine), sysfs)).first;
  }
  return found->second.second;
}

// The sum of a group's formulas for one measure.
double Sum(Microarch microarch, std::string_view group, Measure measure, const Counts& counts,
           uint32_t vector_bits = 128) {
  const Sysfs& sysfs = KnownSysfs(microarch);
  double sum = 0;
  for (const Formula& formula : Select(TableOf({microarch}), *FindGroup(group)).formulas) {
    if (formula.quantity.measure != measure) continue;
    for (const Term& term : formula.terms) {
      const auto encoding = EncodeTableEvent(sysfs, term.event);
      EXPECT_TRUE(encoding) << encoding.error();
      const auto found = counts.find(encoding ? encoding->events[0].config[0] : 0);
      if (found != counts.end()) sum += term.Weight(vector_bits) * found->second;
    }
  }
  return sum;
}

double Flops(Microarch microarch, std::string_view group, const Counts& counts,
             uint32_t vector_bits = 128) {
  return Sum(microarch, group, Measure::kFlops, counts, vector_bits);
}

// Doubles: 5 scalar adds, 7 vectors of 128 bits, 11 of 256; singles: 13, 17, 19.
TEST(WeightsTest, SandyAndIvyBridge) {
  const Counts counts = {{0x8010, 5},  {0x1010, 7},  {0x0211, 11},
                         {0x2010, 13}, {0x4010, 17}, {0x0111, 19}};
  for (const Microarch microarch : {Microarch::kSandyBridge, Microarch::kIvyBridge}) {
    EXPECT_EQ(Flops(microarch, "dp", counts), 5 + 7 * 2 + 11 * 4);
    EXPECT_EQ(Flops(microarch, "sp", counts), 13 + 17 * 4 + 19 * 8);
  }
}

// An FMA of 256 bits is two counts: 3 of them are 6 counts and 3 * 2 * 4 FLOPs.
TEST(WeightsTest, Broadwell) {
  const Counts counts = {{0x1c7, 5},  {0x4c7, 7},   {0x10c7, 6},    {0x2c7, 13},
                         {0x8c7, 17}, {0x20c7, 19}, {0x40c7, 1000}, {0x80c7, 1000}};
  EXPECT_EQ(Flops(Microarch::kBroadwell, "dp", counts), 5 + 7 * 2 + 3 * 2 * 4);
  EXPECT_EQ(Flops(Microarch::kBroadwell, "sp", counts), 13 + 17 * 4 + 19 * 8);
}

TEST(WeightsTest, SkylakeToGraniteRapids) {
  const Counts counts = {{0x1c7, 5},  {0x4c7, 7},  {0x10c7, 11}, {0x40c7, 23},
                         {0x2c7, 13}, {0x8c7, 17}, {0x20c7, 19}, {0x80c7, 29}};
  for (const Microarch microarch :
       {Microarch::kSkylake, Microarch::kCascadeLake, Microarch::kIceLake,
        Microarch::kSapphireRapids, Microarch::kEmeraldRapids, Microarch::kGraniteRapids}) {
    EXPECT_EQ(Flops(microarch, "dp", counts), 5 + 7 * 2 + 11 * 4 + 23 * 8);
    EXPECT_EQ(Flops(microarch, "sp", counts), 13 + 17 * 4 + 19 * 8 + 29 * 16);
  }
}

TEST(WeightsTest, HalfPrecisionFromSapphireRapids) {
  const Counts counts = {{0x3cf, 3}, {0x4cf, 5}, {0x8cf, 7}, {0x10cf, 11}};
  for (const Microarch microarch :
       {Microarch::kSapphireRapids, Microarch::kEmeraldRapids, Microarch::kGraniteRapids}) {
    EXPECT_EQ(Flops(microarch, "mix", counts), 3 + 5 * 8 + 7 * 16 + 11 * 32);
    EXPECT_EQ(Flops(microarch, "dp", counts), 0);
  }
  EXPECT_EQ(Flops(Microarch::kIceLake, "all", counts), 0);
}

TEST(WeightsTest, SierraForestCountsOperations) {
  const Counts counts = {{0x1c8, 100}, {0x2c8, 40}, {0x1c7, 7}, {0x2c7, 9}};
  EXPECT_EQ(Flops(Microarch::kSierraForest, "dp", counts), 100);
  EXPECT_EQ(Flops(Microarch::kSierraForest, "sp", counts), 40);
}

// AMD counts operations: 10 vector FMAs of four doubles are 80.
TEST(WeightsTest, Zen1) {
  const Counts counts = {
      {0xf003, 5 + 8 + 2 + 80}, {0x1003, 5}, {0x2003, 8}, {0x4003, 2}, {0x8003, 80},
      {0x0f03, 3 + 4 + 1 + 16}, {0x0103, 3}, {0x0203, 4}, {0x0403, 1}, {0x0803, 16}};
  EXPECT_EQ(Flops(Microarch::kZen1, "dp", counts), 95);
  EXPECT_EQ(Flops(Microarch::kZen1, "sp", counts), 24);
  EXPECT_EQ(Flops(Microarch::kZen1, "mix", counts), 95 + 24);
  EXPECT_EQ(Flops(Microarch::kZen1, "all", counts), 95 + 24);
}

TEST(WeightsTest, Zen2AndZen3) {
  const Counts counts = {{0xf03, 5 + 8 + 2 + 80}, {0x103, 5}, {0x203, 8}, {0x403, 2}, {0x803, 80}};
  for (const Microarch microarch : {Microarch::kZen2, Microarch::kZen3}) {
    for (const char* group : {"dp", "sp", "mix", "all"})
      EXPECT_EQ(Flops(microarch, group, counts), 95) << group;
  }
}

TEST(WeightsTest, Zen4) {
  const Counts counts = {
      {0x1f03, 5 + 8 + 2 + 80 + 64}, {0x103, 5}, {0x203, 8}, {0x403, 2}, {0x803, 80}, {0x1003, 64}};
  for (const char* group : {"dp", "mix", "all"})
    EXPECT_EQ(Flops(Microarch::kZen4, group, counts), 159) << group;
}

TEST(WeightsTest, Zen5) {
  const Counts counts = {{0x8f03, 5}, {0xaf03, 70}, {0x4f03, 3}, {0x6f03, 40}, {0x2f03, 16},
                         {0x103, 50}, {0x203, 20},  {0x403, 4},  {0x803, 60}};
  EXPECT_EQ(Flops(Microarch::kZen5, "dp", counts), 75);
  EXPECT_EQ(Flops(Microarch::kZen5, "sp", counts), 43);
  EXPECT_EQ(Flops(Microarch::kZen5, "all", counts), 75 + 43 + 16);
  EXPECT_EQ(Flops(Microarch::kZen5, "mix", counts), 50 + 20 + 4 + 60);
}

// 10 NEON or scalar operations, and 6 per 128 bits of SVE vectors.
TEST(WeightsTest, A64fxScalesWithTheVectorLength) {
  const Counts counts = {{0x80c7, 10}, {0x80c6, 6},  {0x80c5, 20},
                         {0x80c4, 5},  {0x80c3, 30}, {0x80c2, 3}};
  EXPECT_EQ(Flops(Microarch::kA64fx, "dp", counts, 512), 10 + 6 * 4);
  EXPECT_EQ(Flops(Microarch::kA64fx, "sp", counts, 512), 20 + 5 * 4);
  EXPECT_EQ(Flops(Microarch::kA64fx, "all", counts, 512), 34 + 40 + 30 + 3 * 4);
  EXPECT_EQ(Flops(Microarch::kA64fx, "dp", counts, 128), 16);
}

TEST(WeightsTest, NeoverseVMixesPrecisions) {
  const Counts counts = {{0x80c1, 10}, {0x80c0, 6}};
  EXPECT_EQ(Flops(Microarch::kNeoverseV2, "dp", counts, 128), 16);
  EXPECT_EQ(Flops(Microarch::kNeoverseV2, "sp", counts, 128), 16);
  EXPECT_EQ(Flops(Microarch::kNeoverseV1, "dp", counts, 256), 22);
}

TEST(WeightsTest, ThunderX2AssumesAPrecision) {
  const Counts counts = {{0x75, 10}, {0x74, 6}};
  EXPECT_EQ(Flops(Microarch::kThunderX2, "dp", counts), 22);
  EXPECT_EQ(Flops(Microarch::kThunderX2, "sp", counts), 34);
  EXPECT_EQ(Flops(Microarch::kThunderX2, "all", counts), 22);
}

TEST(WeightsTest, Power) {
  const Counts counts = {{0x4d054, 2}, {0x45052, 3}, {0x4d052, 5}, {0x45050, 7}};
  for (const Microarch microarch : {Microarch::kPower9, Microarch::kPower10})
    EXPECT_EQ(Flops(microarch, "dp", counts), 2 * 8 + 3 * 4 + 5 * 2 + 7);
}

struct Traffic {
  Microarch microarch;
  Counts counts;
  double read, write, both;
};

// One line each: reads and writes of 64 bytes unless the CPU says otherwise.
TEST(WeightsTest, DramBytes) {
  const Traffic cases[] = {
      {Microarch::kSandyBridge, {{0x304, 10}, {0xc04, 3}}, 640, 192, 0},
      {Microarch::kIvyBridge, {{0x304, 10}, {0xc04, 3}}, 640, 192, 0},
      {Microarch::kHaswell, {{0x304, 10}, {0xc04, 3}}, 640, 192, 0},
      {Microarch::kBroadwell, {{0x304, 10}, {0xc04, 3}}, 640, 192, 0},
      {Microarch::kSkylake, {{0x304, 10}, {0xc04, 3}}, 640, 192, 0},
      {Microarch::kCascadeLake, {{0x304, 10}, {0xc04, 3}}, 640, 192, 0},
      {Microarch::kIceLake, {{0xf04, 10}, {0x3004, 3}}, 640, 192, 0},
      {Microarch::kSapphireRapids, {{0xcf05, 10}, {0xf005, 3}}, 640, 192, 0},
      {Microarch::kEmeraldRapids, {{0xcf05, 10}, {0xf005, 3}}, 640, 192, 0},
      {Microarch::kGraniteRapids,
       {{0xcf05, 10}, {0xcf06, 4}, {0xf005, 3}, {0xf006, 2}},
       896,
       320,
       0},
      {Microarch::kSierraForest,
       {{0xcf05, 10}, {0xcf06, 4}, {0xf005, 3}, {0xf006, 2}},
       896,
       320,
       0},
      {Microarch::kZen1, {{0x3807, 5}, {0x3847, 2}}, 0, 0, 448},
      {Microarch::kZen2, {{0x3807, 5}, {0x3847, 2}}, 0, 0, 448},
      {Microarch::kZen3,
       {{0x3807, 1},
        {0x3847, 2},
        {0x3887, 3},
        {0x38c7, 4},
        {0x100003807, 5},
        {0x100003847, 6},
        {0x100003887, 7},
        {0x1000038c7, 8}},
       0,
       0,
       36 * 64},
      {Microarch::kZen4, {{0x10a, 10}, {0x20a, 3}}, 640, 192, 0},
      {Microarch::kZen5, {{0x10a, 10}, {0x20a, 3}}, 640, 192, 0},
      {Microarch::kA64fx, {{0x17, 100}, {0x325, 20}, {0x326, 30}, {0x18, 7}}, 50 * 256, 7 * 256, 0},
      {Microarch::kNeoverseV2, {{0x1a5, 10}, {0x1db, 96}}, 320, 96, 0},
      {Microarch::kThunderX2, {{0x0f, 10}, {0x0b, 3}}, 640, 192, 0},
      {Microarch::kPower9, {{0x100, 10}, {0x200, 3}}, 640, 192, 0},
  };
  for (const Traffic& c : cases) {
    SCOPED_TRACE(CpuKey({c.microarch}));
    EXPECT_EQ(Sum(c.microarch, "mem", Measure::kDramReadBytes, c.counts), c.read);
    EXPECT_EQ(Sum(c.microarch, "mem", Measure::kDramWriteBytes, c.counts), c.write);
    EXPECT_EQ(Sum(c.microarch, "mem", Measure::kDramBytes, c.counts), c.both);
  }
}

TEST(WeightsTest, StallsOnMemory) {
  const std::pair<Microarch, uint64_t> cases[] = {{Microarch::kSandyBridge, 0x60006a3},
                                                  {Microarch::kIvyBridge, 0x60006a3},
                                                  {Microarch::kHaswell, 0x60006a3},
                                                  {Microarch::kBroadwell, 0x60006a3},
                                                  {Microarch::kSkylake, 0x140014a3},
                                                  {Microarch::kCascadeLake, 0x140014a3},
                                                  {Microarch::kIceLake, 0x140014a3},
                                                  {Microarch::kSapphireRapids, 0x50021a6},
                                                  {Microarch::kEmeraldRapids, 0x50021a6},
                                                  {Microarch::kGraniteRapids, 0x50021a6},
                                                  {Microarch::kSierraForest, 0x7f34},
                                                  {Microarch::kZen4, 0xa2d6},
                                                  {Microarch::kZen5, 0xa2d6},
                                                  {Microarch::kA64fx, 0x184},
                                                  {Microarch::kNeoverseV1, 0x4005},
                                                  {Microarch::kNeoverseN2, 0x4005},
                                                  {Microarch::kNeoverseV2, 0x4005},
                                                  {Microarch::kPower9, 0x2c012}};
  for (const auto& [microarch, config] : cases)
    EXPECT_EQ(Sum(microarch, "mem", Measure::kMemoryStallCycles, {{config, 9}}), 9)
        << CpuKey({microarch});
}

TEST(WeightsTest, CacheTraffic) {
  const auto cache = [](Microarch microarch, Measure measure, const Counts& counts) {
    return Sum(microarch, "cache", measure, counts);
  };
  EXPECT_EQ(cache(Microarch::kBroadwell, Measure::kL1ReadBytes, {{0x151, 3}}), 192);
  EXPECT_EQ(cache(Microarch::kBroadwell, Measure::kL1WriteBytes, {{0x10f0, 3}}), 192);
  EXPECT_EQ(cache(Microarch::kBroadwell, Measure::kL2ReadBytes, {{0x7f1, 3}}), 192);
  EXPECT_EQ(cache(Microarch::kBroadwell, Measure::kL2WriteBytes, {{0x40f0, 3}}), 192);
  EXPECT_EQ(cache(Microarch::kIceLake, Measure::kL2ReadBytes, {{0x1ff1, 3}}), 192);
  EXPECT_EQ(cache(Microarch::kIceLake, Measure::kL2WriteBytes, {{0x2f2, 3}}), 192);
  EXPECT_EQ(cache(Microarch::kSapphireRapids, Measure::kL2ReadBytes, {{0x1f25, 3}}), 192);
  EXPECT_EQ(cache(Microarch::kSapphireRapids, Measure::kL2WriteBytes, {{0x226, 3}}), 192);
  EXPECT_EQ(cache(Microarch::kZen2, Measure::kL1ReadBytes, {{0x5b43, 1}, {0x5b59, 1}, {0x5b5a, 1}}),
            192);
  EXPECT_EQ(cache(Microarch::kZen4, Measure::kL1ReadBytes, {{0xdf44, 3}}), 192);
  EXPECT_EQ(cache(Microarch::kZen4, Measure::kL2ReadBytes, {{0x964, 1}, {0xff71, 1}, {0xff72, 1}}),
            192);
  EXPECT_EQ(cache(Microarch::kZen4, Measure::kL3ReadBytes, {{0x104, 3}}), 192);
  EXPECT_EQ(cache(Microarch::kA64fx, Measure::kL1ReadBytes, {{0x03, 3}}), 768);
  EXPECT_EQ(cache(Microarch::kNeoverseN1, Measure::kL2WriteBytes, {{0x18, 3}}), 192);
}

}  // namespace
}  // namespace roofmark::events
