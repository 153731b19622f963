// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/portability.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/lib/model/device_region.h"
#include "tests/lib/model/model_machine.h"

namespace roofmark {
namespace {

using test::AddPath;
using test::CountedJob;
using test::ModelMachine;
using test::Set;
using test::SpreadFlops;
using test::SpreadReads;

constexpr uint64_t kGiga = 1'000'000'000;

struct Printed {
  double knl, v100, portability;  // per cent
};

// Both efficiencies and the metric are rounded to two decimals: 0.01 in all, and a little.
void ExpectPrinted(const Printed& row) {
  EXPECT_NEAR(100 * Portability({row.knl / 100, row.v100 / 100}), row.portability, 0.0105)
      << row.knl;
}

TEST(Portability, TableIIOfThe2018Paper) {
  for (const Printed& bar : {Printed{40.41, 64.89, 49.81},
                             {52.04, 81.40, 63.49},
                             {66.65, 89.79, 76.51},
                             {289.13, 639.36, 398.19},
                             {81.42, 99.96, 89.74}}) {
    ExpectPrinted(bar);
  }
}

TEST(Portability, TableIIIOfThe2018Paper) {
  for (const Printed& fma : {Printed{84.98, 97.36, 90.76},
                             {77.50, 91.50, 83.92},
                             {66.77, 76.70, 71.39},
                             {55.28, 65.44, 59.93},
                             {46.56, 65.07, 54.28},
                             {39.65, 66.38, 49.65}}) {
    ExpectPrinted(fma);
  }
  for (const Printed& no_fma : {Printed{82.06, 92.88, 87.14},
                                {73.74, 97.43, 83.95},
                                {78.72, 98.91, 87.67},
                                {82.81, 99.73, 90.49}}) {
    ExpectPrinted(no_fma);
  }
  // nw = 5 disagrees with the efficiencies beside it.
  EXPECT_NEAR(100 * Portability({0.8128, 1.00}), 89.67, 0.005);  // printed: 89.93
}

TEST(Portability, TableIVOfThe2018Paper) {
  for (const Printed& stride : {Printed{38.40, 65.64, 48.46},
                                {75.24, 85.43, 80.01},
                                {98.39, 98.81, 98.60},
                                {99.20, 99.89, 99.55}}) {
    ExpectPrinted(stride);
  }
  EXPECT_EQ(Portability({0.98, std::nullopt}), 0);  // stride 16 on V100: "-"
}

TEST(Portability, WithoutAPlatformThereIsNone) {
  EXPECT_EQ(Portability({}), 0);
  EXPECT_EQ(Portability({0.5, 0.0}), 0);
  EXPECT_EQ(Portability({0.5, std::nan("")}), 0);
  EXPECT_DOUBLE_EQ(Portability({0.5}), 0.5);
}

// "r" at `seconds`, 32e9 FLOPs of 256-bit additions; the roof without FMA is 32 GFLOP/s.
JobProfile Job(double seconds) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kAdd, 32 * kGiga);
  SpreadReads(job, 64);
  Set(job, 0, metric::kTimeNs, std::vector<uint64_t>(2, static_cast<uint64_t>(seconds * 1e9)),
      "timer");
  return job;
}

TEST(Portability, OfRegionsAndOfTheRun) {
  const Machine machine = ModelMachine();
  JobProfile fast = Job(1.25), slow = Job(2);
  // Only one platform has a second region, of half the time and no FLOPs.
  const size_t other = AddPath(slow, "s");
  Set(slow, other, metric::kTimeNs, {kGiga, kGiga}, "timer");
  const JobAnalysis fast_analysis = Analyze(fast, &machine),
                    slow_analysis = Analyze(slow, &machine);
  const auto regions = PortabilityOf({{&fast, &fast_analysis}, {&slow, &slow_analysis}});
  ASSERT_EQ(regions.size(), 3u);
  EXPECT_EQ(regions[0].path, "r");
  EXPECT_NEAR(regions[0].portability[0], 2 / (1 / 0.8 + 1 / 0.5), 1e-9);
  EXPECT_NEAR(regions[0].portability[1], 2 / (1 / 0.4 + 1 / 0.25), 1e-9);  // against FMA
  EXPECT_NEAR(regions[0].portability[2], regions[0].portability[0], 1e-9);
  EXPECT_EQ(regions[1].path, "s");
  EXPECT_EQ(regions[1].portability[0], 0);
  EXPECT_EQ(regions[2].path, "");
  EXPECT_NEAR(regions[2].portability[0], regions[0].portability[0], 1e-9);
}

// By more than is uncertain: its roof is wrong, and it is no missing region.
TEST(Portability, ARegionAboveItsRoofIsAtIt) {
  const Machine machine = ModelMachine();
  JobProfile above = Job(0.5), slow = Job(2);
  const JobAnalysis above_analysis = Analyze(above, &machine),
                    slow_analysis = Analyze(slow, &machine);
  const auto regions = PortabilityOf({{&above, &above_analysis}, {&slow, &slow_analysis}});
  EXPECT_NEAR(regions[0].portability[0], 2 / (1 / 1.0 + 1 / 0.5), 1e-9);
}

// The paper's platforms are one of CPUs and one of GPUs.
TEST(Portability, OfARegionOnADeviceTheDevicesEfficiencyCounts) {
  // 640e9 FLOPs in a second of kernels: 1280 GFLOP/s with FMA, and 128 GB/s x 8 FLOP/byte.
  test::OnDevice gpu;
  gpu.Kernels(1).With(DeviceMetric::kDpFma, 640e9).With(DeviceMetric::kDramReadBytes, 80e9);
  const DeviceDerivation region = gpu.Region();
  JobAnalysis on_device = Analyze(gpu.job, nullptr);
  on_device.devices = {region.roofs};
  JobProfile cpu = Job(2);
  const Machine machine = ModelMachine();
  const JobAnalysis on_host = Analyze(cpu, &machine);
  const auto regions = PortabilityOf({{&cpu, &on_host}, {&gpu.job, &on_device}});
  ASSERT_EQ(regions.size(), 2u);
  for (const RegionPortability& one : regions) {
    EXPECT_NEAR(one.efficiency[0][1].value_or(0), 640.0 / 1024, 1e-9) << one.path;
    EXPECT_NEAR(one.efficiency[1][1].value_or(0), 640.0 / 1024, 1e-9);
    EXPECT_NEAR(one.efficiency[2][1].value_or(0), 640.0 / 640, 1e-9) << "1280 / 2 is below memory";
    for (size_t k = 0; k < kPairings; ++k) {
      EXPECT_DOUBLE_EQ(one.portability[k],
                       Portability({one.efficiency[k][0], one.efficiency[k][1]}));
      EXPECT_GT(one.portability[k], 0);
    }
  }
  // Of more FLOPs on the host than on the device those of the host count.
  for (MetricId id = 0; id < kFlopClasses; ++id) Set(gpu.job, 0, id, {0}, "counting");
  JobAnalysis both = Analyze(gpu.job, nullptr);
  both.devices = on_device.devices;
  EXPECT_TRUE(PortabilityOf({{&gpu.job, &both}})[0].efficiency[0][0]);
  Set(gpu.job, 0, FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd), {700 * kGiga},
      "counting");
  both = Analyze(gpu.job, nullptr);
  both.devices = on_device.devices;
  EXPECT_FALSE(PortabilityOf({{&gpu.job, &both}})[0].efficiency[0][0]);
}

}  // namespace
}  // namespace roofmark
