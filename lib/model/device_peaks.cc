// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/device_peaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lib/model/gpu_machine.h"

namespace roofmark {
namespace {

// What a multiprocessor does in a cycle: FMAs by the CUDA C++ Programming Guide, "Throughput of
// Native Arithmetic Instructions" (results, of whatever precision); dense FLOPs of tensor cores by
// the peaks of NVIDIA's architecture white papers over multiprocessors and clock: V100 (125 TFLOP/s
// in half precision), A100 (312; 156 in TF32, 19.5 in double), H100 SXM5 (989, 495, 1979 in FP8 at
// 1.83 GHz; 67 in double at 1.98 GHz) and B200 (2250, 1125, 4500, 37). 0: neither says. Compared
// with published figures were those of H100, without integers, and V100 without tensor cores.
// Warps that it holds: the same guide, "Technical Specifications per Compute Capability".
struct DeviceLanes {
  uint32_t major, minor, warps;
  uint32_t dp, sp, hp, bf16, int32;
  uint32_t tensor_dp, tensor_tf32, tensor_hp, tensor_fp8, tensor_int8;
};
constexpr DeviceLanes kDeviceLanes[] = {
    {7, 0, 64, 32, 64, 128, 0, 64, 0, 0, 1024, 0, 0},
    {7, 5, 32, 2, 64, 128, 0, 64, 0, 0, 0, 0, 0},
    {8, 0, 64, 32, 64, 256, 128, 64, 128, 1024, 2048, 0, 4096},
    {8, 6, 48, 2, 128, 0, 0, 64, 0, 0, 0, 0, 0},
    {8, 9, 48, 2, 128, 0, 0, 64, 0, 0, 0, 0, 0},
    {9, 0, 64, 64, 128, 256, 256, 64, 256, 2048, 4096, 8192, 8192},
    {10, 0, 64, 64, 128, 256, 256, 0, 128, 4096, 8192, 16384, 0},
};

const DeviceLanes* LanesOf(const DeviceProperties& of) {
  const auto* lanes = std::find_if(
      std::begin(kDeviceLanes), std::end(kDeviceLanes),
      [&](const DeviceLanes& row) { return row.major == of.major && row.minor == of.minor; });
  return lanes == std::end(kDeviceLanes) ? nullptr : lanes;
}

// Ceilings that lanes bound, and what one of these does in a cycle.
struct SheetRow {
  std::string_view id;
  uint32_t DeviceLanes::*lanes;
  double each;
};
constexpr SheetRow kSheetRows[] = {
    {"compute.dp.fma", &DeviceLanes::dp, 2},       {"compute.dp.add", &DeviceLanes::dp, 1},
    {"compute.dp.mul", &DeviceLanes::dp, 1},       {"compute.dp.muladd", &DeviceLanes::dp, 1},
    {"compute.sp.fma", &DeviceLanes::sp, 2},       {"compute.sp.add", &DeviceLanes::sp, 1},
    {"compute.sp.mul", &DeviceLanes::sp, 1},       {"compute.sp.muladd", &DeviceLanes::sp, 1},
    {"compute.hp.fma", &DeviceLanes::hp, 2},       {"compute.hp.add", &DeviceLanes::hp, 1},
    {"compute.hp.mul", &DeviceLanes::hp, 1},       {"compute.hp.muladd", &DeviceLanes::hp, 1},
    {"compute.bf16.fma", &DeviceLanes::bf16, 2},   {"compute.bf16.muladd", &DeviceLanes::bf16, 1},
    {"integer.mad", &DeviceLanes::int32, 1},       {"tensor.dp", &DeviceLanes::tensor_dp, 1},
    {"tensor.tf32", &DeviceLanes::tensor_tf32, 1}, {"tensor.hp", &DeviceLanes::tensor_hp, 1},
    {"tensor.bf16", &DeviceLanes::tensor_hp, 1},   {"tensor.fp8", &DeviceLanes::tensor_fp8, 1},
    {"tensor.int8", &DeviceLanes::tensor_int8, 1},
};

constexpr std::string_view kDramCeilings = "bandwidth.DRAM.";

// The table's end if it has none.
const SheetRow* RowOfSheet(std::string_view ceiling_id) {
  return std::find_if(std::begin(kSheetRows), std::end(kSheetRows),
                      [&](const SheetRow& sheet) { return IsOrBelow(ceiling_id, sheet.id); });
}

double DramBytesPerNs(const DeviceProperties& of) {
  constexpr double kTransfersACycle = 2, kBitsOfByte = 8;
  return kTransfersACycle * of.memory_clock_khz * of.memory_bus_bits / kBitsOfByte * 1e-6;
}

}  // namespace

Value PeakOf(std::string_view ceiling_id, const DeviceProperties& of) {
  if (const double sheet = DataSheetOf(ceiling_id, of); sheet > 0) {
    return Value::Of(sheet, Status::kModelled, kByProperties);
  }
  const bool by_lanes = RowOfSheet(ceiling_id) != std::end(kSheetRows);
  if (!by_lanes && !ceiling_id.starts_with(kDramCeilings)) {
    return Value::None(Reason::kNotMeasuredOnDevice);
  }
  const bool known = of.clock_khz > 0 && of.multiprocessors > 0 && of.major > 0;
  if (!by_lanes || !known) return Value::None(Reason::kNoDeviceProperties);
  if (LanesOf(of) != nullptr) return Value::None(Reason::kNotMeasuredOnDevice);
  return Value::None({Reason::kNoDeviceLanes, fmt::format("{}.{}", of.major, of.minor)});
}

double DataSheetOf(std::string_view ceiling_id, const DeviceProperties& of) {
  if (ceiling_id.starts_with(kDramCeilings)) return DramBytesPerNs(of);
  const SheetRow* row = RowOfSheet(ceiling_id);
  const DeviceLanes* lanes = LanesOf(of);
  if (row == std::end(kSheetRows) || lanes == nullptr) return 0;
  return row->each * lanes->*row->lanes * of.multiprocessors * of.clock_khz * 1e-6;
}

uint32_t MaxWarpsOf(const DeviceProperties& of) {
  const DeviceLanes* lanes = LanesOf(of);
  return lanes == nullptr ? 0 : lanes->warps;
}

double CyclesASecond(const DeviceProperties& of) { return 1e3 * of.clock_khz * of.multiprocessors; }

}  // namespace roofmark
