// SPDX-License-Identifier: BSD-3-Clause
//
// What each shortfall of a region on a device may save, against numbers made by hand.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "lib/model/device_links.h"
#include "lib/model/device_shares.h"
#include "tests/lib/model/device_region.h"

namespace roofmark {
namespace {

using Metric = DeviceMetric;
using test::OnDevice;
using Lack = DeviceShortfall;

void ExpectSaves(const TimeInterval& saves, double least, double most) {
  EXPECT_NEAR(saves.least, least, 1e-6);
  EXPECT_NEAR(saves.most, most, 1e-6);
}

// 640 GFLOPs at half of 1280 GFLOP/s take 1 s.
OnDevice NotFused() {
  return OnDevice().Kernels(1).With(Metric::kDpAdd, 320e9).With(Metric::kDpMul, 320e9);
}

TEST(DeviceShortfallsTest, FmaHalvesWhatAddsAndMultipliesEqually) {
  ExpectSaves(NotFused().Saves(Lack::kFma), 0.5, 0.5);
  EXPECT_EQ(NotFused().Limit(), DeviceLimit::kCompute);
  // Additions alone have nothing to be fused with.
  ExpectSaves(OnDevice().Kernels(1).With(Metric::kDpAdd, 640e9).Saves(Lack::kFma), 0, 0);
}

TEST(DeviceShortfallsTest, OtherUnitsMaySaveTimeButNobodyKnowsWhether) {
  ExpectSaves(NotFused().Saves(Lack::kPrecision), 0, 0.5);
  ExpectSaves(NotFused().Saves(Lack::kTensor), 0, 0.75);
}

TEST(DeviceShortfallsTest, WhatUsesTensorCoresDoesNotLackThem) {
  const auto lacks = [](OnDevice of) {
    std::set<Lack> all;
    for (const DeviceGain& gain : GainsOnDevice(of.Region())) all.insert(gain.shortfall);
    return all.contains(Lack::kTensor);
  };
  EXPECT_TRUE(lacks(NotFused().With(Metric::kWarpInstructions, 100)));
  EXPECT_FALSE(lacks(NotFused().With(Metric::kWarpInstructions, 100).With(Metric::kTensor, 5)));
}

// 2560 GFLOPs take a second: nothing of that is additions to fuse, nor chains of threads.
TEST(DeviceShortfallsTest, TensorCoresLimitAsComputeDoes) {
  OnDevice of = OnDevice().Kernels(1).With(Metric::kTensorDpFlops, 2560e9);
  EXPECT_EQ(of.Limit(), DeviceLimit::kCompute);
  ExpectSaves(of.Saves(Lack::kFma), 0, 0);
  const FmaCurves curves = {{{1, 100, 0}, {64, 1000, 0}}, {{1, 10, 0}, {64, 1000, 0}}};
  of.With(Metric::kDpMul, 1e6).With(Metric::kSmCycles, 1e9).With(Metric::kWarpCycles, 1e9);
  of.dp = curves;
  EXPECT_EQ(ChainedOnDevice(of.Region()).reason, Why(Reason::kNotMeasuredOnDevice));
  EXPECT_TRUE(ChainedOnDevice(of.With(Metric::kTensorDpFlops, 0).Region()));
}

// 40e9 instructions of warps take 1 s; a quarter of their lanes is active.
TEST(DeviceShortfallsTest, DivergenceExecutesInstructionsInVain) {
  const auto diverging = [](double kernels) {
    return OnDevice()
        .Kernels(kernels)
        .With(Metric::kWarpInstructions, 40e9)
        .With(Metric::kThreadInstructions, 320e9);
  };
  ExpectSaves(diverging(1).Saves(Lack::kDivergence), 0.75, 0.75);
  ExpectSaves(diverging(1.5).Saves(Lack::kDivergence), 0.75, 1.5 * 0.75);
  EXPECT_EQ(diverging(1.5).Limit(), DeviceLimit::kIssue);
  OnDevice of = diverging(1);
  EXPECT_DOUBLE_EQ(*ActiveLanesOnDevice(of.Region()), 0.25);
}

// 1e10 wavefronts take 1 s. 1e9 instructions of 128 bytes need a tenth, or a fifth if half of them
// move everything.
TEST(DeviceShortfallsTest, BankConflictsAreAnInterval) {
  OnDevice of = OnDevice()
                    .Kernels(1)
                    .With(Metric::kSharedWavefronts, 1e10)
                    .With(Metric::kSharedInstructions, 1e9)
                    .With(Metric::kSharedBytes, 128e9);
  ExpectSaves(of.Saves(Lack::kBankConflicts), 0.8, 0.9);
  EXPECT_EQ(of.Limit(), DeviceLimit::kShared);
  EXPECT_DOUBLE_EQ(*BankConflictsOnDevice(of.Region()), 0.9);
  of.Measured(DeviceRoof::kShared, 2560);  // twice as fast
  ExpectSaves(of.Saves(Lack::kBankConflicts), 0.4, 0.9);
}

// L1 takes 1 s, and half of it for nothing; DRAM takes 0.8 s, of which nobody knows.
TEST(DeviceShortfallsTest, SectorsAreWastedInL1AtLeast) {
  OnDevice of = OnDevice()
                    .Kernels(1)
                    .Measured(DeviceRoof::kL1, 100)
                    .With(Metric::kL1Bytes, 100e9)
                    .With(Metric::kDramReadBytes, 102.4e9)
                    .With(Metric::kGlobalSectors, 2e9)
                    .With(Metric::kGlobalBytes, 32e9);
  ExpectSaves(of.Saves(Lack::kSectors), 0.2, 0.5);
  EXPECT_DOUBLE_EQ(*SectorUseOnDevice(of.Region()), 0.5);
  EXPECT_EQ(of.Limit(), DeviceLimit::kL1);
}

TEST(DeviceShortfallsTest, MissesOfL2CostWhatDramTakesBeyondTheRest) {
  OnDevice of = OnDevice()
                    .Kernels(1)
                    .Measured(DeviceRoof::kL2, 200)
                    .With(Metric::kL2Bytes, 50e9)
                    .With(Metric::kDramReadBytes, 128e9)
                    .With(Metric::kL2Lookups, 400)
                    .With(Metric::kL2Misses, 300);
  ExpectSaves(of.Saves(Lack::kL2Misses), 0, 0.75);
  EXPECT_DOUBLE_EQ(*L2MissesOnDevice(of.Region()), 0.75);
  EXPECT_EQ(of.Limit(), DeviceLimit::kDram);
}

// 30 of 40 GB are no copies: 0.75 s at 40 GB/s, and DRAM takes 0.5 s. Nobody knows whether all of
// them were moved while kernels ran.
OnDevice OverLink() {
  return OnDevice()
      .Kernels(1)
      .Measured(DeviceRoof::kToDevice, 40)
      .Measured(DeviceRoof::kToHost, 50)
      .With(Metric::kPcieReceivedBytes, 40e9)
      .With(Metric::kPcieSentBytes, 1e9)
      .With(Metric::kToDeviceBytes, 10e9)
      .With(Metric::kDramReadBytes, 64e9);
}

TEST(DeviceShortfallsTest, KernelsThatReadTheHostWaitForTheLink) {
  EXPECT_EQ(OverLink().Limit(), DeviceLimit::kHostLink);
  ExpectSaves(OverLink().Saves(Lack::kLinks), 0, 1 - 0.5 / 0.75);
  OnDevice of = OverLink();
  EXPECT_DOUBLE_EQ(*LinkShareOnDevice(of.Region()), 31.0 / (31 + 64));
  EXPECT_DOUBLE_EQ(*HostLinkUseOnDevice(of.Region()), 0.5) << "copies, too, in 2 s";
  of.With(Metric::kToDeviceBytes, 40e9);  // all of it
  EXPECT_EQ(of.Limit(), DeviceLimit::kLatency);
  ExpectSaves(of.Saves(Lack::kLinks), 0, 0);
  EXPECT_EQ(OverLink().Lacks(Metric::kPcieReceivedBytes).Limit(), DeviceLimit::kLatency);
}

// Of a module with both, the memory of the CPU is behind the faster one.
TEST(DeviceShortfallsTest, TheBusierLinkToTheHostCounts) {
  OnDevice of = OverLink().With(Metric::kC2cReceivedBytes, 50e9);
  EXPECT_DOUBLE_EQ(*HostLinkUseOnDevice(of.Region()), 50.0 / 40 / 2);
  of.With(Metric::kPcieReceivedBytes, 0);
  EXPECT_EQ(of.Limit(), DeviceLimit::kHostLink);
}

TEST(DeviceShortfallsTest, OtherDevicesMayBeAsLongAway) {
  OnDevice of = OnDevice()
                    .Kernels(1)
                    .Measured(DeviceRoof::kNvlink, 200)
                    .With(Metric::kNvlinkReceivedBytes, 10e9)
                    .With(Metric::kNvlinkSentBytes, 160e9);
  EXPECT_EQ(of.Limit(), DeviceLimit::kNvlink);
  EXPECT_DOUBLE_EQ(*NvlinkUseOnDevice(of.Region()), 0.4);
  ExpectSaves(of.Saves(Lack::kLinks), 0, 1);
}

// 0.2 s of DRAM in 1 s; a quarter of the warps.
TEST(DeviceShortfallsTest, OccupancyMayExplainWhatNothingElseDoes) {
  OnDevice of = OnDevice()
                    .Kernels(1)
                    .With(Metric::kDramReadBytes, 25.6e9)
                    .With(Metric::kSmCycles, 1e9)
                    .With(Metric::kWarpCycles, 16e9);
  ExpectSaves(of.Saves(Lack::kOccupancy), 0, 0.75);
  EXPECT_DOUBLE_EQ(*OccupancyOnDevice(of.Region()), 0.25);
  EXPECT_EQ(of.Limit(), DeviceLimit::kLatency);
  of.With(Metric::kDramReadBytes, 102.4e9);  // 0.8 s: no more than the rest can go
  ExpectSaves(of.Saves(Lack::kOccupancy), 0, 0.2);
}

using Points = std::vector<std::pair<uint32_t, double>>;

FmaCurves CurvesOf(const Points& independent, const Points& chained) {
  const auto made = [](const Points& points) {
    std::vector<GpuPoint> curve;
    for (const auto& [warps, value] : points) {
      curve.emplace_back();
      curve.back().warps = warps;
      curve.back().value = value;
    }
    return curve;
  };
  return {made(independent), made(chained)};
}

// 128 GFLOPs take 0.1 s of 1 s, 12 warps on each multiprocessor: between 8 and 16 of the curves.
TEST(DeviceShortfallsTest, IndependentInstructionsMayExplainWhatNothingElseDoes) {
  OnDevice of = OnDevice()
                    .Kernels(1)
                    .With(Metric::kDpFma, 128e9)
                    .With(Metric::kSmCycles, 1e9)
                    .With(Metric::kWarpCycles, 12e9);
  EXPECT_EQ(ChainedOnDevice(of.Region()).reason.id, Reason::kNotMeasuredOnDevice);
  ExpectSaves(of.Saves(Lack::kIlp), 0, 0);
  of.dp = CurvesOf({{8, 800}, {16, 1200}}, {{8, 100}, {16, 300}, {64, 1200}});
  EXPECT_DOUBLE_EQ(*ChainedOnDevice(of.Region()), 200. / 1000);
  ExpectSaves(of.Saves(Lack::kIlp), 0, 0.8);
  of.With(Metric::kWarpCycles, 4e9);
  EXPECT_DOUBLE_EQ(*ChainedOnDevice(of.Region()), 50. / 400) << "no warps do nothing";
  of.With(Metric::kWarpCycles, 64e9);
  ExpectSaves(of.Saves(Lack::kIlp), 0, 0);  // so many warps need none
  of.With(Metric::kWarpCycles, 12e9).With(Metric::kSpFma, 512e9);
  EXPECT_EQ(ChainedOnDevice(of.Region()).reason.id, Reason::kNotMeasuredOnDevice)
      << "most of it is in single precision";
  of.sp = CurvesOf({{12, 2000}}, {{12, 1000}});
  EXPECT_DOUBLE_EQ(*ChainedOnDevice(of.Region()), 0.5);
}

// Three devices: 3 s, 1 s, and one that is not in the region.
TEST(DeviceShortfallsTest, ImbalanceOverDevices) {
  const auto busy = [](double seconds) {
    return OnDevice(4).Kernels(seconds).With(Metric::kDpFma, seconds * 640e9);
  };
  EXPECT_EQ(GpuImbalanceOnDevice(busy(3).Region()).reason.id, Reason::kOneDevice);
  OnDevice idle = busy(1);
  idle.device.rows.clear();
  OnDevice of = busy(3).Beside(busy(1)).Beside(idle);
  EXPECT_DOUBLE_EQ(*GpuImbalanceOnDevice(of.Region()), 3 / (4. / 3));
  const double saved = 3 - 4. / 3;
  ExpectSaves(of.Saves(Lack::kGpuImbalance), saved / 2, saved);  // half of its time is explained
  const std::vector<DeviceAdvice> advice = of.Advice();
  EXPECT_TRUE(std::any_of(advice.begin(), advice.end(), [](const DeviceAdvice& each) {
    return each.gain.shortfall == Lack::kGpuImbalance;
  }));
  OnDevice less = busy(1).Beside(busy(3)).Beside(idle);
  EXPECT_DOUBLE_EQ(*GpuImbalanceOnDevice(less.Region()), 1);
  ExpectSaves(less.Saves(Lack::kGpuImbalance), 0, 0);
  idle.Lacks(Metric::kKernelBusyNs);
  EXPECT_FALSE(GpuImbalanceOnDevice(busy(3).Beside(idle).Region())) << "it may have worked, too";
}

// One multiprocessor of ten works twice as long as the mean.
TEST(DeviceShortfallsTest, ImbalanceOverMultiprocessors) {
  OnDevice of = OnDevice()
                    .Kernels(2)
                    .With(Metric::kDpFma, 1280e9)
                    .With(Metric::kSmCycles, 10e9)
                    .With(Metric::kSmCyclesMax, 2e9);
  ExpectSaves(of.Saves(Lack::kSmImbalance), 1, 1);
  EXPECT_DOUBLE_EQ(*SmImbalanceOnDevice(of.Region()), 2);
  // Of what all of them share it takes nothing, and may explain the rest.
  of.With(Metric::kDpFma, 0).With(Metric::kDramReadBytes, 128e9);
  ExpectSaves(of.Saves(Lack::kSmImbalance), 0, 1);
}

TEST(DeviceShortfallsTest, PartsOfTheTimeAddUp) {
  OnDevice of = OnDevice()
                    .Kernels(0.5)
                    .With(Metric::kKernels, 100000)
                    .With(Metric::kToDeviceNs, 4e8)
                    .With(Metric::kBusyNs, 75e7);
  DeviceSplit split = SplitOnDevice(of.Region());
  EXPECT_DOUBLE_EQ(split.kernels_s, 0.5);
  EXPECT_DOUBLE_EQ(split.copies_s, 0.25) << "beside the kernels";
  EXPECT_DOUBLE_EQ(split.launches_s, 0) << "nobody measured how long one takes";
  EXPECT_DOUBLE_EQ(split.idle_s, 1.25);
  EXPECT_EQ(of.Limit(), DeviceLimit::kIdle);
  of.Measured(DeviceRoof::kLaunch, 10000);
  split = SplitOnDevice(of.Region());
  EXPECT_DOUBLE_EQ(split.launches_s, 1);
  EXPECT_DOUBLE_EQ(split.idle_s, 0.25);
  EXPECT_EQ(of.Limit(), DeviceLimit::kLaunches);
  ExpectSaves(of.Saves(Lack::kLaunches), 0, 1);
  ExpectSaves(of.Saves(Lack::kCopies), 0, 0.25);
  ExpectSaves(of.Saves(Lack::kIdle), 0, 0.25);
}

TEST(DeviceShortfallsTest, WithoutBusyTimesSumsStandIn) {
  OnDevice of = OnDevice().Kernels(0.5).With(Metric::kToHostNs, 1e9);
  of.Lacks(Metric::kKernelBusyNs).Lacks(Metric::kBusyNs);
  EXPECT_DOUBLE_EQ(SplitOnDevice(of.Region()).copies_s, 1);
  EXPECT_EQ(of.Limit(), DeviceLimit::kCopies);
}

// They are of another execution, in which the device was drained at each boundary.
TEST(DeviceShortfallsTest, TheRegionsTimeIsNotExceeded) {
  OnDevice of = OnDevice(1).Kernels(3).With(Metric::kBusyNs, 4e9).With(Metric::kToHostNs, 1e9);
  const DeviceSplit split = SplitOnDevice(of.Region());
  EXPECT_DOUBLE_EQ(split.time_s, 1);
  EXPECT_DOUBLE_EQ(split.kernels_s, 0.75);
  EXPECT_DOUBLE_EQ(split.copies_s, 0.25);
  EXPECT_DOUBLE_EQ(split.idle_s, 0);
}

TEST(DeviceShortfallsTest, ARegionWithoutKernelsHasNoLimit) {
  EXPECT_EQ(OnDevice().Limit(), DeviceLimit::kUnknown);
  EXPECT_TRUE(OnDevice().Advice().empty());
  EXPECT_EQ(OnDevice().Kernels(1).Lacks(Metric::kKernelNs).Limit(), DeviceLimit::kUnknown);
}

TEST(DeviceShortfallsTest, AdviceIsOneRankingWithoutWhatIsSmall) {
  OnDevice of = NotFused();  // 1 s of 2 s
  of.With(Metric::kWarpInstructions, 100).With(Metric::kThreadInstructions, 3200);
  const auto advice = of.Advice();
  std::vector<Lack> order;
  for (const DeviceAdvice& each : advice) order.push_back(each.gain.shortfall);
  // 0.5 s by the compiler; half of 1 s of idle time by restructuring; half of 0.5 s by other
  // numbers; half of 0.75 s, as an algorithm of its own.
  EXPECT_THAT(order,
              ::testing::ElementsAre(Lack::kFma, Lack::kIdle, Lack::kPrecision, Lack::kTensor));
  of.job.run.passes[0].wall_s = 1000;
  EXPECT_TRUE(of.Advice().empty()) << "less than 1 % of the run";
}

TEST(DeviceShortfallsTest, FramesAreLeftToTheRegionsBelow) {
  OnDevice of = NotFused();
  of.Add("r/inner", 2).Kernels(1).With(Metric::kDpAdd, 320e9).With(Metric::kDpMul, 320e9);
  for (const DeviceAdvice& each : of.Advice()) EXPECT_EQ(each.path, 1u);
  EXPECT_FALSE(of.Advice().empty());
}

TEST(DeviceShortfallsTest, EveryRowSaysWhatItIs) {
  std::set<std::string_view> names;
  for (const DeviceShortfallInfo& info : DeviceShortfallTable()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_NE(info.extent.find("{}"), std::string_view::npos) << info.name;
    EXPECT_FALSE(info.cure.empty() || info.doc.empty() || info.source.empty()) << info.name;
  }
}

}  // namespace
}  // namespace roofmark
