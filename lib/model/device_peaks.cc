// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/device_peaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace roofmark {
namespace {

// FMAs that a multiprocessor begins in a cycle: CUDA C++ Programming Guide, "Throughput of Native
// Arithmetic Instructions".
struct DeviceLanes {
  uint32_t major, minor;
  uint32_t dp, sp;
};
constexpr DeviceLanes kDeviceLanes[] = {{7, 0, 32, 64},  {7, 5, 2, 64},  {8, 0, 32, 64},
                                        {8, 6, 2, 128},  {8, 9, 2, 128}, {9, 0, 64, 128},
                                        {10, 0, 64, 128}};

Value PeakByProperties(double value) { return Value::Of(value, Status::kModelled, kByProperties); }

}  // namespace

DevicePeaks PeaksOf(const DeviceProperties& of) {
  const Value unknown = Value::None(Reason::kNoDeviceProperties);
  DevicePeaks peaks = {unknown, unknown, unknown};
  if (of.memory_clock_khz > 0 && of.memory_bus_bits > 0) {
    constexpr double kTransfersACycle = 2, kBitsOfByte = 8;
    peaks.dram_gbytes_per_s = PeakByProperties(kTransfersACycle * of.memory_clock_khz *
                                               of.memory_bus_bits / kBitsOfByte * 1e-6);
  }
  if (of.clock_khz == 0 || of.multiprocessors == 0 || of.major == 0) return peaks;
  const auto* lanes = std::find_if(
      std::begin(kDeviceLanes), std::end(kDeviceLanes),
      [&](const DeviceLanes& row) { return row.major == of.major && row.minor == of.minor; });
  if (lanes == std::end(kDeviceLanes)) {
    peaks.dp_gflops = peaks.sp_gflops =
        Value::None({Reason::kNoDeviceLanes, fmt::format("{}.{}", of.major, of.minor)});
    return peaks;
  }
  const double fmas_of_one_lane = 1e-6 * of.clock_khz * of.multiprocessors;
  peaks.dp_gflops = PeakByProperties(2 * lanes->dp * fmas_of_one_lane);
  peaks.sp_gflops = PeakByProperties(2 * lanes->sp * fmas_of_one_lane);
  return peaks;
}

}  // namespace roofmark
