// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel's PMUs: /sys/bus/event_source/devices/<device>/{type,cpumask,cpus,format,events}.
// Read at start only: a few files per device.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_SYSFS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_SYSFS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/hardware/events/format.h"
#include "lib/core/result.h"

namespace roofmark::events {

struct KernelEvent {
  std::string fields;  // "event=0x04,umask=0x03"
  double scale = 1;    // what a count is multiplied with to be in `unit`
  std::string unit;    // "MiB", "Joules"; empty for counts
};

struct Device {
  std::string name;
  uint32_t type = 0;  // perf_event_attr.type
  // Of a device outside the cores: the CPUs to open it on, one per package (or per L3, per die).
  // A device of the cores has none, and counts threads.
  std::optional<std::set<uint32_t>> cpumask;
  Format format;
  std::map<std::string, KernelEvent, std::less<>> events;

  bool PerPackage() const { return cpumask.has_value(); }
};

struct Expansion {
  std::vector<Device> devices;  // in natural order: imc_2 before imc_10
  // One sentence for each device that matched but cannot be opened (no CPU in its mask, no type).
  std::vector<std::string> phantoms;
};

// The names in a folder of /sys, in natural order, without hidden ones; none if it cannot be read.
std::vector<std::string> NamesIn(const std::string& folder);

// Every device is read once, when it is first asked for. Not thread-safe.
class Sysfs {
 public:
  // `root` is put before /sys; tests use it.
  explicit Sysfs(std::string root = "") : root_(std::move(root)) {}

  const std::vector<std::string>& DeviceNames() const;  // in natural order
  const Result<Device>& Read(const std::string& name) const;
  // `pattern` as in Event::device. At least one device, or an error with cause and cure.
  Result<Expansion> Expand(std::string_view pattern) const;
  // As Expand, of a name that a user wrote: "uncore_imc" stands for all of uncore_imc_0, ...
  Result<Expansion> ExpandUserName(const std::string& name) const;
  // The device with this perf_event_attr.type.
  Result<Device> FindType(uint32_t type) const;

 private:
  Result<Device> ReadFiles(const std::string& name) const;
  Result<std::string> CoreDevice() const;

  std::string root_;
  mutable std::optional<std::vector<std::string>> names_;
  mutable std::map<std::string, Result<Device>> devices_;
};

// '#' in `pattern` stands for one or more digits.
bool MatchesDevice(std::string_view pattern, std::string_view name);
// "uncore_imc_12" -> "12"; the last run of digits, empty if there is none.
std::string DeviceNumber(std::string_view name);

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_SYSFS_H_
