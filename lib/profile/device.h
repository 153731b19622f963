// SPDX-License-Identifier: BSD-3-Clause
//
// What the accelerators of a job did, region by region. Each device is there once, whatever number
// of ranks used it: it is known by its UUID. Values of a path include those of the paths below it.
#ifndef ROOFMARK_LIB_PROFILE_DEVICE_H_
#define ROOFMARK_LIB_PROFILE_DEVICE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/device_metric.h"
#include "lib/core/device_properties.h"
#include "lib/core/status.h"

namespace roofmark {

struct DeviceSource {
  uint32_t counted = 0;  // processes that counted the metric
  std::string reason;    // of one that did not
  bool operator==(const DeviceSource&) const = default;
};

struct DeviceRow {
  std::string path;
  uint64_t ranges = 0;  // times that it, or a path below it, was counted
  // Times that counts did not arrive; joined executions that entered it another number of times
  // count as one more. Then it has no value.
  uint64_t lost = 0;
  std::array<uint64_t, kDeviceMetrics> values{};
  bool operator==(const DeviceRow&) const = default;
};

struct DeviceInfo {
  std::string host, uuid, name, chip;
  DeviceProperties properties;
  uint32_t processes = 1;  // of the job that used it
  std::array<DeviceSource, kDeviceMetrics> sources;
  std::vector<DeviceRow> rows;  // sorted by path
  bool operator==(const DeviceInfo&) const = default;

  const DeviceSource& SourceOf(DeviceMetric metric) const {
    return sources[static_cast<size_t>(metric)];
  }
};

// Measured if every process that used the device counted it, and, for a counter of the whole
// device, if there was one such process: two would both have counted what either did.
Status StatusOf(const DeviceInfo& device, DeviceMetric metric);
// Why there is no value, in one phrase; empty where there is one.
std::string WhyNot(const DeviceInfo& device, DeviceMetric metric);
// Of a row of this device; nothing without a status that has a value, or if counts were lost.
std::optional<uint64_t> ValueOf(const DeviceInfo& device, const DeviceRow& row,
                                DeviceMetric metric);

// nullptr if it was not in this path. O(log rows).
const DeviceRow* FindRow(const DeviceInfo& device, std::string_view path);

// Of other ranks of the same execution: a device that both know is one, and what they counted adds
// up. Associative and commutative. Sorted by host and UUID.
void MergeDevices(std::vector<DeviceInfo>& into, const std::vector<DeviceInfo>& other);

// Of another execution of the same job, which counted other metrics: where both have a value,
// `into`'s stands.
void JoinDevices(std::vector<DeviceInfo>& into, const std::vector<DeviceInfo>& other);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_DEVICE_H_
