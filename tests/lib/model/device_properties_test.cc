// SPDX-License-Identifier: BSD-3-Clause
//
// What must hold of advice on devices for any counts (fixed seeds).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/lib/model/device_region.h"

namespace roofmark {
namespace {

using test::OnDevice;

class RandomCounts {
 public:
  explicit RandomCounts(uint32_t seed) : random_(seed) {}

  bool Chance(double share) { return std::uniform_real_distribution<>()(random_) < share; }
  // Of any order of magnitude, sometimes 0.
  double Count(double most) {
    if (Chance(0.1)) return 0;
    return std::floor(std::exp(std::uniform_real_distribution<>(0, std::log(most))(random_)));
  }
  OnDevice Region() {
    OnDevice of(Count(1e10) * 1e-9 + 1e-9, /*wall_s=*/10);
    for (const DeviceMetricInfo& metric : kDeviceMetricTable) {
      const bool time = metric.unit == "ns";
      of.With(metric.id, Count(time ? 1e10 : 1e13));
      if (Chance(0.05)) of.Lacks(metric.id);
    }
    for (const DeviceRoofInfo& roof : kDeviceRoofTable) {
      if (Chance(0.5)) of.Measured(roof.id, Count(1e5) + 1);
    }
    if (Chance(0.1)) of.device.properties = DeviceProperties();
    for (FmaCurves* curves : {&of.dp, &of.sp}) {
      if (Chance(0.5)) *curves = {Curve(), Curve()};
    }
    if (Chance(0.5)) of.Beside(OnDevice().Kernels(Count(1e10) * 1e-9));
    return of;
  }

 private:
  std::vector<GpuPoint> Curve() {
    std::vector<GpuPoint> curve;
    for (uint32_t warps = 1; warps <= 64; warps *= 4) {
      curve.emplace_back();
      curve.back().warps = warps;
      curve.back().value = Count(1e5);
    }
    return curve;
  }

  std::mt19937 random_;
};

// What a region's time in this part is.
double PartOf(DeviceShortfall shortfall, const DeviceSplit& split) {
  switch (shortfall) {
    case DeviceShortfall::kLaunches:
      return split.launches_s;
    case DeviceShortfall::kCopies:
      return split.copies_s;
    case DeviceShortfall::kIdle:
      return split.idle_s;
    default:
      return split.kernels_s;
  }
}

void ExpectNoContradiction(const DeviceDerivation& of, const DeviceSplit& split) {
  const DeviceLimit limit = LimitOnDevice(of);
  const double around[] = {split.launches_s, split.copies_s, split.idle_s};
  constexpr DeviceLimit kAround[] = {DeviceLimit::kLaunches, DeviceLimit::kCopies,
                                     DeviceLimit::kIdle};
  EXPECT_EQ(limit == DeviceLimit::kUnknown, split.time_s <= 0);
  for (size_t i = 0; i < std::size(kAround); ++i) {
    if (limit == kAround[i]) {
      EXPECT_GT(around[i], split.kernels_s);
    }
    const bool of_kernels = limit > DeviceLimit::kIdle;
    if (of_kernels) {
      EXPECT_LE(around[i], split.kernels_s);
    }
  }
}

// A line of what a resource needs is there only where less of it is needed then.
void ExpectRightResource(const DeviceGain& gain, const DeviceWork& work) {
  if (InfoOf(gain.shortfall).part != DevicePart::kResource) return;
  const auto all = DeviceShortfalls().set();
  auto cured = all;
  cured.reset(Index(gain.shortfall));
  EXPECT_LT(work.Times(cured, DeviceUntold::kMuch).Needed(),
            work.Times(all, DeviceUntold::kMuch).Needed());
}

TEST(DevicePropertiesTest, GainsStayWithinTheTimeOnTheDevice) {
  constexpr double kSlack = 1 + 1e-12;
  size_t lines = 0;
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    OnDevice region = RandomCounts(seed).Region();
    const DeviceDerivation of = region.Region();
    const DeviceSplit split = SplitOnDevice(of);
    EXPECT_GE(std::min({split.kernels_s, split.copies_s, split.launches_s, split.idle_s}), 0);
    EXPECT_NEAR(split.kernels_s + split.copies_s + split.launches_s + split.idle_s, split.time_s,
                1e-9 * split.time_s);
    ExpectNoContradiction(of, split);
    const DeviceWork work(of);
    for (const DeviceGain& gain : GainsOnDevice(of)) {
      SCOPED_TRACE(InfoOf(gain.shortfall).name);
      ++lines;
      EXPECT_GE(gain.saves.least, 0);
      EXPECT_LE(gain.saves.least, gain.saves.most);
      EXPECT_LE(gain.saves.most, PartOf(gain.shortfall, split) * kSlack);
      EXPECT_GE(gain.expected_s, gain.saves.least / kSlack);
      EXPECT_LE(gain.expected_s, gain.saves.most * kSlack);
      ExpectRightResource(gain, work);
    }
    for (const DeviceAdvice& advice : region.Advice()) {
      EXPECT_GE(advice.gain.expected_s, 0.01 * 10);
    }
  }
  EXPECT_GT(lines, 2000u) << "else nothing was tested";
}

// Curing one more never makes a region need more time of any resource.
TEST(DevicePropertiesTest, NoCureCostsTime) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    OnDevice region = RandomCounts(seed).Region();
    const DeviceWork work(region.Region());
    for (const DeviceUntold untold : {DeviceUntold::kLittle, DeviceUntold::kMuch}) {
      for (unsigned left = 1; left < (1U << kDeviceShortfalls); left += 37) {
        const DeviceShortfalls all(left);
        const DeviceTimes before = work.Times(all, untold);
        for (size_t s = 0; s < kDeviceShortfalls; ++s) {
          DeviceShortfalls cured = all;
          const DeviceTimes after = work.Times(cured.reset(s), untold);
          for (size_t r = 0; r < kDeviceResources; ++r) {
            EXPECT_LE(after.seconds[r], before.seconds[r] * (1 + 1e-12)) << left << " " << s;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace roofmark
