// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/device_roofs.h"

#include <algorithm>

#include "lib/model/device_peaks.h"

namespace roofmark {
namespace {

// A part of a device (MIG) has fewer multiprocessors than the whole.
bool IsOfSameKind(const GpuMachine& gpu, const DeviceInfo& device) {
  const DeviceProperties &measured = gpu.properties, &used = device.properties;
  return !gpu.name.empty() && gpu.name == device.name && measured.major == used.major &&
         measured.minor == used.minor && measured.multiprocessors == used.multiprocessors;
}

const GpuMachine* MeasurementOf(const DeviceInfo& device, std::span<const Machine> machines) {
  const GpuMachine* same_kind = nullptr;
  for (const Machine& machine : machines) {
    for (const GpuMachine& gpu : machine.gpus) {
      if (gpu.uuid == device.uuid) return &gpu;
      if (same_kind == nullptr && IsOfSameKind(gpu, device)) same_kind = &gpu;
    }
  }
  return same_kind;
}

// 0: not measured.
double BestOf(const GpuMachine& gpu, std::string_view ceiling) {
  double best = 0;
  for (const GpuCeiling& each : gpu.ceilings) {
    if (IsOrBelow(each.id, ceiling)) best = std::max(best, each.Best());
  }
  return best;
}

FmaCurves CurvesOf(const GpuMachine& gpu, const std::string& ceiling) {
  const auto curve = [&](const std::string& id) {
    const GpuCeiling* found = gpu.Find(id);
    return found == nullptr ? std::vector<GpuPoint>() : found->curve;
  };
  return {curve(ceiling), curve(ceiling + "_1_chain")};
}

}  // namespace

double RateAt(const std::vector<GpuPoint>& curve, double warps) {
  GpuPoint before;  // no warps do nothing
  for (const GpuPoint& point : curve) {
    if (point.warps <= before.warps) continue;
    if (warps <= point.warps) {
      const double share = (warps - before.warps) / (point.warps - before.warps);
      return before.value + share * (point.value - before.value);
    }
    before = point;
  }
  return before.value;
}

DeviceRoofs DeviceRoofsOf(const DeviceInfo& device, std::span<const Machine> machines) {
  DeviceRoofs roofs;
  const GpuMachine* gpu = MeasurementOf(device, machines);
  if (gpu != nullptr) {
    roofs.dp = CurvesOf(*gpu, "compute.dp.fma");
    roofs.sp = CurvesOf(*gpu, "compute.sp.fma");
  }
  for (const DeviceRoofInfo& info : kDeviceRoofTable) {
    const double measured = gpu == nullptr ? 0 : BestOf(*gpu, info.ceiling);
    roofs.values[static_cast<size_t>(info.id)] =
        measured > 0 ? Value::Of(measured, Status::kMeasured, kByMachineFile)
                     : PeakOf(info.ceiling, device.properties);
    if (measured > 0) roofs.measured_on = gpu->uuid;
  }
  return roofs;
}

}  // namespace roofmark
