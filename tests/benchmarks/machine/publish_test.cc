// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/publish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/machine/branch_load.h"

namespace roofmark {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MeasureTask Task(const std::string& id, uint32_t cores, double rate, double ghz = 4) {
  MeasureTask task;
  task.id = id;
  task.label = "label of " + id;
  task.unit = "GFLOP/s";
  // Of two packages with a core each.
  task.on = {std::vector<uint32_t>(cores), cores};
  for (int i = 0; i < 4; ++i) {
    task.rates.Add(rate, true);
    task.clock.Add(ghz, true);
  }
  return task;
}

TEST(Publish, MakesOneCurvePerCeiling) {
  Machine machine;
  PublishCeilings({Task("compute.dp.fma.256", 2, 120), Task("compute.dp.fma.256", 1, 64)}, machine);
  const CeilingCurve* fma = machine.Find("compute.dp.fma.256");
  ASSERT_NE(fma, nullptr);
  ASSERT_EQ(fma->curve.size(), 2u);
  EXPECT_EQ(fma->curve[0].cores, 1u);
  EXPECT_EQ(fma->curve[1].packages, 2u);
  EXPECT_DOUBLE_EQ(ValueAt(*fma, 2), 120);
  EXPECT_DOUBLE_EQ(fma->curve[0].ghz, 4);
  EXPECT_THAT(machine.warnings, IsEmpty());
}

TEST(Publish, KeepsTheBetterShapeOfAKernel) {
  Machine machine;
  PublishCeilings({Task("compute.dp.muladd.256", 1, 48), Task("compute.dp.muladd.256", 1, 64),
                   Task("compute.dp.muladd.256", 1, 50)},
                  machine);
  EXPECT_DOUBLE_EQ(ValueAt(*machine.Find("compute.dp.muladd.256"), 1), 64);
}

TEST(Publish, RefusesMoreThanTheClockAllows) {
  auto possible = Task("compute.dp.fma.256", 1, 64 * 1.019),
       impossible = Task("compute.dp.add.256", 1, 32 * 1.03);
  possible.most_per_cycle = 16;
  impossible.most_per_cycle = 8;
  Machine machine;
  PublishCeilings({possible, impossible}, machine);
  EXPECT_NE(machine.Find("compute.dp.fma.256"), nullptr);
  EXPECT_EQ(machine.Find("compute.dp.add.256"), nullptr);
  EXPECT_THAT(machine.warnings, ElementsAre(HasSubstr("is more than the 32 that 4.00 GHz allow")));
}

TEST(Publish, RefusesWrongResults) {
  auto wrong = Task("compute.dp.div.128", 1, 2);
  wrong.wrong = true;
  Machine machine;
  PublishCeilings({wrong}, machine);
  EXPECT_THAT(machine.ceilings, IsEmpty());
  EXPECT_THAT(machine.warnings, ElementsAre("compute.dp.div.128 on 1 core: not measured: its "
                                            "result was wrong"));
}

TEST(Publish, CountsWhatWasNotReached) {
  MeasureTask unmeasured;
  unmeasured.id = "compute.sp.sqrt.512";
  Machine machine;
  PublishCeilings({Task("compute.dp.fma.256", 1, 64), unmeasured}, machine);
  EXPECT_EQ(machine.Find("compute.sp.sqrt.512"), nullptr);
  EXPECT_THAT(machine.warnings,
              ElementsAre("1 of 2 kernels were not measured, because the time was up"));
}

TEST(Publish, SaysWhatWasDisturbedOrNoisy) {
  MeasureTask disturbed = Task("bandwidth.DRAM.read", 2, 0);
  disturbed.rates = Series();
  disturbed.rates.Add(30, false);
  MeasureTask noisy = Task("bandwidth.DRAM.copy", 1, 30);
  noisy.rates = Series();
  for (const double rate : {20.0, 20.0, 20.0, 40.0, 40.0}) noisy.rates.Add(rate, true);
  MeasureTask mostly = Task("bandwidth.DRAM.triad", 1, 30);
  mostly.rates = Series();
  mostly.rates.Add(31, true);
  for (int i = 0; i < 8; ++i) mostly.rates.Add(20, false);
  MeasureTask few = Task("bandwidth.L1.copy", 1, 30);
  few.rates = Series();
  for (int i = 0; i < 3; ++i) few.rates.Add(31, true);
  MeasureTask spread = Task("bandwidth.L1.read", 1, 30);
  spread.rates = Series();
  // A wide spread that repeats itself is no noise.
  for (const double rate : {20.0, 40.0, 30.0, 20.0, 30.0, 40.0}) spread.rates.Add(rate, true);
  Machine machine;
  PublishCeilings({disturbed, noisy, mostly, few, spread}, machine);
  EXPECT_EQ(machine.Find("bandwidth.DRAM.read")->note,
            "2 cores of 2 packages: disturbed: other work ran during all 1 samples");
  EXPECT_EQ(machine.Find("bandwidth.DRAM.copy")->note,
            "1 core: noisy: 50 % between the halves of 5 samples");
  EXPECT_EQ(machine.Find("bandwidth.DRAM.triad")->note, "1 core: disturbed: 8 of 9 samples");
  EXPECT_EQ(machine.Find("bandwidth.L1.copy")->note, "1 core: noisy: only 3 samples");
  EXPECT_EQ(machine.Find("bandwidth.L1.read")->note, "");
}

TEST(Publish, TurnsLoadsPerSecondIntoNanoseconds) {
  MeasureTask latency = Task("latency.DRAM", 1, 0);
  latency.unit = "ns";
  latency.rates = Series();
  for (const double rate : {0.008, 0.01, 0.01, 0.01, 0.01}) latency.rates.Add(rate, true);
  Machine machine;
  PublishCeilings({latency}, machine);
  const CeilingCurve* ceiling = machine.Find("latency.DRAM");
  ASSERT_NE(ceiling, nullptr);
  EXPECT_EQ(ceiling->unit, "ns");
  EXPECT_DOUBLE_EQ(ceiling->curve[0].value, 100);
  EXPECT_DOUBLE_EQ(ceiling->curve[0].min, 100);
  EXPECT_DOUBLE_EQ(ceiling->curve[0].max, 125);
}

// So many branches in a second, of which 1e9 take a nanosecond each.
MeasureTask Branches(std::string_view id, const std::vector<double>& rates) {
  MeasureTask task = Task(std::string(id), 1, 0);
  task.unit = "ns";
  task.rates = Series();
  for (const double rate : rates) task.rates.Add(rate, true);
  return task;
}

TEST(Publish, AMispredictionIsTwiceWhatRandomBranchesTakeLonger) {
  Machine machine;
  PublishCeilings({Branches(kRandomBranchId, {0.25, 0.25, 0.25, 0.2, 0.25}),
                   Branches(kOneWayBranchId, {2, 2, 2, 2, 1})},
                  machine);
  const CeilingCurve* cost = machine.Find("latency.misprediction");
  ASSERT_NE(cost, nullptr);
  EXPECT_EQ(cost->unit, "ns");
  ASSERT_EQ(cost->curve.size(), 1u);
  EXPECT_DOUBLE_EQ(cost->curve[0].value, 7) << "4 ns, of which 0.5 are no misprediction";
  EXPECT_DOUBLE_EQ(cost->curve[0].max, 9);
  EXPECT_EQ(cost->curve[0].samples, 5u);
  EXPECT_EQ(cost->curve[0].noise, 0);
}

// Half of that of both, in ns, by the cost of one.
TEST(Publish, AMispredictionIsAsNoisyAsBothKindsOfBranches) {
  const std::vector<double> moved = {0.2, 0.2, 0.2, 0.25, 0.25, 0.25}, steady(6, 2.0);
  Machine machine;
  PublishCeilings({Branches(kRandomBranchId, moved), Branches(kOneWayBranchId, steady)}, machine);
  const CeilingCurve* cost = machine.Find("latency.misprediction");
  ASSERT_NE(cost, nullptr);
  EXPECT_GT(cost->curve[0].noise, machine.Find(kRandomBranchId)->curve[0].noise);
  EXPECT_THAT(cost->note, HasSubstr("noisy"));
}

TEST(Publish, NoMispredictionWhereRandomBranchesAreAsFast) {
  const std::vector<double> rates(5, 2.0);
  Machine machine;
  PublishCeilings({Branches(kRandomBranchId, rates), Branches(kOneWayBranchId, rates)}, machine);
  EXPECT_EQ(machine.Find("latency.misprediction"), nullptr);
  EXPECT_THAT(machine.warnings, ElementsAre(HasSubstr("latency.misprediction: not measured")));
  Machine half;
  PublishCeilings({Branches(kRandomBranchId, rates)}, half);
  EXPECT_EQ(half.Find("latency.misprediction"), nullptr);
  EXPECT_THAT(half.warnings, IsEmpty());
}

TEST(Publish, KeepsPackagesApartAndNamesTheBestVariant) {
  MeasureTask one = Task("bandwidth.DRAM.read_prefetch", 1, 20),
              packed = Task("bandwidth.DRAM.read_prefetch", 1, 30),
              spread = Task("bandwidth.DRAM.read_prefetch", 1, 40), best = spread;
  packed.on = {{0, 1}, 1};
  spread.on = best.on = {{0, 2}, 2};
  spread.variant = "512 bytes ahead";
  best.variant = "1024 bytes ahead";
  best.rates = Series();
  for (int i = 0; i < 4; ++i) best.rates.Add(41, true);
  Machine machine;
  PublishCeilings({spread, one, best, packed}, machine);
  const auto& curve = machine.Find("bandwidth.DRAM.read_prefetch")->curve;
  ASSERT_EQ(curve.size(), 3u);
  EXPECT_EQ(curve[1].value, 30);
  EXPECT_EQ(curve[2].packages, 2u);
  EXPECT_EQ(curve[2].variant, "1024 bytes ahead");
}

TEST(Publish, DerivesIlpPeakAndClock) {
  Machine machine;
  PublishCeilings({Task("compute.dp.add.scalar", 1, 8), Task("compute.dp.fma.512", 1, 128, 3.5),
                   Task("compute.dp.fmaadd.512", 1, 150, 3.4)},
                  machine);
  ASSERT_NE(machine.Find("compute.dp.ilp.scalar"), nullptr);
  EXPECT_DOUBLE_EQ(ValueAt(*machine.Find("compute.dp.ilp.scalar"), 1), 8);
  ASSERT_NE(machine.Find("compute.dp.peak"), nullptr);
  EXPECT_DOUBLE_EQ(ValueAt(*machine.Find("compute.dp.peak"), 1), 150);
  EXPECT_EQ(machine.Find("compute.dp.peak")->note, "label of compute.dp.fmaadd.512");
  EXPECT_EQ(machine.Find("compute.sp.peak"), nullptr);
  ASSERT_NE(machine.Find("clock.512"), nullptr);
  EXPECT_DOUBLE_EQ(ValueAt(*machine.Find("clock.512"), 1), 3.5);
  EXPECT_DOUBLE_EQ(ValueAt(*machine.Find("clock.scalar"), 1), 4);  // from adds: no fma here
}

}  // namespace
}  // namespace roofmark
