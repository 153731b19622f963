// SPDX-License-Identifier: BSD-3-Clause
//
// What a device of a job can do at most: measured ceilings of the machine file where there are any,
// else what its properties give (device_peaks.h).
#ifndef ROOFMARK_LIB_MODEL_DEVICE_ROOFS_H_
#define ROOFMARK_LIB_MODEL_DEVICE_ROOFS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/table.h"
#include "lib/model/gpu_machine.h"
#include "lib/model/machine.h"
#include "lib/model/value.h"
#include "lib/profile/device.h"

namespace roofmark {

enum class DeviceRoof : uint8_t {
  kDp,
  kSp,
  kHp,
  kBf16,
  kTensorDp,
  kTensorTf32,
  kTensorHp,
  kTensorBf16,
  kTensorFp8,
  kShared,
  kL1,
  kL2,
  kDram,
  kToDevice,
  kToHost,
  kNvlink,
  kLaunch,
};
inline constexpr size_t kDeviceRoofs = 17;

struct DeviceRoofInfo {
  DeviceRoof id;
  std::string_view ceiling;  // of the machine file: the best of it and of those below
  std::string_view name;     // for people
  std::string_view unit;
  bool bounds;  // a region's attainable performance may follow from it: its counts are known
};

inline constexpr std::array<DeviceRoofInfo, kDeviceRoofs> kDeviceRoofTable = {{
    {DeviceRoof::kDp, "compute.dp.fma", "double", "GFLOP/s", true},
    {DeviceRoof::kSp, "compute.sp.fma", "single", "GFLOP/s", true},
    {DeviceRoof::kHp, "compute.hp.fma", "half", "GFLOP/s", false},
    {DeviceRoof::kBf16, "compute.bf16.fma", "bfloat16", "GFLOP/s", false},
    {DeviceRoof::kTensorDp, "tensor.dp", "double on tensor cores", "GFLOP/s", true},
    {DeviceRoof::kTensorTf32, "tensor.tf32", "TF32 on tensor cores", "GFLOP/s", false},
    {DeviceRoof::kTensorHp, "tensor.hp", "half on tensor cores", "GFLOP/s", false},
    {DeviceRoof::kTensorBf16, "tensor.bf16", "bfloat16 on tensor cores", "GFLOP/s", false},
    {DeviceRoof::kTensorFp8, "tensor.fp8", "FP8 on tensor cores", "GFLOP/s", false},
    {DeviceRoof::kShared, "shared.stride_1", "shared memory", "GB/s", false},
    {DeviceRoof::kL1, "bandwidth.L1.read", "L1", "GB/s", true},
    {DeviceRoof::kL2, "bandwidth.L2.read", "L2", "GB/s", true},
    {DeviceRoof::kDram, "bandwidth.DRAM.", "DRAM", "GB/s", true},
    {DeviceRoof::kToDevice, "copy.to_device", "copies to the device", "GB/s", false},
    {DeviceRoof::kToHost, "copy.to_host", "copies to the host", "GB/s", false},
    {DeviceRoof::kNvlink, "copy.to_peer.nvlink", "NVLink", "GB/s", false},
    {DeviceRoof::kLaunch, "latency.launch", "launch", "ns", false},
}};
static_assert(InOrder(kDeviceRoofTable) &&
              static_cast<size_t>(DeviceRoof::kLaunch) + 1 == kDeviceRoofs);

inline constexpr char kByMachineFile[] = "machine";  // origin of what was measured

// FMAs against warps of a multiprocessor, as they were measured; empty: they were not.
struct FmaCurves {
  std::vector<GpuPoint> independent;  // of chains, as many as the best
  std::vector<GpuPoint> chained;      // each waits for the one before
};
// With so many warps, between points that were measured; 0 if none was.
double RateAt(const std::vector<GpuPoint>& curve, double warps);

struct DeviceRoofs {
  std::array<Value, kDeviceRoofs> values;
  FmaCurves dp, sp;
  std::string measured_on;  // UUID of the device of the machine file; empty: there is none

  const Value& Of(DeviceRoof roof) const { return values[static_cast<size_t>(roof)]; }
};

// By the measurement of this device, known by its UUID; else by the first one of the same name,
// compute capability and number of multiprocessors.
DeviceRoofs DeviceRoofsOf(const DeviceInfo& device, std::span<const Machine> machines);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_ROOFS_H_
