// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/profile.h"

#include <algorithm>

#include "lib/core/cpu_list.h"

namespace roofmark {
namespace {

// Index of the separator before the last region, or npos for a root.
size_t LastSeparator(std::string_view path) {
  for (size_t i = path.size(); i-- > 0;) {
    if (path[i] != '/') continue;
    size_t backslashes = 0;
    while (backslashes < i && path[i - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return i;
  }
  return std::string_view::npos;
}

template <typename Item, typename Key>
void Unite(std::vector<Item>& into, const std::vector<Item>& other, Key key) {
  for (const Item& item : other) {
    const bool known = std::any_of(into.begin(), into.end(),
                                   [&](const Item& mine) { return key(mine) == key(item); });
    if (!known) into.push_back(item);
  }
}

void MergeHosts(std::vector<HostInfo>& into, const std::vector<HostInfo>& other) {
  for (const HostInfo& host : other) {
    auto it = std::find_if(into.begin(), into.end(),
                           [&](const HostInfo& mine) { return mine.name == host.name; });
    if (it == into.end()) {
      into.push_back(host);
    } else {
      it->ranks += host.ranks;
      it->cpuset = UniteCpuLists(it->cpuset, host.cpuset);
      it->cpus = std::max({CountCpus(it->cpuset), it->cpus, host.cpus});
    }
  }
  std::sort(into.begin(), into.end(),
            [](const HostInfo& a, const HostInfo& b) { return a.name < b.name; });
}

void MergeRun(RunInfo& into, const RunInfo& other) {
  into.ranks = std::max(into.ranks, other.ranks);
  into.ranks_merged += other.ranks_merged;
  if (other.first_rank < into.first_rank) {
    into.first_rank = other.first_rank;
    for (size_t i = 0; i < std::min(into.passes.size(), other.passes.size()); ++i) {
      const double wall_s = std::max(into.passes[i].wall_s, other.passes[i].wall_s);
      into.passes[i] = other.passes[i];
      into.passes[i].wall_s = wall_s;
    }
  }
  for (size_t i = 0; i < std::min(into.passes.size(), other.passes.size()); ++i) {
    into.passes[i].wall_s = std::max(into.passes[i].wall_s, other.passes[i].wall_s);
  }
  if (into.mpi.empty()) into.mpi = other.mpi;
  into.threads_max = std::max(into.threads_max, other.threads_max);
  MergeHosts(into.hosts, other.hosts);
  Unite(into.warnings, other.warnings, [](const std::string& text) { return text; });
}

}  // namespace

int JobProfile::FindPath(std::string_view path) const {
  auto it = std::lower_bound(paths.begin(), paths.end(), path,
                             [](const PathInfo& a, std::string_view b) { return a.path < b; });
  return it != paths.end() && it->path == path ? static_cast<int>(it - paths.begin()) : -1;
}

std::string EscapeRegionName(std::string_view name) {
  std::string escaped;
  for (char c : name) {
    if (c == '/' || c == '\\') escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

std::string_view ParentPath(std::string_view path) {
  const size_t separator = LastSeparator(path);
  return separator == std::string_view::npos ? std::string_view() : path.substr(0, separator);
}

std::string LeafName(std::string_view path) {
  const size_t separator = LastSeparator(path);
  if (separator != std::string_view::npos) path.remove_prefix(separator + 1);
  std::string name;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '\\' && i + 1 < path.size()) ++i;
    name.push_back(path[i]);
  }
  return name;
}

size_t PathDepth(std::string_view path) {
  size_t depth = 0;
  for (path = ParentPath(path); !path.empty(); path = ParentPath(path)) ++depth;
  return depth;
}

void MergeProfiles(JobProfile& into, const JobProfile& other) {
  JobProfile merged;
  merged.run = std::move(into.run);
  MergeRun(merged.run, other.run);
  merged.sources = into.sources;
  for (size_t m = 0; m < kMetrics; ++m) {
    if (!HasValue(merged.sources[m].status) && HasValue(other.sources[m].status)) {
      merged.sources[m] = other.sources[m];
    }
  }
  merged.paths = into.paths;
  Unite(merged.paths, other.paths,
        [](const PathInfo& info) -> std::string_view { return info.path; });
  std::sort(merged.paths.begin(), merged.paths.end(),
            [](const PathInfo& a, const PathInfo& b) { return a.path < b.path; });
  merged.cells.resize(merged.paths.size() * kMetrics);
  for (const JobProfile* part : {static_cast<const JobProfile*>(&into), &other}) {
    for (size_t p = 0; p < part->paths.size(); ++p) {
      const size_t row = static_cast<size_t>(merged.FindPath(part->paths[p].path));
      for (MetricId m = 0; m < kMetrics; ++m) {
        merged.At(row, m) = Combine(merged.At(row, m), part->At(p, m));
      }
    }
  }
  into = std::move(merged);
}

}  // namespace roofmark
