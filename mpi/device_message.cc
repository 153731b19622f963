// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/device_message.h"

#include <cstdint>
#include <iterator>
#include <string>

namespace roofmark::mpi {
namespace {

// Of one in a message, if its texts are empty.
constexpr size_t kRowBytes = sizeof(uint64_t) + 2 + kDeviceMetrics;
constexpr size_t kDeviceBytes = 5 * sizeof(uint64_t) + 1 + std::size(kDevicePropertyTable) +
                                kDeviceMetrics * (sizeof(uint64_t) + 1);

}  // namespace

void PutDevices(ByteWriter& writer, const std::vector<DeviceInfo>& devices) {
  writer.Put(static_cast<uint64_t>(devices.size()));
  for (const DeviceInfo& device : devices) {
    for (const std::string* text : {&device.host, &device.uuid, &device.name, &device.chip}) {
      writer.PutString(*text);
    }
    for (const DevicePropertyInfo& each : kDevicePropertyTable) {
      writer.PutVarint(device.properties.*each.member);
    }
    writer.PutVarint(device.processes);
    for (const DeviceSource& source : device.sources) {
      writer.PutVarint(source.counted);
      writer.PutString(source.reason);
    }
    writer.Put(static_cast<uint64_t>(device.rows.size()));
    for (const DeviceRow& row : device.rows) {
      writer.PutString(row.path);
      writer.PutVarint(row.ranges);
      writer.PutVarint(row.lost);
      for (const uint64_t value : row.values) writer.PutVarint(value);
    }
  }
}

std::vector<DeviceInfo> GetDevices(ByteReader& reader) {
  std::vector<DeviceInfo> devices(reader.GetCount(kDeviceBytes));
  for (DeviceInfo& device : devices) {
    for (std::string* text : {&device.host, &device.uuid, &device.name, &device.chip}) {
      *text = reader.GetString();
    }
    for (const DevicePropertyInfo& each : kDevicePropertyTable) {
      device.properties.*each.member = static_cast<uint32_t>(reader.GetVarint());
    }
    device.processes = static_cast<uint32_t>(reader.GetVarint());
    for (DeviceSource& source : device.sources) {
      source.counted = static_cast<uint32_t>(reader.GetVarint());
      source.reason = reader.GetString();
    }
    device.rows.resize(reader.GetCount(kRowBytes));
    for (DeviceRow& row : device.rows) {
      row.path = reader.GetString();
      row.ranges = reader.GetVarint();
      row.lost = reader.GetVarint();
      for (uint64_t& value : row.values) value = reader.GetVarint();
    }
  }
  return devices;
}

}  // namespace roofmark::mpi
