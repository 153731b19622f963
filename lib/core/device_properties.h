// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_DEVICE_PROPERTIES_H_
#define ROOFMARK_LIB_CORE_DEVICE_PROPERTIES_H_

#include <cstdint>

namespace roofmark {

// What the driver says of a device; 0: it does not say.
struct DeviceProperties {
  uint32_t major = 0, minor = 0;  // compute capability
  uint32_t multiprocessors = 0;
  uint32_t clock_khz = 0;         // the highest of the multiprocessors
  uint32_t memory_clock_khz = 0;  // of the device's memory, which moves data twice in a cycle
  uint32_t memory_bus_bits = 0;
  bool operator==(const DeviceProperties&) const = default;
};
struct DevicePropertyInfo {
  const char* name;  // as in files
  uint32_t DeviceProperties::*member;
};
inline constexpr DevicePropertyInfo kDevicePropertyTable[] = {
    {"compute_capability_major", &DeviceProperties::major},
    {"compute_capability_minor", &DeviceProperties::minor},
    {"multiprocessors", &DeviceProperties::multiprocessors},
    {"clock_khz", &DeviceProperties::clock_khz},
    {"memory_clock_khz", &DeviceProperties::memory_clock_khz},
    {"memory_bus_bits", &DeviceProperties::memory_bus_bits}};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_DEVICE_PROPERTIES_H_
