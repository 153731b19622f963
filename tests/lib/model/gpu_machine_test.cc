// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/gpu_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/model/device_peaks.h"
#include "lib/model/device_roofs.h"
#include "lib/model/machine_json.h"
#include "lib/model/machine_merge.h"
#include "tests/lib/profile/schema_check.h"

namespace roofmark {
namespace {

using ::testing::HasSubstr;

Machine WithGpu(const std::string& uuid) {
  Machine machine;
  machine.cpu_model = "Some CPU";
  GpuMachine gpu;
  gpu.uuid = uuid;
  gpu.name = "NVIDIA H100 80GB HBM3";
  gpu.driver = "580.1";
  gpu.properties = {9, 0, 132, 1980000, 2619000, 5120};
  gpu.memory_bytes = uint64_t{80} << 30;
  gpu.l2_bytes = 50 << 20;
  gpu.power_limit_watts = 700;
  gpu.ceilings = {{"compute.sp.fma",
                   "single, FMA",
                   "GFLOP/s",
                   {{4, 15000, 14900, 14000, 15100, 5, 0.01, 1.98, 300},
                    {64, 60000, 59900, 59000, 60100, 5, 0.02, 1.9, 600}},
                   66900},
                  {"latency.DRAM", "DRAM", "ns", {{0, 600, 600, 590, 610, 5, 0, 0, 0}}, 0}};
  gpu.warnings = {"a warning"};
  machine.gpus = {gpu};
  return machine;
}

TEST(GpuMachine, BestIsTheFastest) {
  const Machine machine = WithGpu("GPU-1");
  EXPECT_EQ(machine.gpus[0].Find("compute.sp.fma")->Best(), 60000);
  EXPECT_EQ(machine.gpus[0].Find("latency.DRAM")->Best(), 600);
  EXPECT_EQ(machine.gpus[0].Find("compute.dp.fma"), nullptr);
}

DeviceInfo UsedDevice(const std::string& uuid) {
  const GpuMachine measured = WithGpu("GPU-1").gpus[0];
  DeviceInfo device;
  device.uuid = uuid;
  device.name = measured.name;
  device.properties = measured.properties;
  return device;
}

TEST(GpuMachine, ADeviceHasItsOwnMeasurementElseOneOfItsKind) {
  std::vector<Machine> machines = {WithGpu("GPU-1"), WithGpu("GPU-2")};
  machines[1].gpus[0].ceilings[0].curve[1].value = 61000;
  const auto single = [&](const DeviceInfo& device) {
    return *DeviceRoofsOf(device, machines).Of(DeviceRoof::kSp);
  };
  EXPECT_EQ(single(UsedDevice("GPU-1")), 60000);
  EXPECT_EQ(single(UsedDevice("GPU-2")), 61000);
  EXPECT_EQ(single(UsedDevice("GPU-3")), 60000) << "the first of its kind";
  EXPECT_EQ(DeviceRoofsOf(UsedDevice("GPU-3"), machines).measured_on, "GPU-1");
}

// A roof is what any instructions or library sustained; chains and latencies are other ceilings.
TEST(GpuMachine, ARoofIsTheBestByWhateverMeans) {
  std::vector<Machine> machines = {WithGpu("GPU-1")};
  const auto add = [&](const char* id, double value) {
    machines[0].gpus[0].ceilings.push_back(
        {id, id, "GFLOP/s", {{4, value, value, value, value, 5, 0, 0, 0}}, 0});
  };
  add("compute.sp.fma.cublas", 62000);
  add("compute.sp.fma_4_chains", 63000);
  add("compute.sp.fma_1_chain", 9000);
  add("tensor.hp", 500000);
  add("tensor.hp.wgmma", 800000);
  add("tensor.hp.cublas", 700000);
  const DeviceRoofs roofs = DeviceRoofsOf(UsedDevice("GPU-1"), machines);
  EXPECT_EQ(*roofs.Of(DeviceRoof::kSp), 62000);
  EXPECT_EQ(*roofs.Of(DeviceRoof::kTensorHp), 800000);
  EXPECT_EQ(RateAt(roofs.sp.independent, 4), machines[0].gpus[0].ceilings[0].curve[0].value);
  EXPECT_EQ(RateAt(roofs.sp.chained, 4), 9000);
  EXPECT_EQ(RateAt(roofs.sp.chained, 64), 9000);
  EXPECT_EQ(RateAt(roofs.sp.chained, 1), 9000. / 4);
  EXPECT_EQ(RateAt(roofs.dp.independent, 4), 0) << "not measured";
  EXPECT_EQ(DataSheetOf("tensor.hp.cublas", UsedDevice("").properties),
            DataSheetOf("tensor.hp", UsedDevice("").properties));
  EXPECT_EQ(DataSheetOf("compute.sp.fma_4_chains", UsedDevice("").properties), 0);
}

TEST(GpuMachine, ADeviceOfAnotherKindHasNoMeasurement) {
  const std::vector<Machine> machines = {WithGpu("GPU-1")};
  DeviceInfo other = UsedDevice("GPU-3"), part = other, newer = other, nameless = other;
  other.name = "NVIDIA H200";
  part.properties.multiprocessors = 16;
  newer.properties.major = 10;
  for (const DeviceInfo& device : {other, part, newer}) {
    const DeviceRoofs roofs = DeviceRoofsOf(device, machines);
    EXPECT_EQ(roofs.measured_on, "");
    EXPECT_EQ(roofs.Of(DeviceRoof::kSp).origin, kByProperties);
  }
  std::vector<Machine> unnamed = machines;
  nameless.name = unnamed[0].gpus[0].name = "";
  EXPECT_EQ(DeviceRoofsOf(nameless, unnamed).measured_on, "");
}

TEST(GpuMachine, ObeysTheSchema) {
  ROOFMARK_SKIP_WITHOUT_JSONSCHEMA();
  Machine machine = WithGpu("GPU-1");
  EXPECT_TRUE(test::MatchesSchema(MachineToJson(machine), "machine.schema.json"));
  machine.gpus[0].ceilings[0].unit = "furlongs";
  EXPECT_FALSE(test::MatchesSchema(MachineToJson(machine), "machine.schema.json"));
}

TEST(GpuMachine, FileKeepsAll) {
  const std::string text = MachineToJson(WithGpu("GPU-1"));
  const auto read = MachineFromJson(text, "m.json");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(MachineToJson(*read), text);
  const GpuMachine& gpu = read->gpus.at(0);
  EXPECT_EQ(gpu.properties, WithGpu("").gpus[0].properties);
  EXPECT_EQ(gpu.power_limit_watts, 700);
  const GpuPoint& point = gpu.ceilings[0].curve[1];
  EXPECT_EQ(point.warps, 64);
  EXPECT_EQ(point.ghz, 1.9);
  EXPECT_EQ(point.watts, 600);
  EXPECT_EQ(gpu.ceilings[0].data_sheet, 66900);
  EXPECT_THAT(gpu.warnings, ::testing::ElementsAre("a warning"));
}

TEST(GpuMachine, FilesThatAreWrongNameThePlace) {
  Machine machine = WithGpu("GPU-1");
  machine.gpus[0].ceilings[0].curve[1].warps = 4;
  EXPECT_THAT(MachineFromJson(MachineToJson(machine), "m.json").error(),
              HasSubstr("must be above those of the point before"));
  machine = WithGpu("GPU-1");
  machine.gpus[0].ceilings[0].curve[0].value = 0;
  EXPECT_THAT(MachineFromJson(MachineToJson(machine), "m.json").error(),
              HasSubstr("must be above zero"));
  machine = WithGpu("GPU-1");
  machine.gpus[0].ceilings[0].curve.clear();
  EXPECT_THAT(MachineFromJson(MachineToJson(machine), "m.json").error(),
              HasSubstr("at least one point"));
}

TEST(GpuMachine, NodesKeepEachDevice) {
  const auto merged = MergeMachines({WithGpu("GPU-1"), WithGpu("GPU-2")});
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->gpus.size(), 2);
  EXPECT_EQ(merged->gpus[1].uuid, "GPU-2");
  std::vector<Machine> many(300, WithGpu("GPU-1"));
  const auto bounded = MergeMachines(std::move(many));
  EXPECT_EQ(bounded->gpus.size(), 256);
  EXPECT_THAT(bounded->warnings, ::testing::Contains("256 of 300 GPUs are kept"));
}

// Within 1 % of what NVIDIA publishes of each, at the clock of that figure: TFLOP/s.
TEST(DataSheet, IsWhatNvidiaPublishes) {
  struct Published {
    const char* id;
    DeviceProperties properties;
    double tera;
  };
  constexpr DeviceProperties kV100 = {7, 0, 80, 1530000, 0, 0}, kA100 = {8, 0, 108, 1410000, 0, 0},
                             kH100 = {9, 0, 132, 1980000, 0, 0},
                             kH100Tensor = {9, 0, 132, 1830000, 0, 0};
  for (const Published& of : {
           Published{"compute.dp.fma", kV100, 7.8},
           {"compute.sp.fma", kV100, 15.7},
           {"tensor.hp", kV100, 125},
           {"compute.dp.fma", kA100, 9.7},
           {"compute.sp.fma", kA100, 19.5},
           {"compute.hp.fma", kA100, 78},
           {"compute.bf16.fma", kA100, 39},
           {"tensor.dp", kA100, 19.5},
           {"tensor.tf32", kA100, 156},
           {"tensor.hp", kA100, 312},
           {"tensor.int8", kA100, 624},
           {"compute.dp.fma", kH100, 33.5},
           {"compute.sp.fma", kH100, 66.9},
           {"compute.hp.fma", kH100, 133.8},
           {"tensor.dp", kH100, 66.9},
           {"tensor.tf32", kH100Tensor, 494.7},
           {"tensor.bf16", kH100Tensor, 989.4},
           {"tensor.fp8", kH100Tensor, 1978.9},
           {"tensor.int8", kH100Tensor, 1978.9},
       }) {
    EXPECT_NEAR(DataSheetOf(of.id, of.properties) / 1000, of.tera, 0.01 * of.tera) << of.id;
  }
  EXPECT_EQ(DataSheetOf("latency.DRAM", kH100), 0);
  EXPECT_EQ(DataSheetOf("tensor.fp8", kA100), 0);
  EXPECT_EQ(DataSheetOf("compute.dp.fma", {99, 0, 1, 1000, 0, 0}), 0);
}

}  // namespace
}  // namespace roofmark
