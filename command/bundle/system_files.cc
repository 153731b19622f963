// SPDX-License-Identifier: BSD-3-Clause
#include "command/bundle/system_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "collectors/hardware/events/sysfs.h"
#include "lib/core/file.h"

namespace roofmark::cli {
namespace {

// The kernel writes at most a page into such a file.
constexpr size_t kMostBytes = 4096;

// Bit maps say the same as lists.
constexpr std::string_view kTopology[] = {
    "physical_package_id",  "die_id",           "cluster_id",         "core_id",
    "thread_siblings_list", "core_cpus_list",   "core_siblings_list", "package_cpus_list",
    "die_cpus_list",        "cluster_cpus_list"};
constexpr std::string_view kCache[] = {"level",
                                       "type",
                                       "size",
                                       "coherency_line_size",
                                       "ways_of_associativity",
                                       "id",
                                       "number_of_sets",
                                       "physical_line_partition",
                                       "shared_cpu_list"};
constexpr std::string_view kDevice[] = {"type", "cpumask", "cpus", "rdpmc",
                                        "perf_event_mux_interval_ms"};
constexpr std::string_view kDeviceFolders[] = {"format", "events", "caps"};

constexpr std::string_view kOfEachCpu[] = {
    "processor",        "vendor_id",   "cpu family", "model",        "model name",
    "stepping",         "microcode",   "cache size", "physical id",  "siblings",
    "core id",          "cpu cores",   "cpu",        "revision",     "CPU implementer",
    "CPU architecture", "CPU variant", "CPU part",   "CPU revision", "clflush size"};
constexpr std::string_view kOfFirstCpu[] = {"flags", "Features"};

template <size_t kSize>
bool IsIn(const std::string_view (&list)[kSize], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

// "cpu12", but not "cpufreq".
bool IsNumbered(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         name.find_first_not_of("0123456789", prefix.size()) == name.npos;
}

bool IsPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; });
}

class Reader {
 public:
  explicit Reader(const std::string& root) : root_(root) {}

  std::vector<std::string> NamesIn(const std::string& folder) const {
    return events::NamesIn(root_ + folder);
  }
  void Add(const std::string& path) {
    if (access((root_ + path).c_str(), R_OK) != 0) return;
    Result<std::string> text = ReadFile(root_ + path, kMostBytes);
    // Some files of devices cannot be read at all (a folder, or an error of the driver).
    if (!text || !IsPlain(*text)) {
      files_.left_out.push_back(path);
    } else {
      Keep(path, std::move(*text));
    }
  }
  template <typename Names>
  void AddEach(const std::string& folder, const Names& names) {
    for (const auto& name : names) Add(fmt::format("{}/{}", folder, name));
  }
  void AddCpuinfo() {
    const Result<std::string> text = ReadFile(root_ + "/proc/cpuinfo");
    if (!text) return;
    std::string kept = WithoutPrivateFields(*text);
    if (IsPlain(kept)) {
      Keep("/proc/cpuinfo", std::move(kept));
    } else {
      files_.left_out.emplace_back("/proc/cpuinfo");
    }
  }
  SystemFiles Take() { return std::move(files_); }

 private:
  void Keep(const std::string& path, std::string text) {
    if (text.ends_with('\n')) text.pop_back();
    files_.content[path] = std::move(text);
  }

  const std::string& root_;
  SystemFiles files_;
};

void AddDevices(Reader& reader) {
  const std::string folder = "/sys/bus/event_source/devices";
  for (const std::string& device : reader.NamesIn(folder)) {
    const std::string path = fmt::format("{}/{}", folder, device);
    reader.AddEach(path, kDevice);
    for (const std::string_view inner : kDeviceFolders) {
      const std::string names = fmt::format("{}/{}", path, inner);
      reader.AddEach(names, reader.NamesIn(names));
    }
  }
}

void AddCpus(Reader& reader) {
  const std::string folder = "/sys/devices/system/cpu";
  reader.AddEach(folder,
                 std::initializer_list<const char*>{"online", "possible", "present", "smt/active"});
  for (const std::string& cpu : reader.NamesIn(folder)) {
    if (!IsNumbered(cpu, "cpu")) continue;
    const std::string path = fmt::format("{}/{}", folder, cpu);
    reader.Add(path + "/online");
    reader.AddEach(path + "/topology", kTopology);
    for (const std::string& index : reader.NamesIn(path + "/cache")) {
      if (IsNumbered(index, "index")) reader.AddEach(path + "/cache/" + index, kCache);
    }
  }
}

void AddNodes(Reader& reader) {
  const std::string folder = "/sys/devices/system/node";
  reader.AddEach(folder,
                 std::initializer_list<const char*>{"online", "possible", "has_cpu", "has_memory"});
  for (const std::string& node : reader.NamesIn(folder)) {
    if (!IsNumbered(node, "node")) continue;
    const std::string path = fmt::format("{}/{}", folder, node);
    reader.AddEach(path, std::initializer_list<const char*>{"cpulist", "distance"});
  }
}

}  // namespace

std::string WithoutPrivateFields(std::string_view cpuinfo) {
  std::string kept;
  std::set<std::string, std::less<>> seen;
  while (!cpuinfo.empty()) {
    const size_t end = std::min(cpuinfo.find('\n'), cpuinfo.size());
    const std::string_view line = cpuinfo.substr(0, end);
    cpuinfo.remove_prefix(std::min(end + 1, cpuinfo.size()));
    const std::string_view field = line.substr(0, line.find(':'));
    const std::string_view name = field.substr(0, field.find_last_not_of(" \t") + 1);
    const bool first = IsIn(kOfFirstCpu, name) && seen.emplace(name).second;
    if (name.empty() ? !kept.empty() && !kept.ends_with("\n\n") : first || IsIn(kOfEachCpu, name)) {
      kept += std::string(line) + "\n";
    }
  }
  return kept;
}

SystemFiles ReadSystemFiles(const std::string& root) {
  Reader reader(root);
  reader.AddCpuinfo();
  reader.AddEach("/proc/sys/kernel",
                 std::initializer_list<const char*>{"perf_event_paranoid", "nmi_watchdog"});
  AddDevices(reader);
  AddCpus(reader);
  AddNodes(reader);
  return reader.Take();
}

}  // namespace roofmark::cli
