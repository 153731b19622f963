// SPDX-License-Identifier: BSD-3-Clause
//
// A job with one region on one device, whose numbers a test sets.
#ifndef ROOFMARK_TESTS_LIB_MODEL_DEVICE_REGION_H_
#define ROOFMARK_TESTS_LIB_MODEL_DEVICE_REGION_H_

#include <string>
#include <vector>

#include "lib/model/device_advice.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark::test {

// 10 multiprocessors of 64 warps at 1 GHz: 1280 and 2560 GFLOP/s, 40e9 instructions of warps and
// 10e9 wavefronts a second; 128 GB/s. Tensor cores do 2560 GFLOP/s in both precisions.
inline constexpr DeviceProperties kTenSms = {9, 0, 10, 1000000, 1000000, 512};

class OnDevice {
 public:
  explicit OnDevice(double seconds = 2, double wall_s = 10) : job(EmptyJob(1)) {
    AddPass(job, "timer", wall_s);
    device.uuid = "GPU-1";
    device.properties = kTenSms;
    for (DeviceSource& source : device.sources) source.counted = 1;
    Add("r", seconds);
  }

  OnDevice& Add(const std::string& path, double seconds) {
    const size_t at = AddPath(job, path);
    roofmark::test::Set(job, at, metric::kVisits, {1}, "timer");
    roofmark::test::Set(job, at, metric::kTimeNs, {static_cast<uint64_t>(seconds * 1e9)}, "timer");
    device.rows.push_back({path, 1, 0, {}});
    return *this;
  }

  // Of the path that was added last.
  OnDevice& With(DeviceMetric metric, double value) {
    device.rows.back().values[static_cast<size_t>(metric)] = static_cast<uint64_t>(value);
    return *this;
  }
  OnDevice& Kernels(double seconds) {
    return With(DeviceMetric::kKernels, 1)
        .With(DeviceMetric::kKernelNs, seconds * 1e9)
        .With(DeviceMetric::kKernelBusyNs, seconds * 1e9)
        .With(DeviceMetric::kBusyNs, seconds * 1e9);
  }
  OnDevice& Lacks(DeviceMetric metric) {
    device.sources[static_cast<size_t>(metric)].counted = 0;
    return *this;
  }
  OnDevice& Measured(DeviceRoof roof, double value) {
    measured.emplace_back(roof, value);
    return *this;
  }

  OnDevice& Beside(const OnDevice& other) {
    others.push_back(other.device);
    return *this;
  }

  // What was set is valid until the next call.
  DeviceDerivation Region(size_t row = 0) {
    job.run.devices = {device};
    job.run.devices.insert(job.run.devices.end(), others.begin(), others.end());
    roofs = DeviceRoofsOf(device, {});
    roofs.dp = dp;
    roofs.sp = sp;
    for (const auto& [roof, value] : measured) {
      roofs.values[static_cast<size_t>(roof)] = Value::Of(value, Status::kMeasured, kByMachineFile);
    }
    return {job, job.run.devices[0], job.run.devices[0].rows[row], row, roofs};
  }
  TimeInterval Saves(DeviceShortfall shortfall) {
    const DeviceDerivation of = Region();
    return SavedOnDevice(shortfall, SplitOnDevice(of), DeviceWork(of));
  }
  DeviceLimit Limit() { return LimitOnDevice(Region()); }
  std::vector<DeviceAdvice> Advice() {
    Region();
    JobAnalysis analysis = Analyze(job, nullptr);
    analysis.devices.assign(job.run.devices.size(), roofs);
    return DeviceAdviceFor(job, analysis);
  }

  JobProfile job;
  DeviceInfo device;
  std::vector<DeviceInfo> others;
  DeviceRoofs roofs;
  FmaCurves dp, sp;
  std::vector<std::pair<DeviceRoof, double>> measured;
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_MODEL_DEVICE_REGION_H_
