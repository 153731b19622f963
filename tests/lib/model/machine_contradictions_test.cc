// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine_contradictions.h"

#include <gtest/gtest.h>

#include "tests/lib/model/model_machine.h"

namespace roofmark {
namespace {

using test::ModelMachine;

MachinePoint& Point(Machine& machine, const std::string& id, size_t index) {
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (ceiling.id == id) return ceiling.curve.at(index);
  }
  ADD_FAILURE() << id;
  return machine.ceilings.front().curve.front();
}

TEST(MachineContradictions, AWholeMachineHasNone) {
  EXPECT_TRUE(ContradictionsOf(ModelMachine()).empty());
}

TEST(MachineContradictions, MoreCoresBelowFewerAreFoundWhateverTheirNoise) {
  Machine machine = ModelMachine();
  MachinePoint& two = Point(machine, "bandwidth.DRAM.read", 1);
  two.value = 1.67;
  two.noise = 1;
  const std::vector<FigureContradiction> all = ContradictionsOf(machine);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].low, (DoubtfulPoint{"bandwidth.DRAM.read", 2, 1}));
  EXPECT_EQ(all[0].high, (DoubtfulPoint{"bandwidth.DRAM.read", 1, 1}));
  EXPECT_EQ(all[0].sentence, "bandwidth.DRAM.read: 1.67 GB/s on 2 cores, 20 GB/s on 1 core");
}

// Saturation loses a little, and noise explains a little more.
TEST(MachineContradictions, WhatNoiseExplainsIsNone) {
  Machine machine = ModelMachine();
  MachinePoint& two = Point(machine, "bandwidth.DRAM.read", 1);
  two.value = 0.82 * 20;
  EXPECT_TRUE(ContradictionsOf(machine).empty());
  two.value = 0.75 * 20;
  EXPECT_EQ(ContradictionsOf(machine).size(), 1u);
  two.noise = 0.3;
  EXPECT_TRUE(ContradictionsOf(machine).empty());
}

TEST(MachineContradictions, ALevelBelowTheOneBehindIt) {
  Machine machine = ModelMachine();
  for (const size_t point : {0u, 1u}) Point(machine, "bandwidth.L3.read", point).value = 10;
  const std::vector<FigureContradiction> all = ContradictionsOf(machine);
  ASSERT_EQ(all.size(), 2u) << "with one core and with two";
  EXPECT_EQ(all[0].sentence,
            "bandwidth.L3.read: 10 GB/s on 1 core, bandwidth.DRAM.read: 20 GB/s on 1 core");
}

TEST(MachineContradictions, LatenciesAndClocksMayFallWithCores) {
  Machine machine = ModelMachine();
  Point(machine, "clock.256", 1).value = 1;
  EXPECT_TRUE(ContradictionsOf(machine).empty());
}

}  // namespace
}  // namespace roofmark
