// SPDX-License-Identifier: BSD-3-Clause
#include "lib/fold/fold_devices.h"

#include <algorithm>
#include <cstddef>

namespace roofmark {
namespace {

std::vector<DeviceRow> RowsOf(const counts::DeviceCounts& counted,
                              const std::vector<PathNode>& nodes,
                              const std::vector<std::string>& full) {
  std::vector<counts::DeviceSums> sums(nodes.size());
  for (const auto& [path, own] : counted.paths) {
    if (path < sums.size()) sums[path] = own;
  }
  std::vector<DeviceRow> rows;
  for (size_t p = nodes.size(); p-- > 1;) {  // parents have lower numbers
    if (sums[p].ranges == 0 && sums[p].lost == 0) continue;
    rows.push_back({full[p], sums[p].ranges, sums[p].lost, sums[p].values});
    Add(sums[p], sums[nodes[p].parent]);
  }
  std::sort(rows.begin(), rows.end(),
            [](const DeviceRow& a, const DeviceRow& b) { return a.path < b.path; });
  return rows;
}

}  // namespace

std::vector<DeviceInfo> FoldDevices(const std::vector<counts::DeviceCounts>& counted,
                                    const std::vector<PathNode>& nodes,
                                    const std::vector<std::string>& names,
                                    const std::string& host) {
  const std::vector<std::string> full = FullPaths(nodes, names);
  std::vector<DeviceInfo> devices;
  for (const counts::DeviceCounts& each : counted) {
    DeviceInfo device;
    device.host = host;
    device.uuid = each.uuid;
    device.name = each.name;
    device.chip = each.chip;
    device.properties = each.properties;
    for (size_t m = 0; m < kDeviceMetrics; ++m) {
      device.sources[m].counted = each.missing[m].empty() ? 1 : 0;
      device.sources[m].reason = each.missing[m];
    }
    device.rows = RowsOf(each, nodes, full);
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace roofmark
