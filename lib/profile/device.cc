// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace roofmark {
namespace {

constexpr char kNobody[] = "nobody counted it";

// Where the path's row is, or would be.
template <class Device>
auto PlaceOf(Device& device, std::string_view path) {
  return std::lower_bound(device.rows.begin(), device.rows.end(), path,
                          [](const DeviceRow& row, std::string_view name) {
                            return std::string_view(row.path) < name;
                          });
}

DeviceRow& RowOfPath(DeviceInfo& device, const std::string& path) {
  const auto at = PlaceOf(device, path);
  if (at != device.rows.end() && at->path == path) return *at;
  DeviceRow row;
  row.path = path;
  return *device.rows.insert(at, std::move(row));
}

uint64_t RangesOf(const DeviceInfo& device, const std::string& path) {
  const DeviceRow* row = FindRow(device, path);
  return row == nullptr ? 0 : row->ranges;
}

// One device has one set of properties: what one process could not ask for, another could.
void Complete(DeviceProperties& into, const DeviceProperties& other) {
  for (const DevicePropertyInfo& each : kDevicePropertyTable) {
    into.*each.member = std::max(into.*each.member, other.*each.member);
  }
}

template <class Merge>
void Unite(std::vector<DeviceInfo>& into, const std::vector<DeviceInfo>& other, Merge merge) {
  for (const DeviceInfo& device : other) {
    const auto known = std::find_if(
        into.begin(), into.end(), [&](const DeviceInfo& mine) { return mine.uuid == device.uuid; });
    if (known == into.end()) {
      into.push_back(device);
    } else {
      Complete(known->properties, device.properties);
      merge(*known, device);
    }
  }
  std::sort(into.begin(), into.end(), [](const DeviceInfo& a, const DeviceInfo& b) {
    return std::tie(a.host, a.uuid) < std::tie(b.host, b.uuid);
  });
}

void AddRanks(DeviceInfo& into, const DeviceInfo& other) {
  into.processes += other.processes;
  for (size_t m = 0; m < kDeviceMetrics; ++m) {
    into.sources[m].counted += other.sources[m].counted;
    std::string& reason = into.sources[m].reason;  // which one stands does not depend on the order
    const std::string& theirs = other.sources[m].reason;
    if (reason.empty() || (!theirs.empty() && theirs < reason)) reason = theirs;
  }
  for (const DeviceRow& row : other.rows) {
    DeviceRow& mine = RowOfPath(into, row.path);
    mine.ranges += row.ranges;
    mine.lost += row.lost;
    for (size_t m = 0; m < kDeviceMetrics; ++m) mine.values[m] += row.values[m];
  }
}

void AddExecution(DeviceInfo& into, const DeviceInfo& other) {
  std::array<bool, kDeviceMetrics> taken{};
  for (size_t m = 0; m < kDeviceMetrics; ++m) {
    const auto metric = static_cast<DeviceMetric>(m);
    taken[m] = !HasValue(StatusOf(into, metric)) && HasValue(StatusOf(other, metric));
    if (taken[m]) into.sources[m] = other.sources[m];
  }
  // Where other numbers of processes used it, what fewer of them counted has no value any more.
  into.processes = std::max(into.processes, other.processes);
  for (const DeviceRow& row : other.rows) {
    DeviceRow& mine = RowOfPath(into, row.path);
    mine.lost += row.lost;
    for (size_t m = 0; m < kDeviceMetrics; ++m) {
      if (taken[m]) mine.values[m] = row.values[m];
    }
  }
  // A region that one of both entered more often has no counts that belong together.
  for (DeviceRow& mine : into.rows) {
    const uint64_t there = RangesOf(other, mine.path);
    if (mine.ranges != there) ++mine.lost;
    mine.ranges = std::max(mine.ranges, there);
  }
}

}  // namespace

Status StatusOf(const DeviceInfo& device, DeviceMetric metric) {
  const DeviceSource& source = device.SourceOf(metric);
  if (source.counted == 0) return Status::kUnsupported;
  if (source.counted < device.processes) return Status::kInvalid;
  const bool alone = device.processes == 1 || Info(metric).of_own_kernels;
  return alone ? Status::kMeasured : Status::kInvalid;
}

std::string WhyNot(const DeviceInfo& device, DeviceMetric metric) {
  const DeviceSource& source = device.SourceOf(metric);
  const std::string reason = source.reason.empty() ? kNobody : source.reason;
  switch (StatusOf(device, metric)) {
    case Status::kMeasured:
      return {};
    case Status::kInvalid:
      if (source.counted == device.processes) {
        return fmt::format(
            "{} processes used the device at the same time, and its counter does not tell them "
            "apart",
            device.processes);
      }
      return fmt::format("{} of {} processes that used the device did not count it: {}",
                         device.processes - source.counted, device.processes, reason);
    default:
      return reason;
  }
}

std::optional<uint64_t> ValueOf(const DeviceInfo& device, const DeviceRow& row,
                                DeviceMetric metric) {
  if (row.lost > 0 || !HasValue(StatusOf(device, metric))) return std::nullopt;
  return row.values[static_cast<size_t>(metric)];
}

const DeviceRow* FindRow(const DeviceInfo& device, std::string_view path) {
  const auto at = PlaceOf(device, path);
  return at != device.rows.end() && at->path == path ? &*at : nullptr;
}

void MergeDevices(std::vector<DeviceInfo>& into, const std::vector<DeviceInfo>& other) {
  Unite(into, other, AddRanks);
}

void JoinDevices(std::vector<DeviceInfo>& into, const std::vector<DeviceInfo>& other) {
  Unite(into, other, AddExecution);
}

}  // namespace roofmark
