// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/devices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "lib/report/format.h"
#include "lib/report/narrow.h"
#include "lib/report/reason_list.h"

namespace roofmark {
namespace {

std::string DeviceTitle(const DeviceInfo& device) {
  std::string title = "GPU " + Printable(device.name.empty() ? "without a name" : device.name);
  if (!device.chip.empty()) title += fmt::format(" ({})", Printable(device.chip));
  if (!device.host.empty()) title += fmt::format(" of {}", Printable(device.host));
  title += ", " + Printable(device.uuid);
  if (device.processes > 1) title += fmt::format(", used by {} processes", device.processes);
  return title;
}

std::string DeviceCell(const DeviceValueInfo& info, const DeviceDerivation& of) {
  return info.text != nullptr ? TextCell(info.text(of)) : NumberCell(info.format, info.value(of));
}

std::vector<std::string> DeviceLegend(const std::vector<DeviceDerivation>& regions,
                                      const std::vector<Row>& rows) {
  ReasonList reasons;
  std::vector<std::string> uncounted;
  bool attainable = false;
  for (size_t i = 0; i < regions.size(); ++i) {
    for (const DeviceValueInfo& info : DeviceTableValues()) {
      if (info.value == nullptr) continue;
      const Value value = info.value(regions[i]);
      reasons.Note(value, HeadOf(ColumnOf(info.head, info.doc)));
      attainable = attainable || (info.name == "attainable_gflops" && value);
    }
    if (HasUncountedFlops(regions[i])) uncounted.push_back(NameOf(rows[i]));
  }
  std::vector<std::string> lines = reasons.Lines();
  if (attainable) {
    lines.push_back(
        "attain GF/s: by the device's properties (lanes, clocks, bus), not measured: "
        "nothing reaches it");
  }
  if (!uncounted.empty()) {
    lines.push_back(
        fmt::format("FLOPs of tensor cores and of half precision are in no number: {} {} such",
                    fmt::join(uncounted, ", "), uncounted.size() == 1 ? "has" : "have"));
  }
  return lines;
}

CounterTable TableOf(const std::vector<DeviceDerivation>& regions, std::vector<Row> rows) {
  CounterTable table;
  for (const DeviceValueInfo& info : DeviceTableValues()) {
    table.columns.push_back(ColumnOf(info.head, info.doc));
  }
  table.rows = std::move(rows);
  for (size_t i = 0; i < regions.size(); ++i) {
    table.rows[i].cells.clear();
    for (const DeviceValueInfo& info : DeviceTableValues()) {
      table.rows[i].cells.push_back(DeviceCell(info, regions[i]));
    }
  }
  table.legend = DeviceLegend(regions, table.rows);
  DropEmptyColumns(table.columns, table.rows);
  return table;
}

}  // namespace

std::span<const DeviceValueInfo> DeviceTableValues() {
  const auto all = DeviceValues();
  const auto end = std::find_if(all.begin(), all.end(),
                                [](const DeviceValueInfo& info) { return info.head.width == 0; });
  return all.first(static_cast<size_t>(end - all.begin()));
}

std::vector<DeviceDerivation> RegionsOf(const ReportJob& job, const DeviceInfo& device) {
  std::vector<DeviceDerivation> regions;
  const std::vector<PathInfo>& paths = job.profile.paths;
  for (size_t p = 0; p < paths.size(); ++p) {
    if (const DeviceRow* row = FindRow(device, paths[p].path)) {
      regions.push_back({job.profile, device, *row, p});
    }
  }
  return regions;
}

std::vector<DeviceTable> DeviceTables(const ReportJob& job, size_t most) {
  std::vector<DeviceTable> tables;
  if (job.profile.run.devices.empty()) return tables;
  const std::vector<Row> all = ReportRows(job.profile, job.analysis);
  for (const DeviceInfo& device : job.profile.run.devices) {
    if (tables.size() == most) break;
    const std::vector<DeviceDerivation> regions = RegionsOf(job, device);
    std::vector<Row> rows;
    for (const DeviceDerivation& of : regions) rows.push_back(all[of.path]);
    tables.push_back({DeviceTitle(device), TableOf(regions, std::move(rows))});
  }
  return tables;
}

std::string DevicesLeftOut(const ReportJob& job, size_t most) {
  const size_t devices = job.profile.run.devices.size();
  if (devices <= most) return {};
  return fmt::format("{} of {} devices are shown; --all and --csv have all", most, devices);
}

}  // namespace roofmark
