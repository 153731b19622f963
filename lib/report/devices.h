// SPDX-License-Identifier: BSD-3-Clause
//
// Tables of what accelerators did: one for each device, with the regions that it worked in.
#ifndef ROOFMARK_LIB_REPORT_DEVICES_H_
#define ROOFMARK_LIB_REPORT_DEVICES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "lib/model/device_values.h"
#include "lib/report/counters.h"
#include "lib/report/report.h"

namespace roofmark {

struct DeviceTable {
  std::string title;  // "GPU NVIDIA H200 (GH100) of node7, GPU-..., used by 2 processes"
  // Names as in the table of regions, keys as in the charts of devices; columns without a number
  // left out.
  CounterTable table;
};

// At most `most` devices, in the order of the file.
std::vector<DeviceTable> DeviceTables(const ReportJob& job, size_t most);

// How many DeviceTables() leaves out, in one sentence; empty if none.
std::string DevicesLeftOut(const ReportJob& job, size_t most);

// As many are shown unless all are asked for.
inline constexpr size_t kFewDevices = 4;
inline constexpr size_t kAllDevices = SIZE_MAX;

// Those of the derived values that have a column.
std::span<const DeviceValueInfo> DeviceTableValues();

// For people: "GPU NVIDIA H200 (GH100)".
std::string KindTitle(const DeviceInfo& device);

// Of each device the rows of its regions, without cells. Those that have a place in a chart of
// devices have keys, "g1", "g2" and so on over all devices.
std::vector<std::vector<Row>> DeviceRows(const ReportJob& job);

// Regions of the device of that index that the table has, in its order.
std::vector<DeviceDerivation> RegionsOf(const ReportJob& job, size_t device);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_DEVICES_H_
