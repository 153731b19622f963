// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/plateau.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "benchmarks/machine/plan.h"
#include "benchmarks/machine/sweep.h"

namespace roofmark {
namespace {

std::vector<SweepPoint> Curve(const std::function<double(double)>& rate_of_bytes) {
  std::vector<SweepPoint> sweep;
  for (const uint64_t bytes : SweepSizes(512 << 20)) {
    sweep.push_back({bytes, rate_of_bytes(static_cast<double>(bytes))});
  }
  return sweep;
}

constexpr double kKiB = 1024, kMiB = 1024 * kKiB;
const std::vector<uint64_t> kReported = {48 << 10, 1 << 20, 32 << 20};

double Stairs(double bytes) {
  return bytes <= 48 * kKiB ? 500 : bytes <= 1 * kMiB ? 200 : bytes <= 32 * kMiB ? 100 : 40;
}

TEST(Plateau, FindsThreeLevels) {
  const auto plateaus = FindPlateaus(Curve(Stairs), kReported);
  ASSERT_EQ(plateaus.size(), 3u);
  for (const auto& plateau : plateaus) ASSERT_TRUE(plateau);
  EXPECT_DOUBLE_EQ(plateaus[0]->rate, 500);
  EXPECT_DOUBLE_EQ(plateaus[1]->rate, 200);
  EXPECT_DOUBLE_EQ(plateaus[2]->rate, 100);
  EXPECT_NEAR(static_cast<double>(plateaus[2]->end_bytes), 32 * kMiB, 0.3 * 32 * kMiB);
  EXPECT_LE(static_cast<double>(plateaus[1]->end_bytes), 1 * kMiB);
}

TEST(Plateau, TakesTheMeasuredEndNotTheReportedOne) {
  // 260 MiB reported, about 64 left by the neighbours.
  const auto sweep = Curve([](double bytes) {
    if (bytes <= 2 * kMiB) return Stairs(bytes);
    return bytes <= 64 * kMiB ? 30.0 : bytes <= 100 * kMiB ? 23.0 : 16.5;
  });
  const auto plateaus = FindPlateaus(sweep, {48 << 10, 1 << 20, 260 << 20});
  ASSERT_TRUE(plateaus[2]);
  EXPECT_DOUBLE_EQ(plateaus[2]->rate, 30);
  EXPECT_NEAR(static_cast<double>(plateaus[2]->end_bytes), 64 * kMiB, 20 * kMiB);
}

TEST(Plateau, FindsNoLevelWhereBandwidthFallsSteadily) {
  const auto sweep = Curve([](double bytes) {
    return bytes <= 1 * kMiB ? Stairs(bytes) : 200 * std::pow(bytes / kMiB, -0.6);
  });
  const auto plateaus = FindPlateaus(sweep, kReported);
  EXPECT_TRUE(plateaus[1]);
  EXPECT_FALSE(plateaus[2]);
}

TEST(Plateau, FindsNoLevelThatIsNoFasterThanMemory) {
  const auto sweep = Curve([](double bytes) { return bytes <= 1 * kMiB ? Stairs(bytes) : 40.0; });
  EXPECT_FALSE(FindPlateaus(sweep, kReported)[2]);
}

TEST(Plateau, TakesOneSlowPointForNoise) {
  auto sweep = Curve(Stairs);
  for (SweepPoint& point : sweep) {
    if (point.bytes > 20 << 10 && point.bytes < 24 << 10) point.rate = 300;
  }
  const auto plateaus = FindPlateaus(sweep, kReported);
  ASSERT_TRUE(plateaus[0]);
  EXPECT_GT(plateaus[0]->end_bytes, 40u << 10);
}

TEST(Plateau, ToleratesTenPercentOfNoise) {
  auto sweep = Curve(Stairs);
  for (size_t i = 0; i < sweep.size(); ++i) sweep[i].rate *= i % 3 == 0 ? 0.95 : 1.04;
  for (const auto& plateau : FindPlateaus(sweep, kReported)) EXPECT_TRUE(plateau);
}

TEST(Plateau, SurvivesASweepThatWasCutShort) {
  EXPECT_FALSE(FindPlateaus({}, kReported)[0]);
  EXPECT_FALSE(FindPlateaus({{4096, 100}, {5632, 100}, {8192, 100}}, kReported)[0]);
}

TEST(Sweep, EndsFlatOnlyWhenTheLastDoublingAgrees) {
  EXPECT_TRUE(EndsFlat(Curve(Stairs), 0.1));
  const auto falling = Curve([](double bytes) { return 1000 * std::pow(bytes / kMiB, -0.3); });
  EXPECT_FALSE(EndsFlat(falling, 0.1));
  EXPECT_TRUE(EndsFlat(falling, 0.2));
  EXPECT_FALSE(EndsFlat({{4096, 1}, {5632, 1}}, 0.1));
}

// Half a gigabyte is reported, of which one core's programs find a part.
TEST(Sweep, EndsInDramIfItWentFarBeyondTheLastLevelThatItFound) {
  const std::vector<uint64_t> reported = {48 << 10, 1 << 20, 508 << 20};
  const auto ends_in_dram = [&](double fast, double last) {
    auto sweep = Curve([&](double bytes) {
      return bytes <= 1 * kMiB ? Stairs(bytes) : bytes <= fast ? 100.0 : 40.0;
    });
    std::erase_if(sweep, [&](const SweepPoint& point) {
      return static_cast<double>(point.bytes) > 1.01 * last;
    });
    return EndsInDram(sweep, FindPlateaus(sweep, reported));
  };
  EXPECT_TRUE(ends_in_dram(8 * kMiB, 256 * kMiB));
  EXPECT_TRUE(ends_in_dram(32 * kMiB, 256 * kMiB));
  EXPECT_FALSE(ends_in_dram(64 * kMiB, 256 * kMiB));
  EXPECT_TRUE(ends_in_dram(64 * kMiB, 512 * kMiB));
  // All of the sweep lies in the last level, which is no faster than memory, or has no end.
  EXPECT_FALSE(ends_in_dram(1 * kMiB, 256 * kMiB));
  EXPECT_FALSE(ends_in_dram(1024 * kMiB, 256 * kMiB));
}

}  // namespace
}  // namespace roofmark
