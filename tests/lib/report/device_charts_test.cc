// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/device_charts.h"

#include <gmock/gmock.h>

#include "lib/report/devices.h"
#include "tests/lib/report/device_job.h"

namespace roofmark {
namespace {

using test::DeviceJob;
using test::MachineWithDevice;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> KeysOf(const Chart& chart) {
  std::vector<std::string> keys;
  for (const ChartDot& dot : chart.dots) keys.push_back(dot.key);
  return keys;
}

const ChartDot& Dot(const Chart& chart, std::string_view key) {
  for (const ChartDot& dot : chart.dots) {
    if (dot.key == key) return dot;
  }
  throw std::out_of_range(std::string(key));
}

std::vector<std::string> LabelsOf(const Chart& chart) {
  std::vector<std::string> labels;
  for (const ChartLine& line : chart.lines) labels.push_back(line.label);
  return labels;
}

// gemm has no bytes of caches; the second device has no values at all.
TEST(DeviceCharts, HaveADotForEachLevelThatWasCounted) {
  const auto charts =
      DeviceCharts(DeviceJob({MachineWithDevice("GPU-1")}), ChartKind::kHierarchical);
  ASSERT_EQ(charts.size(), 1u);
  const Chart& chart = charts[0].chart;
  EXPECT_THAT(KeysOf(chart), ElementsAre("g1.DRAM", "g2.L2", "g2.DRAM", "g3.L2", "g3.DRAM"));
  EXPECT_DOUBLE_EQ(Dot(chart, "g2.L2").x, 1.0 / 24);
  EXPECT_DOUBLE_EQ(Dot(chart, "g2.DRAM").x, 1.0 / 12);
  EXPECT_DOUBLE_EQ(Dot(chart, "g2.DRAM").y, 10);
  EXPECT_DOUBLE_EQ(Dot(chart, "g1.DRAM").y, 768);
  EXPECT_EQ(Dot(chart, "g1.DRAM").limit, LimitColor::kCompute);
  EXPECT_EQ(Dot(chart, "g2.L2").limit, LimitColor::kMemory);
  EXPECT_DOUBLE_EQ(Dot(chart, "g2.DRAM").share, 0.2) << "1 s of kernels in a run of 5 s";
}

TEST(DeviceCharts, RoofsAreThoseOfTheDevice) {
  const auto measured =
      DeviceCharts(DeviceJob({MachineWithDevice("GPU-1")}), ChartKind::kHierarchical);
  EXPECT_THAT(
      LabelsOf(measured[0].chart),
      ElementsAre("L2 150 GB/s", "DRAM 100 GB/s", "dp peak 1.00 TFLOP/s", "sp peak 2.56 TFLOP/s"));
  EXPECT_THAT(measured[0].title, HasSubstr("GPU-1; ceilings measured on GPU-1"));
  const auto by_properties = DeviceCharts(DeviceJob(), ChartKind::kHierarchical);
  EXPECT_THAT(LabelsOf(by_properties[0].chart),
              ElementsAre("DRAM 128 GB/s", "dp peak 1.28 TFLOP/s", "sp peak 2.56 TFLOP/s"));
  EXPECT_THAT(by_properties[0].title, HasSubstr("its ceilings were not measured"));
}

// 256 FLOPs in a cycle of each of the 10 multiprocessors.
TEST(DeviceCharts, TensorCoresHaveARoofWhereARegionUsesThem) {
  ReportJob job = DeviceJob();
  DeviceRow& gemm = job.profile.run.devices[0].rows[0];
  gemm.values[static_cast<size_t>(DeviceMetric::kTensorDpFlops)] = 800000000000;
  const Chart chart = DeviceCharts(job, ChartKind::kRoofline)[0].chart;
  EXPECT_DOUBLE_EQ(Dot(chart, "g1").y, 1760 / 1.25) << "above the peak of threads, 1280";
  EXPECT_THAT(LabelsOf(chart), ::testing::Contains("dp tensor cores 2.56 TFLOP/s"));
}

TEST(DeviceCharts, OfOtherKindsHaveOneLevel) {
  const auto plain = DeviceCharts(DeviceJob(), ChartKind::kRoofline);
  EXPECT_THAT(KeysOf(plain[0].chart), ElementsAre("g1", "g2", "g3"));
  EXPECT_EQ(plain[0].chart.dots[2].label, "g3 triad");
  EXPECT_TRUE(DeviceCharts(DeviceJob(), ChartKind::kCacheAware).empty()) << "no bytes of L1";
}

TEST(DeviceCharts, DevicesOfAKindShareOne) {
  ReportJob job = DeviceJob();
  std::vector<DeviceInfo>& devices = job.profile.run.devices;
  devices[1] = devices[0];
  devices[1].uuid = "GPU-2";
  devices.push_back(devices[0]);
  devices[2].uuid = "GPU-3";
  devices[2].name = "NVIDIA Other";
  job.analysis = Analyze(job.profile, nullptr);
  const auto charts = DeviceCharts(job, ChartKind::kRoofline);
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_THAT(charts[0].title, HasSubstr("NVIDIA Sample (GH100): GPU-1, GPU-2;"));
  EXPECT_THAT(KeysOf(charts[0].chart), ElementsAre("g1", "g2", "g3", "g4", "g5", "g6"));
  EXPECT_THAT(KeysOf(charts[1].chart), ElementsAre("g7", "g8", "g9"));
}

TEST(DeviceCharts, KeysAreThoseOfTheTable) {
  const std::vector<DeviceTable> tables = DeviceTables(DeviceJob(), kAllDevices);
  EXPECT_EQ(tables[0].table.rows[2].key, "g3");
  EXPECT_EQ(tables[1].table.rows[0].key, "") << "nothing of it was counted";
}

TEST(DeviceCharts, TerminalPageAndPictureHaveThem) {
  const ReportJob job = DeviceJob();
  const std::string text = RenderChart({job}, {100, true}, ChartKind::kHierarchical);
  EXPECT_THAT(text, HasSubstr("NVIDIA Sample (GH100): GPU-1; its ceilings were not measured"));
  EXPECT_THAT(text, HasSubstr("g2.L2"));
  EXPECT_THAT(RenderHtml({job}), HasSubstr("g2.L2"));
  EXPECT_THAT(RenderSvg({job}, ChartKind::kHierarchical), HasSubstr("g2.L2"));
  EXPECT_THAT(RenderSvg({job}), Not(HasSubstr("g2.L2")));
  EXPECT_THAT(RenderSvg({job}), HasSubstr("g2 solve"));
}

TEST(DeviceCharts, AJobWithoutDevicesHasNone) {
  ReportJob job = DeviceJob();
  job.profile.run.devices.clear();
  job.analysis = Analyze(job.profile, nullptr);
  EXPECT_TRUE(DeviceCharts(job, ChartKind::kRoofline).empty());
}

}  // namespace
}  // namespace roofmark
