// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/sysfs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "collectors/hardware/events/table.h"
#include "lib/core/cpu_list.h"
#include "lib/core/directory.h"
#include "lib/core/file.h"

namespace roofmark::events {
namespace {

constexpr std::string_view kFolder = "/sys/bus/event_source/devices";

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Runs of digits compare as numbers.
bool NaturalLess(const std::string& a, const std::string& b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (IsDigit(a[i]) && IsDigit(b[j])) {
      const auto end_of = [](const std::string& text, size_t from) {
        while (from < text.size() && IsDigit(text[from])) ++from;
        return from;
      };
      const size_t a_end = end_of(a, i), b_end = end_of(b, j);
      const auto value = [](const std::string& text, size_t from, size_t to) {
        return std::strtoull(text.substr(from, to - from).c_str(), nullptr, 10);
      };
      const uint64_t x = value(a, i, a_end), y = value(b, j, b_end);
      if (x != y) return x < y;
      i = a_end;
      j = b_end;
      continue;
    }
    if (a[i] != b[j]) return a[i] < b[j];
    ++i;
    ++j;
  }
  return a.size() - i < b.size() - j;
}

// The first line of a file; nothing if it cannot be read.
std::optional<std::string> Line(const std::string& path) {
  Result<std::string> content = ReadFile(path);
  if (!content) return std::nullopt;
  return content->substr(0, content->find('\n'));
}

void ReadEvents(const std::string& folder, Device& device) {
  const auto names = NamesIn(folder);
  for (const std::string& name : names) {
    // snapshot and per-pkg are for perf's own output.
    if (name.find('.') != std::string::npos) continue;
    const std::optional<std::string> fields = Line(folder + "/" + name);
    if (!fields) continue;
    KernelEvent event{*fields, 1, Line(folder + "/" + name + ".unit").value_or("")};
    if (const auto scale = Line(folder + "/" + name + ".scale"))
      event.scale = std::strtod(scale->c_str(), nullptr);
    device.events.emplace(name, std::move(event));
  }
}

std::string WhyNone(std::string_view pattern, bool any_device) {
  if (!any_device)
    return fmt::format("{} is missing or empty: this operating system or container offers no PMU",
                       kFolder);
  if (pattern == kCoreDevice)
    return fmt::format(
        "no PMU of the cores in {}: a virtual machine has one only if its host is configured to "
        "pass it through",
        kFolder);
  return fmt::format(
      "no device {} in {}: the operating system has no driver for it (intel_uncore, "
      "amd_uncore, ...), or this is a virtual machine",
      pattern, kFolder);
}

}  // namespace

std::vector<std::string> NamesIn(const std::string& folder) {
  Result<std::vector<std::string>> names = ListNames(folder);
  if (!names) return {};
  std::erase_if(*names, [](const std::string& name) { return name.front() == '.'; });
  std::sort(names->begin(), names->end(), NaturalLess);
  return std::move(*names);
}

bool MatchesDevice(std::string_view pattern, std::string_view name) {
  size_t at = 0;
  for (const char c : pattern) {
    if (c != '#') {
      if (at == name.size() || name[at] != c) return false;
      ++at;
      continue;
    }
    const size_t start = at;
    while (at < name.size() && IsDigit(name[at])) ++at;
    if (at == start) return false;
  }
  return at == name.size();
}

std::string DeviceNumber(std::string_view name) {
  size_t end = name.size();
  while (end > 0 && !IsDigit(name[end - 1])) --end;
  size_t start = end;
  while (start > 0 && IsDigit(name[start - 1])) --start;
  return std::string(name.substr(start, end - start));
}

const std::vector<std::string>& Sysfs::DeviceNames() const {
  if (!names_) names_ = NamesIn(root_ + std::string(kFolder));
  return *names_;
}

const Result<Device>& Sysfs::Read(const std::string& name) const {
  const auto known = devices_.find(name);
  if (known != devices_.end()) return known->second;
  return devices_.emplace(name, ReadFiles(name)).first->second;
}

Result<Device> Sysfs::ReadFiles(const std::string& name) const {
  const std::string folder = fmt::format("{}{}/{}", root_, kFolder, name);
  Device device;
  device.name = name;
  const std::optional<std::string> type = Line(folder + "/type");
  if (!type) return Error{fmt::format("cannot read {}/type: this PMU does not exist", folder)};
  device.type = static_cast<uint32_t>(std::strtoul(type->c_str(), nullptr, 10));
  // Devices of some cores only (hybrid and ARM CPUs) have `cpus` instead.
  if (const auto mask = Line(folder + "/cpumask")) device.cpumask = ParseCpuList(*mask);
  for (const std::string& field : NamesIn(folder + "/format")) {
    const std::optional<std::string> text = Line(folder + "/format/" + field);
    if (!text) continue;
    // What roofmark cannot place (config3) is reported when it is asked for.
    if (Result<FormatField> parsed = ParseFormatField(*text)) device.format.emplace(field, *parsed);
  }
  ReadEvents(folder + "/events", device);
  return device;
}

// x86 and POWER call it "cpu", ARM by its driver. Two kinds of cores have two such devices, and an
// event means something on one of them only.
Result<std::string> Sysfs::CoreDevice() const {
  const std::vector<std::string>& names = DeviceNames();
  std::vector<std::string> cores;
  for (const std::string& name : names) {
    if (name == kCoreDevice) return name;
    const std::string folder = fmt::format("{}{}/{}", root_, kFolder, name);
    const bool of_cores = name.starts_with("cpu_") || name.starts_with("armv");
    if (of_cores && Line(folder + "/cpus")) cores.push_back(name);
  }
  if (cores.empty()) return Error{WhyNone(kCoreDevice, !names.empty())};
  if (cores.size() > 1)
    return Error{
        fmt::format("this machine has several kinds of cores ({}): roofmark's event table supports "
                    "only machines with one kind",
                    fmt::join(cores, ", "))};
  return cores.front();
}

Result<Expansion> Sysfs::Expand(std::string_view pattern) const {
  std::vector<std::string> matches;
  const std::vector<std::string>& names = DeviceNames();
  if (pattern == kCoreDevice) {
    Result<std::string> core = CoreDevice();
    if (!core) return Error{core.error()};
    matches.push_back(*core);
  }
  for (std::string_view rest = pattern; matches.empty() && !rest.empty();) {
    const size_t end = std::min(rest.find('|'), rest.size());
    for (const std::string& name : names) {
      if (MatchesDevice(rest.substr(0, end), name)) matches.push_back(name);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (matches.empty()) return Error{WhyNone(pattern, !names.empty())};
  Expansion expansion;
  for (const std::string& name : matches) {
    const Result<Device>& device = Read(name);
    if (!device)
      expansion.phantoms.push_back(device.error());
    else if (device->PerPackage() && device->cpumask->empty())
      expansion.phantoms.push_back(
          fmt::format("device {} is listed, but no CPU can open it (its cpumask is empty)", name));
    else
      expansion.devices.push_back(*device);
  }
  if (expansion.devices.empty())
    return Error{fmt::format("{}", fmt::join(expansion.phantoms, "; "))};
  return expansion;
}

Result<Expansion> Sysfs::ExpandUserName(const std::string& name) const {
  return Expand(name == kCoreDevice ? name : fmt::format("{}|{}_#", name, name));
}

Result<Device> Sysfs::FindType(uint32_t type) const {
  const std::string wanted = fmt::format("{}", type);
  for (const std::string& name : DeviceNames()) {
    if (Line(fmt::format("{}{}/{}/type", root_, kFolder, name)) == wanted) return Read(name);
  }
  return Error{fmt::format("no device with type {} in {}", type, kFolder)};
}

}  // namespace roofmark::events
