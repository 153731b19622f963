// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/devices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "lib/model/device_peaks.h"
#include "lib/report/chart.h"
#include "lib/report/device_words.h"
#include "lib/report/format.h"
#include "lib/report/narrow.h"
#include "lib/report/reason_list.h"

namespace roofmark {
namespace {

std::string DeviceTitle(const DeviceInfo& device) {
  std::string title = KindTitle(device);
  if (!device.host.empty()) title += fmt::format(" of {}", Printable(device.host));
  title += ", " + Printable(device.uuid);
  if (device.processes > 1) title += fmt::format(", used by {} processes", device.processes);
  return title;
}

bool HasDotOnDevice(const DeviceDerivation& of) {
  const Value rate = GflopsOnDevice(of);
  if (!rate || !IsDrawable(*rate)) return false;
  const DeviceRoof levels[] = {DeviceRoof::kL1, DeviceRoof::kL2, DeviceRoof::kDram};
  return std::any_of(std::begin(levels), std::end(levels), [&](DeviceRoof level) {
    const Value intensity = IntensityOnDevice(of, level);
    return intensity && IsDrawable(*intensity);
  });
}

std::string DeviceCell(const DeviceValueInfo& info, const DeviceDerivation& of) {
  return info.text != nullptr ? TextCell(info.text(of)) : NumberCell(info.format, info.value(of));
}

// Of what bounds regions, the ceilings with this origin: "double, DRAM".
std::string RoofsBy(const DeviceRoofs& roofs, std::string_view origin) {
  std::vector<std::string_view> names;
  for (const DeviceRoofInfo& info : kDeviceRoofTable) {
    const Value& roof = roofs.Of(info.id);
    if (info.bounds && roof && roof.origin == origin) names.push_back(info.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// What attainable performance rests on.
std::string RoofLegend(const DeviceDerivation& of) {
  const std::string measured = RoofsBy(of.roofs, kByMachineFile);
  const std::string by_properties = RoofsBy(of.roofs, kByProperties);
  if (measured.empty()) {
    return "attain GF/s: by the device's properties (lanes, clocks, bus), not measured: nothing "
           "reaches it; `roofmark machine --gpu` measures it";
  }
  std::string text = fmt::format("attain GF/s: measured on {}: {}",
                                 of.roofs.measured_on == of.device.uuid
                                     ? "this device"
                                     : Printable(of.roofs.measured_on) + ", of the same kind",
                                 measured);
  if (!by_properties.empty()) {
    text += fmt::format("; by the device's properties, which nothing reaches: {}", by_properties);
  }
  return text;
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
      reasons.Note(value, std::string(info.head.text));
      attainable = attainable || (info.name == "attainable_gflops" && value);
    }
    if (HasUncountedFlops(regions[i])) uncounted.push_back(NameOf(rows[i]));
  }
  std::vector<std::string> lines = DeviceLimitSentences(regions, rows);
  for (const std::string& reason : reasons.Lines()) lines.push_back(reason);
  if (attainable) lines.push_back(RoofLegend(regions[0]));
  if (!regions.empty() && RanksNotOnDevices(regions[0].job) > 0) {
    lines.push_back(fmt::format(
        "{} of {} ranks are missing here, or died: what they did on devices is in no number",
        RanksNotOnDevices(regions[0].job), regions[0].job.run.ranks));
  }
  if (!uncounted.empty()) {
    lines.push_back(
        fmt::format("FLOPs of half precision, and of tensor cores in other than double precision, "
                    "are in no number: {} {} such",
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
    for (const DeviceValueInfo& info : DeviceTableValues()) {
      table.rows[i].cells.push_back(DeviceCell(info, regions[i]));
    }
  }
  table.legend = DeviceLegend(regions, table.rows);
  DropEmptyColumns(table.columns, table.rows);
  const std::vector<std::string> none = DropZeroColumns(table.columns, table.rows);
  if (!none.empty()) {
    table.legend.push_back(fmt::format("0 in all regions: {}", fmt::join(none, ", ")));
  }
  return table;
}

}  // namespace

std::string KindTitle(const DeviceInfo& device) {
  std::string title = "GPU " + Printable(device.name.empty() ? "without a name" : device.name);
  if (!device.chip.empty()) title += fmt::format(" ({})", Printable(device.chip));
  return title;
}

std::span<const DeviceValueInfo> DeviceTableValues() {
  const auto all = DeviceValues();
  const auto end = std::find_if(all.begin(), all.end(),
                                [](const DeviceValueInfo& info) { return info.head.width == 0; });
  return all.first(static_cast<size_t>(end - all.begin()));
}

std::vector<DeviceDerivation> RegionsOf(const ReportJob& job, size_t device) {
  return RegionsOnDevice(job.profile, job.profile.run.devices[device],
                         job.analysis.devices.at(device));
}

std::vector<std::vector<Row>> DeviceRows(const ReportJob& job) {
  const std::vector<Row> all = ReportRows(job.profile, job.analysis);
  std::vector<std::vector<Row>> rows(job.profile.run.devices.size());
  size_t dots = 0;
  for (size_t device = 0; device < rows.size(); ++device) {
    for (const DeviceDerivation& of : RegionsOf(job, device)) {
      Row row = all[of.path];
      row.cells.clear();
      row.key = HasDotOnDevice(of) ? fmt::format("g{}", ++dots) : "";
      rows[device].push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<DeviceTable> DeviceTables(const ReportJob& job, size_t most) {
  std::vector<DeviceTable> tables;
  if (job.profile.run.devices.empty()) return tables;
  std::vector<std::vector<Row>> rows = DeviceRows(job);
  const std::vector<DeviceInfo>& devices = job.profile.run.devices;
  for (size_t device = 0; device < std::min(most, devices.size()); ++device) {
    tables.push_back(
        {DeviceTitle(devices[device]), TableOf(RegionsOf(job, device), std::move(rows[device]))});
  }
  return tables;
}

std::string DevicesLeftOut(const ReportJob& job, size_t most) {
  const size_t devices = job.profile.run.devices.size();
  if (devices <= most) return {};
  return fmt::format("{} of {} devices are shown; --all and --csv have all", most, devices);
}

}  // namespace roofmark
