// SPDX-License-Identifier: BSD-3-Clause
//
// What one process counted on one accelerator, as plain data.
#ifndef ROOFMARK_LIB_COUNTS_DEVICE_H_
#define ROOFMARK_LIB_COUNTS_DEVICE_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "lib/core/device_metric.h"
#include "lib/core/device_properties.h"

namespace roofmark::counts {

// In a path, but in none of its children.
struct DeviceSums {
  uint64_t ranges = 0;  // times that the path was counted
  uint64_t lost = 0;    // times that its counts did not arrive
  std::array<uint64_t, kDeviceMetrics> values{};
};

inline void Add(const DeviceSums& from, DeviceSums& to) {
  to.ranges += from.ranges;
  to.lost += from.lost;
  for (size_t m = 0; m < kDeviceMetrics; ++m) to.values[m] += from.values[m];
}

struct DeviceCounts {
  std::string uuid, name, chip;
  DeviceProperties properties;
  // Why there is no value; empty: there is.
  std::array<std::string, kDeviceMetrics> missing;
  std::map<uint32_t, DeviceSums> paths;  // by the number of the path
};

}  // namespace roofmark::counts

#endif  // ROOFMARK_LIB_COUNTS_DEVICE_H_
