// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/publish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  task.cores = cores;
  for (int i = 0; i < 3; ++i) {
    task.rates.Add(rate, true);
    task.clock.Add(ghz, true);
  }
  return task;
}

Topology TwoPackages() { return *ReadTopology("pack:2 core:1 pu:1"); }

TEST(Publish, MakesOneCurvePerCeiling) {
  Machine machine;
  PublishCeilings({Task("compute.dp.fma.256", 2, 120), Task("compute.dp.fma.256", 1, 64)},
                  TwoPackages(), machine);
  const Ceiling* fma = machine.Find("compute.dp.fma.256");
  ASSERT_NE(fma, nullptr);
  ASSERT_EQ(fma->curve.size(), 2u);
  EXPECT_EQ(fma->curve[0].cores, 1u);
  EXPECT_EQ(fma->curve[1].packages, 2u);
  EXPECT_DOUBLE_EQ(ValueAt(*fma, 2), 120);
  EXPECT_THAT(machine.warnings, IsEmpty());
}

TEST(Publish, KeepsTheBetterShapeOfAKernel) {
  Machine machine;
  PublishCeilings({Task("compute.dp.muladd.256", 1, 48), Task("compute.dp.muladd.256", 1, 64),
                   Task("compute.dp.muladd.256", 1, 50)},
                  TwoPackages(), machine);
  EXPECT_DOUBLE_EQ(ValueAt(*machine.Find("compute.dp.muladd.256"), 1), 64);
}

TEST(Publish, RefusesMoreThanTheClockAllows) {
  auto possible = Task("compute.dp.fma.256", 1, 64 * 1.019),
       impossible = Task("compute.dp.add.256", 1, 32 * 1.03);
  possible.most_per_cycle = 16;
  impossible.most_per_cycle = 8;
  Machine machine;
  PublishCeilings({possible, impossible}, TwoPackages(), machine);
  EXPECT_NE(machine.Find("compute.dp.fma.256"), nullptr);
  EXPECT_EQ(machine.Find("compute.dp.add.256"), nullptr);
  EXPECT_THAT(machine.warnings, ElementsAre(HasSubstr("is more than 32, all that 4.00 GHz allow")));
}

TEST(Publish, RefusesWrongResults) {
  auto wrong = Task("compute.dp.div.128", 1, 2);
  wrong.wrong = true;
  Machine machine;
  PublishCeilings({wrong}, TwoPackages(), machine);
  EXPECT_THAT(machine.ceilings, IsEmpty());
  EXPECT_THAT(machine.warnings, ElementsAre("compute.dp.div.128 on 1 core: not measured: its "
                                            "result was wrong"));
}

TEST(Publish, CountsWhatWasNotReached) {
  MeasureTask unmeasured;
  unmeasured.id = "compute.sp.sqrt.512";
  Machine machine;
  PublishCeilings({Task("compute.dp.fma.256", 1, 64), unmeasured}, TwoPackages(), machine);
  EXPECT_EQ(machine.Find("compute.sp.sqrt.512"), nullptr);
  EXPECT_THAT(machine.warnings, ElementsAre("1 of 2 kernels were not measured: no time was left"));
}

TEST(Publish, SaysWhatWasDisturbedOrNoisy) {
  MeasureTask disturbed = Task("bandwidth.DRAM.read", 2, 0);
  disturbed.rates = Series();
  disturbed.rates.Add(30, false);
  MeasureTask noisy = Task("bandwidth.DRAM.copy", 1, 30);
  noisy.rates = Series();
  for (const double rate : {20.0, 20.0, 20.0, 40.0, 40.0}) noisy.rates.Add(rate, true);
  Machine machine;
  PublishCeilings({disturbed, noisy}, TwoPackages(), machine);
  EXPECT_EQ(machine.Find("bandwidth.DRAM.read")->note,
            "2 cores: disturbed: other work ran during all 1 samples");
  EXPECT_EQ(machine.Find("bandwidth.DRAM.copy")->note, "1 core: noisy: median 50 % below");
}

TEST(Publish, DerivesIlpPeakAndClock) {
  Machine machine;
  PublishCeilings({Task("compute.dp.add.scalar", 1, 8), Task("compute.dp.fma.512", 1, 128, 3.5),
                   Task("compute.dp.fmaadd.512", 1, 150, 3.4)},
                  TwoPackages(), machine);
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
