// SPDX-License-Identifier: BSD-3-Clause
//
// A job with two devices, with numbers that can be checked by hand.
#ifndef ROOFMARK_TESTS_LIB_REPORT_DEVICE_JOB_H_
#define ROOFMARK_TESTS_LIB_REPORT_DEVICE_JOB_H_

#include <string>
#include <utility>
#include <vector>

#include "lib/report/report.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark::test {

using DeviceCounted = std::vector<std::pair<DeviceMetric, uint64_t>>;

inline DeviceRow RowOnDevice(const std::string& path, const DeviceCounted& counted) {
  DeviceRow row;
  row.path = path;
  row.ranges = 1;
  for (const auto& [metric, value] : counted) row.values[static_cast<size_t>(metric)] = value;
  return row;
}

// All of whose metrics one process counted.
inline DeviceInfo SampleDevice(const std::string& uuid, const DeviceProperties& properties) {
  DeviceInfo device;
  device.host = "node1";
  device.uuid = uuid;
  device.name = "NVIDIA Sample";
  device.chip = "GH100";
  device.properties = properties;
  for (DeviceSource& source : device.sources) source.counted = 1;
  return device;
}

// 10 multiprocessors of 64 + 128 lanes at 1 GHz: 1280 and 2560 GFLOP/s; 128 GB/s.
inline constexpr DeviceProperties kSampleProperties = {9, 0, 10, 1000000, 1000000, 512};

// "solve" with "solve/triad" in it, of which memory bounds the device, and "gemm" with tensor
// cores: half of the warps that fit, a busiest multiprocessor, and lanes that are not active. The
// second device is shared by two processes, one of which counted nothing.
inline JobProfile DeviceProfile() {
  using Metric = DeviceMetric;
  JobProfile job = EmptyJob(2, 1, 2);
  AddPass(job, "cupti", 5.0);
  for (const char* path : {"gemm", "host", "solve", "solve/triad"}) {
    const size_t row = AddPath(job, path);
    Set(job, row, metric::kVisits, {1, 1}, "timer");
    Set(job, row, metric::kTimeNs, {2000000000, 1000000000}, "timer");
  }
  DeviceInfo first = SampleDevice("GPU-1", kSampleProperties);
  const DeviceCounted triad = {{Metric::kDpFma, 10000000000},
                               {Metric::kDramReadBytes, 80000000000},
                               {Metric::kDramWriteBytes, 40000000000},
                               {Metric::kKernels, 8},
                               {Metric::kKernelNs, 1000000000},
                               {Metric::kToDeviceBytes, 3000000000},
                               {Metric::kToDeviceNs, 100000000},
                               {Metric::kToHostBytes, 1000000000},
                               {Metric::kToHostNs, 100000000},
                               {Metric::kL2Bytes, 240000000000},
                               {Metric::kKernelBusyNs, 1000000000},
                               {Metric::kBusyNs, 1200000000},
                               {Metric::kGlobalBytes, 240000000000},
                               {Metric::kGlobalSectors, 10000000000},
                               {Metric::kL2Lookups, 2000000000},
                               {Metric::kL2Misses, 1000000000},
                               {Metric::kPcieReceivedBytes, 3500000000},
                               {Metric::kPcieSentBytes, 1200000000}};
  first.rows = {RowOnDevice("gemm", {{Metric::kDpFma, 640000000000},
                                     {Metric::kSpAdd, 320000000000},
                                     {Metric::kDramReadBytes, 1000000000},
                                     {Metric::kKernels, 1},
                                     {Metric::kKernelNs, 1250000000},
                                     {Metric::kKernelBusyNs, 1250000000},
                                     {Metric::kBusyNs, 1250000000},
                                     {Metric::kWarpInstructions, 20000000000},
                                     {Metric::kThreadInstructions, 512000000000},
                                     {Metric::kSmCycles, 10000000000},
                                     {Metric::kSmCyclesMax, 1250000000},
                                     {Metric::kWarpCycles, 320000000000},
                                     {Metric::kTensor, 5}}),
                RowOnDevice("solve", triad), RowOnDevice("solve/triad", triad)};
  DeviceInfo second = SampleDevice("GPU-2", DeviceProperties());
  second.processes = 2;
  for (DeviceSource& source : second.sources) source.reason = "another profiler is active";
  second.rows = {RowOnDevice("solve", triad)};
  job.run.devices = {first, second};
  return job;
}

// A machine file that has measured this device: less than its properties give, and of single
// precision and L1 nothing.
inline Machine MachineWithDevice(const std::string& uuid) {
  const auto ceiling = [](const char* id, const char* unit, const std::vector<double>& values) {
    GpuCeiling made = {id, id, unit, {}, 0};
    for (const double value : values) {
      GpuPoint point;
      point.warps = static_cast<uint32_t>(made.curve.size() + 1);
      point.value = value;
      made.curve.push_back(point);
    }
    return made;
  };
  GpuMachine gpu;
  gpu.uuid = uuid;
  gpu.name = "NVIDIA Sample";
  gpu.properties = kSampleProperties;
  gpu.ceilings = {ceiling("compute.dp.fma", "GFLOP/s", {500, 1000, 900}),
                  ceiling("compute.dp.fma_4_chains", "GFLOP/s", {1100}),
                  ceiling("tensor.hp", "GFLOP/s", {20000}),
                  ceiling("bandwidth.DRAM.read", "GB/s", {90}),
                  ceiling("bandwidth.DRAM.copy", "GB/s", {100}),
                  ceiling("bandwidth.DRAM.triad", "GB/s", {95}),
                  ceiling("bandwidth.L2.read", "GB/s", {150}),
                  ceiling("copy.to_device", "GB/s", {40}),
                  ceiling("copy.to_host", "GB/s", {50})};
  Machine machine;
  machine.gpus = {gpu};
  return machine;
}

inline ReportJob DeviceJob(const std::vector<Machine>& machines = {}) {
  JobProfile profile = DeviceProfile();
  JobAnalysis analysis = Analyze(profile, machines);
  return {"gpu.json", std::move(profile), std::move(analysis)};
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_REPORT_DEVICE_JOB_H_
