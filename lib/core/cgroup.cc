// SPDX-License-Identifier: BSD-3-Clause
//
// cgroups(7), "/proc files"; proc_pid_mountinfo(5). A mount shows the hierarchy from some group on:
// in a container that is often the container's own, and groups above it are not visible.
#include "lib/core/cgroup.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "lib/core/file.h"

namespace roofmark {
namespace {

// Separated by one character; empty ones, too.
std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool Has(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string Text(const std::string& path) {
  Result<std::string> text = ReadFile(path);
  return text ? std::move(*text) : "";
}

// A hierarchy as this process sees it.
struct Hierarchy {
  std::string folder;  // where it is mounted
  std::string shown;   // the group that stands at that folder: "/" or "/docker/4ab2"
};

// What the process is in.
class Groups {
 public:
  explicit Groups(const std::string& root)
      : root_(root),
        mounts_(Split(Text(root + "/proc/self/mountinfo"), '\n')),
        own_(Split(Text(root + "/proc/self/cgroup"), '\n')) {}

  // The folders of the process's group and of all above it, the group's own first. A group that
  // the mount does not show is taken for the one that it begins with. `controller` of version 1;
  // empty: the hierarchy of version 2.
  std::vector<std::string> Folders(std::string_view controller) const {
    const std::optional<Hierarchy> hierarchy = FindHierarchy(controller);
    if (!hierarchy) return {};
    std::string group = OwnGroup(controller);
    if (hierarchy->shown != "/") {
      const bool below = group == hierarchy->shown || group.starts_with(hierarchy->shown + "/");
      group = below ? group.substr(hierarchy->shown.size()) : "";
    }
    // "/..": outside of the process's namespace.
    if (group == "/" || group.starts_with("/..")) group.clear();
    std::vector<std::string> folders;
    for (;;) {
      folders.push_back(hierarchy->folder + group);
      if (group.empty()) return folders;
      group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
  }

 private:
  std::optional<Hierarchy> FindHierarchy(std::string_view controller) const {
    for (const std::string& line : mounts_) {
      // 30 23 0:26 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct
      const size_t middle = line.find(" - ");
      if (middle == std::string::npos) continue;
      const std::vector<std::string> mount = Split(line.substr(0, middle), ' ');
      const std::vector<std::string> what = Split(line.substr(middle + 3), ' ');
      if (mount.size() < 5 || what.size() < 3) continue;
      const bool fits = controller.empty()
                            ? what[0] == "cgroup2"
                            : what[0] == "cgroup" && Has(Split(what[2], ','), controller);
      if (fits) return Hierarchy{root_ + mount[4], mount[3]};
    }
    return std::nullopt;
  }

  // "0::/user.slice/a" of version 2, "4:cpu,cpuacct:/job/step" of version 1.
  std::string OwnGroup(std::string_view controller) const {
    for (const std::string& line : own_) {
      const size_t first = line.find(':');
      const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
      if (second == std::string::npos) continue;
      const std::string controllers = line.substr(first + 1, second - first - 1);
      const bool fits =
          controller.empty() ? controllers.empty() : Has(Split(controllers, ','), controller);
      if (fits) return line.substr(second + 1);
    }
    return "/";
  }

  const std::string root_;
  const std::vector<std::string> mounts_, own_;  // lines
};

// "max", "-1" and what is no number are none.
std::optional<uint64_t> LimitIn(std::string_view text) {
  uint64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  return end.ec == std::errc{} ? std::optional(number) : std::nullopt;
}

template <class Value>
void Tighten(const std::optional<Value>& by, std::optional<Value>& limit) {
  if (by) limit = limit ? std::min(*limit, *by) : *by;
}

std::optional<double> Quota(std::string_view quota, std::string_view period) {
  const std::optional<uint64_t> of = LimitIn(quota), in = LimitIn(period);
  if (!of || !in || *in == 0) return std::nullopt;
  return static_cast<double>(*of) / static_cast<double>(*in);
}

}  // namespace

std::optional<uint64_t> MemoryLimit(const std::string& root) {
  const Groups groups(root);
  std::optional<uint64_t> limit;
  for (const std::string& folder : groups.Folders("")) {
    Tighten(LimitIn(Text(folder + "/memory.max")), limit);
  }
  for (const std::string& folder : groups.Folders("memory")) {
    Tighten(LimitIn(Text(folder + "/memory.limit_in_bytes")), limit);
  }
  return limit;
}

std::optional<double> CpuQuota(const std::string& root) {
  const Groups groups(root);
  std::optional<double> limit;
  for (const std::string& folder : groups.Folders("")) {
    const std::string both = Text(folder + "/cpu.max");  // "50000 100000" or "max 100000"
    const size_t blank = both.find(' ');
    if (blank != std::string::npos) {
      Tighten(Quota(both.substr(0, blank), std::string_view(both).substr(blank + 1)), limit);
    }
  }
  for (const std::string& folder : groups.Folders("cpu")) {
    Tighten(Quota(Text(folder + "/cpu.cfs_quota_us"), Text(folder + "/cpu.cfs_period_us")), limit);
  }
  return limit;
}

std::string GroupCpuList(const std::string& root) {
  const Groups groups(root);
  for (const auto& [controller, file] :
       {std::pair{"", "cpuset.cpus.effective"}, {"cpuset", "cpuset.effective_cpus"}}) {
    for (const std::string& folder : groups.Folders(controller)) {
      std::string list = Text(folder + "/" + file);
      if (!list.empty()) return list.substr(0, list.find('\n'));
    }
  }
  return "";
}

}  // namespace roofmark
