// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/imbalance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/model/sample_machine.h"

namespace roofmark {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr auto kRoof = ImbalanceBase::kRoof;
constexpr auto kChain = ImbalanceBase::kThreadParallelism;

// `points` are cores and values.
CeilingCurve Curve(const std::string& id, std::vector<std::pair<uint32_t, double>> points,
                   double counted_factor = 1) {
  CeilingCurve ceiling = test::MakeCeiling(id, id, 1, counted_factor);
  ceiling.curve.clear();
  for (const auto& [cores, value] : points) {
    ceiling.curve.push_back(test::MakePoint(cores, 1, value));
  }
  return ceiling;
}

Machine EightCores() {
  Machine machine;
  machine.cores = 8;
  // Turbo: four cores do more than half of what eight do, one more than an eighth.
  machine.ceilings = {Curve("compute.dp.peak", {{1, 130}, {4, 450}, {8, 800}}),
                      Curve("compute.dp.chain.scalar", {{1, 2}, {8, 16}}),
                      Curve("bandwidth.DRAM.read", {{1, 20}, {2, 38}, {8, 60}}),
                      Curve("bandwidth.DRAM.triad", {{1, 18}, {8, 48}}, 4.0 / 3),
                      Curve("bandwidth.L3.read", {{1, 100}, {8, 800}})};
  return machine;
}

std::vector<double> Values(const std::vector<ImbalanceCeiling>& family) {
  std::vector<double> values;
  for (const ImbalanceCeiling& member : family) values.push_back(member.value);
  return values;
}

std::vector<double> Bounds(const std::vector<ImbalanceCeiling>& family) {
  std::vector<double> bounds;
  for (const ImbalanceCeiling& member : family) bounds.push_back(member.Bound());
  return bounds;
}

TEST(LoadImbalance, HalvesUnderTheRoofAndUnderTheChain) {
  const Machine machine = EightCores();
  EXPECT_THAT(Values(LoadImbalance(machine, "dp", 8, kRoof)), ElementsAre(800, 400, 200, 100));
  EXPECT_THAT(Values(LoadImbalance(machine, "dp", 8, kChain)), ElementsAre(16, 8, 4, 2));
}

TEST(LoadImbalance, MeasuredPointsStandBesideTheFormula) {
  const auto family = LoadImbalance(EightCores(), "dp", 8, kRoof);
  EXPECT_THAT(Bounds(family), ElementsAre(800, 450, 200, 130));
  EXPECT_EQ(family[1].measured, 450);
  EXPECT_EQ(family[2].measured, std::nullopt) << "nobody ran on two cores";
  EXPECT_EQ(family[2].label, "1/4 of the cores");
  EXPECT_EQ(family[2].share, 0.25);
  EXPECT_EQ(family[2].cores, 2);
  EXPECT_EQ(family[0].label, "all cores");
}

TEST(LoadImbalance, EndsAtOneCoreWhereCoresAreNoPowerOfTwo) {
  const auto family = LoadImbalance(EightCores(), "dp", 6, kRoof);
  // F is read between the points of four and eight cores.
  EXPECT_THAT(Values(family), ElementsAre(625, 312.5, 156.25, DoubleEq(625.0 / 6)));
  EXPECT_EQ(family[2].cores, 1.5);
  EXPECT_EQ(family[2].measured, std::nullopt);
  EXPECT_EQ(family[3].label, "1/6 of the cores");
  EXPECT_EQ(family[3].measured, 130);
}

TEST(LoadImbalance, OfOneCoreIsTheRoofAlone) {
  EXPECT_THAT(Values(LoadImbalance(EightCores(), "dp", 1, kRoof)), ElementsAre(130));
}

TEST(LoadImbalance, NothingWithoutAMeasuredBase) {
  Machine machine = EightCores();
  EXPECT_THAT(LoadImbalance(machine, "sp", 8, kRoof), IsEmpty());
  EXPECT_THAT(LoadImbalance(machine, "dp", 9, kRoof), IsEmpty()) << "measured on eight at most";
  EXPECT_THAT(LoadImbalance(machine, "dp", 0, kRoof), IsEmpty());
}

TEST(MemoryImbalance, FollowsTheCurveAsTraffic) {
  const Machine machine = EightCores();
  const auto read = MemoryImbalance(*machine.Find("bandwidth.DRAM.read"), 8);
  EXPECT_THAT(Values(read), ElementsAre(60, DoubleEq(38 + 22.0 / 3), 38, 20));
  EXPECT_EQ(read[1].measured, std::nullopt);
  EXPECT_EQ(read[2].measured, 38);
  const auto triad = MemoryImbalance(*machine.Find("bandwidth.DRAM.triad"), 8);
  EXPECT_THAT(triad.front().value, DoubleEq(64));
  EXPECT_THAT(triad.back().Bound(), DoubleEq(24));
  EXPECT_THAT(MemoryImbalance(*machine.Find("bandwidth.DRAM.read"), 16), IsEmpty());
}

TEST(MemoryImbalance, CoresThatWorkLieInFewPackages) {
  CeilingCurve read = Curve("bandwidth.DRAM.read", {{1, 20}, {4, 50}});
  read.curve.push_back(test::MakePoint(4, 2, 80));
  read.curve.push_back(test::MakePoint(8, 2, 100));
  EXPECT_THAT(Bounds(MemoryImbalance(read, 8)), ElementsAre(100, 50, DoubleEq(30), 20));
}

TEST(MemoryImbalance, BeginsAtTheDramCeilingWithTheMostTraffic) {
  const Machine machine = EightCores();
  ASSERT_NE(DramRoof(machine, 8), nullptr);
  EXPECT_EQ(DramRoof(machine, 8)->id, "bandwidth.DRAM.triad");
  EXPECT_EQ(DramRoof(machine, 2)->id, "bandwidth.DRAM.read") << "the only one measured there";
  EXPECT_EQ(DramRoof(machine, 3), nullptr);
}

}  // namespace
}  // namespace roofmark
