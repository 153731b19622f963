// SPDX-License-Identifier: BSD-3-Clause
//
// What a GPU sustains, as measured by `roofmark machine --gpu`: a part of the machine file, plain
// data.
#ifndef ROOFMARK_LIB_MODEL_GPU_MACHINE_H_
#define ROOFMARK_LIB_MODEL_GPU_MACHINE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/device_properties.h"

namespace roofmark {

struct GpuPoint {
  uint32_t warps = 0;                              // of each multiprocessor; 0: none take part
  double value = 0, median = 0, min = 0, max = 0;  // `value`: p95; of times their median
  uint32_t samples = 0;
  double noise = 0;           // as MachinePoint has it
  double ghz = 0, watts = 0;  // held meanwhile, median of the samples; 0: not known
};

// One ceiling as a curve against warps. docs/machine.md lists the ids.
struct GpuCeiling {
  std::string id, label;
  std::string unit;  // "GFLOP/s", "Gop/s", "GB/s", "ns"
  // Ascending in warps; at least one point.
  std::vector<GpuPoint> curve;
  double data_sheet = 0;  // the same by lanes and clock; 0: nobody says

  // The best of its points.
  double Best() const;
};

struct GpuMachine {
  std::string uuid, name;
  std::string driver;  // version; empty: not known
  DeviceProperties properties;
  uint64_t memory_bytes = 0, l2_bytes = 0;
  double power_limit_watts = 0;  // 0: not known
  std::vector<GpuCeiling> ceilings;
  std::vector<std::string> warnings;

  const GpuCeiling* Find(std::string_view id) const;  // nullptr: not measured
};

// "tensor.hp" and all that begins with "tensor.hp." are ceilings of the same; of one that ends with
// a dot the latter.
bool IsOrBelow(std::string_view id, std::string_view ceiling);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_GPU_MACHINE_H_
