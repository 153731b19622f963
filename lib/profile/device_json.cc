// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/device_json.h"

#include <algorithm>
#include <utility>

#include "lib/core/limits.h"

namespace roofmark {
namespace {

Json WriteProperties(const DeviceProperties& properties) {
  Json json = Json::object();
  for (const DevicePropertyInfo& each : kDevicePropertyTable)
    json[each.name] = properties.*each.member;
  return json;
}

DeviceProperties ReadProperties(const JsonNode& node) {
  DeviceProperties properties;
  if (!node.present()) return properties;
  for (const DevicePropertyInfo& each : kDevicePropertyTable) {
    properties.*each.member = node[each.name].Within(0, UINT32_MAX, 0);
  }
  return properties;
}

Json WriteSource(const DeviceInfo& device, const DeviceMetricInfo& metric) {
  Json json = {{"unit", metric.unit},
               {"status", StatusName(StatusOf(device, metric.id))},
               {"counted", device.SourceOf(metric.id).counted}};
  const std::string& own = device.SourceOf(metric.id).reason;
  if (const std::string why = WhyNot(device, metric.id); !why.empty()) json["reason"] = Utf8(why);
  if (!own.empty()) json["missing"] = Utf8(own);
  return json;
}

Json WriteRow(const DeviceInfo& device, const DeviceRow& row) {
  Json values = Json::object();
  for (const DeviceMetricInfo& metric : kDeviceMetricTable) {
    if (device.SourceOf(metric.id).counted == 0) continue;
    const std::optional<uint64_t> value = ValueOf(device, row, metric.id);
    values[std::string(metric.name)] = value ? Json(*value) : Json(nullptr);
  }
  return {{"path", Utf8(row.path)},
          {"ranges", row.ranges},
          {"lost", row.lost},
          {"values", std::move(values)}};
}

DeviceRow ReadRow(const JsonNode& node) {
  DeviceRow row;
  row.path = node["path"].Required().String();
  row.ranges = node["ranges"].Required().Uint();
  row.lost = node["lost"].Required().Uint();
  const JsonNode values = node["values"].Required();
  for (const DeviceMetricInfo& metric : kDeviceMetricTable) {
    const std::string name(metric.name);
    if (values.present()) row.values[static_cast<size_t>(metric.id)] = values[name.c_str()].Uint();
  }
  return row;
}

void ReadSources(const JsonNode& metrics, DeviceInfo& device) {
  for (const DeviceMetricInfo& metric : kDeviceMetricTable) {
    const std::string name(metric.name);
    const JsonNode node = metrics[name.c_str()];
    if (!node.present()) continue;
    DeviceSource& source = device.sources[static_cast<size_t>(metric.id)];
    source.counted = node["counted"].Within(0, limits::kRanks, 0);
    source.reason = node["missing"].String();
  }
}

void ReadRows(const JsonNode& node, DeviceInfo& device) {
  for (const JsonNode& item : node.Items(limits::kPaths)) device.rows.push_back(ReadRow(item));
  std::sort(device.rows.begin(), device.rows.end(),
            [](const DeviceRow& a, const DeviceRow& b) { return a.path < b.path; });
  const auto same =
      std::adjacent_find(device.rows.begin(), device.rows.end(),
                         [](const DeviceRow& a, const DeviceRow& b) { return a.path == b.path; });
  if (same != device.rows.end()) node.Fail("names a path twice");
}

}  // namespace

Json WriteDevices(const std::vector<DeviceInfo>& devices, const std::set<std::string>& paths) {
  Json json = Json::array();
  for (const DeviceInfo& device : devices) {
    Json metrics = Json::object(), rows = Json::array();
    for (const DeviceMetricInfo& metric : kDeviceMetricTable) {
      metrics[std::string(metric.name)] = WriteSource(device, metric);
    }
    for (const DeviceRow& row : device.rows) {
      if (paths.contains(row.path)) rows.push_back(WriteRow(device, row));
    }
    json.push_back({{"host", Utf8(device.host)},
                    {"uuid", Utf8(device.uuid)},
                    {"name", Utf8(device.name)},
                    {"chip", Utf8(device.chip)},
                    {"processes", device.processes},
                    {"metrics", std::move(metrics)},
                    {"paths", std::move(rows)}});
    if (device.properties != DeviceProperties()) {
      json.back()["properties"] = WriteProperties(device.properties);
    }
  }
  return json;
}

std::vector<DeviceInfo> ReadDevices(const JsonNode& node) {
  std::vector<DeviceInfo> devices;
  if (!node.present()) return devices;
  for (const JsonNode& item : node.Items(limits::kRanks)) {
    DeviceInfo device;
    device.host = item["host"].String();
    device.uuid = item["uuid"].Required().String();
    device.name = item["name"].String();
    device.chip = item["chip"].String();
    device.properties = ReadProperties(item["properties"]);
    device.processes = item["processes"].Required().Within(1, limits::kRanks, 1);
    ReadSources(item["metrics"].Required(), device);
    ReadRows(item["paths"].Required(), device);
    const bool known = std::any_of(devices.begin(), devices.end(), [&](const DeviceInfo& other) {
      return other.uuid == device.uuid;
    });
    if (known) item["uuid"].Fail("names a device that is already in the file");
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace roofmark
