// SPDX-License-Identifier: BSD-3-Clause
//
// Profiles of ranks without any pattern, their merge rank by rank, and what differs between two
// merged profiles: for the reduction over threads and over MPI.
#ifndef ROOFMARK_TESTS_MPI_RANDOM_JOB_H_
#define ROOFMARK_TESTS_MPI_RANDOM_JOB_H_

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "lib/profile/profile.h"
#include "lib/profile/whole.h"

namespace roofmark::random_job {

using Random = std::mt19937_64;

inline uint64_t Below(Random& random, uint64_t n) { return random() % n; }

// One rank's profile with the given paths; every path has `metrics` of the metrics.
inline JobProfile Part(uint32_t rank, uint32_t ranks, const std::set<std::string>& paths,
                       size_t metrics, Random& random) {
  JobProfile part;
  part.run.roofmark_version = "1.2.3";
  part.run.ranks = ranks;
  part.run.first_rank = rank;
  part.run.threads_max = static_cast<uint32_t>(1 + Below(random, 8));
  part.run.mpi = "Some MPI";
  part.run.hosts = {{"node" + std::to_string(rank / 4), 1, std::to_string(rank), 1,
                     "CPU of " + std::to_string(rank / 8),
                     rank % 4 == 1 ? "kind " + std::to_string(rank / 8) : ""}};
  part.run.hosts[0].rank_cpus = OverHost::Of(1 + Below(random, 8));
  part.run.hosts[0].cores = std::to_string(Below(random, 8));
  part.run.hosts[0].machine_cpus = 8 + static_cast<uint32_t>(Below(random, 8));
  if (rank % 3 != 0) part.run.hosts[0].bound_by = rank % 3 == 1 ? kBoundByCgroup : kBoundByMask;
  if (rank % 2 == 0) part.run.hosts[0].quota_mcpus = OverHost::Of(1 + Below(random, 8000));
  part.run.kernel.cpu_ns = Cell::Of(Below(random, 1000), rank, Status::kMeasured);
  if (rank % 3 != 0) part.run.hosts[0].clock_khz = OverHost::Of(random() >> 1);
  PassInfo pass;
  pass.collector = "timer";
  pass.command = {"app", "of", std::to_string(rank)};
  pass.wall_s = static_cast<double>(Below(random, 1000)) / 8;
  part.run.passes = {pass};
  part.run.warnings = {"all say this", "rank " + std::to_string(rank % 3) + " says this"};
  for (const std::string& path : paths) {
    part.paths.push_back({path, "file" + std::to_string(rank) + ".c", rank + 10,
                          rank % 2 ? RegionKind::kThread : RegionKind::kTeam});
    part.paths.back().critical = {"file" + std::to_string(rank) + ".h", rank, 1 + rank, 2 + rank};
    if ((rank + path.size()) % 3 == 0) part.paths.back().operation = "updates of " + path;
  }
  part.cells = CellTable(paths.size());
  for (size_t path = 0; path < paths.size(); ++path) {
    for (size_t m = 0; m < metrics; ++m) {
      // Every fourth metric of 64 bits, so that sums need their upper word.
      const uint64_t value = m % 4 == 3 ? random() : random() >> 20;
      part.At(path, static_cast<MetricId>(m * 4)) = Cell::Of(value, rank, Status::kMeasured);
    }
  }
  for (size_t m = 0; m < metrics; ++m) part.sources[m * 4] = {"timer", Status::kMeasured, ""};
  if (rank % 3 != 2) {  // two ranks share a device, some have none
    DeviceInfo device;
    device.host = part.run.hosts[0].name;
    device.uuid = "GPU-" + std::to_string(rank / 2);
    for (size_t m = 0; m < kDeviceMetrics; ++m) {
      device.sources[m] = {static_cast<uint32_t>(m % 2),
                           m % 2 == 0 ? "rank " + std::to_string(rank % 5) : ""};
    }
    for (const std::string& path : paths) {
      device.rows.push_back({path, 1 + Below(random, 9), rank % 5 == 0 ? uint64_t{1} : 0, {}});
      for (uint64_t& value : device.rows.back().values) value = random() >> Below(random, 60);
    }
    device.properties.multiprocessors = 1 + static_cast<uint32_t>(rank % 3);
    part.run.devices = {device};
  }
  part.run.cost.startup_ns = Cell::Of(Below(random, 1000), rank, Status::kMeasured);
  part.run.kernel.page_faults = Cell::Of(Below(random, 1000), rank, Status::kMeasured);
  part.run.kernel.clock_khz = Cell::Of(Below(random, 1000), rank, Status::kMeasured);
  part.run.kernel.resident_bytes = Cell::Of(Below(random, 1000), rank, Status::kMeasured);
  part.run.kernel.run_queue_ns = Cell::Of(Below(random, 1000), rank, Status::kMeasured);
  part.sources[metric::kTimeNs] = {"timer", Status::kMeasured, ""};
  // Time and FLOPs among them, which are drawn as distributions.
  for (size_t path = 0; path < paths.size(); ++path) {
    part.At(path, metric::kTimeNs) =
        Cell::Of(random() >> Below(random, 60), rank, Status::kMeasured);
    part.At(path, metric::kFlops) = Cell::Of(random() >> 20, rank, Status::kMeasured);
  }
  part.sources[metric::kFlops] = {"counting", Status::kMeasured, ""};
  FillSpreads(part);
  part.whole = CellTable(kWholeRows);
  for (size_t i = 0; i < kWholeRows * kMetrics; i += 7) {
    part.whole.At(i / kMetrics, i % kMetrics) = Cell::Of(random() >> 20, rank, Status::kMeasured);
  }
  return part;
}

// A tree of regions: each new path hangs below a random earlier one, or is a root.
inline std::set<std::string> RandomTree(Random& random, size_t regions) {
  std::vector<std::string> paths;
  for (size_t i = 0; i < regions; ++i) {
    std::string path = "r" + std::to_string(Below(random, 40));
    if (!paths.empty() && Below(random, 4)) path = paths[Below(random, paths.size())] + "/" + path;
    paths.push_back(path);
  }
  return {paths.begin(), paths.end()};
}

// The reference: rank after rank.
inline JobProfile Serial(const std::vector<JobProfile>& parts) {
  JobProfile merged = parts[0];
  for (size_t rank = 1; rank < parts.size(); ++rank) MergeProfiles(merged, parts[rank]);
  PruneRankHosts(merged);
  return merged;
}

// Everything but m2, which is a sum of rounded numbers, must be equal to the bit.
inline bool Same(const Cell& a, const Cell& b) {
  return a.ranks == b.ranks && a.status_bits == b.status_bits && a.min == b.min && a.max == b.max &&
         a.min_rank == b.min_rank && a.max_rank == b.max_rank && a.Sum() == b.Sum() &&
         a.mean == b.mean && std::abs(a.m2 - b.m2) <= 1e-9 * b.m2;
}

inline bool Same(const std::array<Ranked, kOutliers>& a, const std::array<Ranked, kOutliers>& b,
                 uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (a[i].value != b[i].value || a[i].rank != b[i].rank) return false;
  }
  return true;
}

inline bool Same(const Spread& a, const Spread& b) {
  return a.ranks == b.ranks && a.status_bits == b.status_bits && a.sketch == b.sketch &&
         Same(a.lowest, b.lowest, a.Named()) && Same(a.highest, b.highest, a.Named());
}

inline std::string RunDifference(const RunInfo& a, const RunInfo& b) {
  if (a.ranks != b.ranks || a.ranks_merged != b.ranks_merged) return "numbers of ranks";
  if (a.first_rank != b.first_rank || a.threads_max != b.threads_max || a.mpi != b.mpi) {
    return "first rank, threads or MPI";
  }
  if (a.warnings != b.warnings) return "warnings";
  if (!Same(a.cost.startup_ns, b.cost.startup_ns)) return "cost of start-up";
  if (a.devices != b.devices) return "devices";
  if (!Same(a.kernel.page_faults, b.kernel.page_faults)) return "page faults";
  if (!Same(a.kernel.clock_khz, b.kernel.clock_khz)) return "clock";
  if (!Same(a.kernel.resident_bytes, b.kernel.resident_bytes)) return "memory";
  if (!Same(a.kernel.cpu_ns, b.kernel.cpu_ns)) return "CPU time";
  if (!Same(a.kernel.run_queue_ns, b.kernel.run_queue_ns)) return "run queue";
  if (a.hosts.size() != b.hosts.size() || a.passes.size() != b.passes.size())
    return "hosts, passes";
  for (size_t i = 0; i < a.hosts.size(); ++i) {
    const HostInfo &x = a.hosts[i], &y = b.hosts[i];
    if (x.name != y.name || x.ranks != y.ranks || x.cpuset != y.cpuset || x.cpus != y.cpus ||
        x.cpu != y.cpu || x.kind != y.kind || x.cores != y.cores ||
        x.machine_cpus != y.machine_cpus || x.bound_by != y.bound_by) {
      return "host " + y.name;
    }
    const auto got = FiguresOf(x), want = FiguresOf(y);
    for (size_t f = 0; f < got.size(); ++f) {
      if (*got[f] != *want[f]) return "figures of host " + y.name;
    }
  }
  for (size_t i = 0; i < a.passes.size(); ++i) {
    if (a.passes[i].wall_s != b.passes[i].wall_s) return "wall time";
    if (a.passes[i].command != b.passes[i].command) return "command";
  }
  return "";
}

// What is not as it should be, the first thing; empty if nothing.
inline std::string Difference(const JobProfile& got, const JobProfile& want) {
  const std::string run = RunDifference(got.run, want.run);
  if (!run.empty()) return run;
  for (MetricId m = 0; m < kMetrics; ++m) {
    const MetricSource &a = got.sources[m], &b = want.sources[m];
    if (a.origin != b.origin || a.status != b.status) return "source of " + GetMetric(m).name;
  }
  if (got.paths.size() != want.paths.size() || got.cells.rows() != want.cells.rows() ||
      got.spreads.size() != want.spreads.size()) {
    return fmt::format("{} paths in place of {}", got.paths.size(), want.paths.size());
  }
  for (size_t p = 0; p < got.paths.size(); ++p) {
    const PathInfo &a = got.paths[p], &b = want.paths[p];
    if (a.path != b.path || a.file != b.file || a.line != b.line || a.kind != b.kind ||
        a.operation != b.operation || a.critical.file != b.critical.file ||
        a.critical.line != b.critical.line || a.critical.cycles != b.critical.cycles ||
        a.critical.of_cycles != b.critical.of_cycles) {
      return "path " + b.path;
    }
    for (MetricId m = 0; m < kMetrics; ++m) {
      if (!Same(got.At(p, m), want.At(p, m))) return b.path + ": " + GetMetric(m).name;
    }
    for (size_t m = 0; m < kSpreads; ++m) {
      const auto drawn = static_cast<Drawn>(m);
      if (!Same(got.SpreadAt(p, drawn), want.SpreadAt(p, drawn))) {
        return b.path + ": spread of " + std::string(InfoOf(drawn).name);
      }
    }
  }
  if (got.whole.rows() != want.whole.rows()) return "the program as a whole";
  for (size_t row = 0; row < want.whole.rows(); ++row) {
    for (MetricId m = 0; m < kMetrics; ++m) {
      if (!Same(got.whole.At(row, m), want.whole.At(row, m))) {
        return "the program: " + GetMetric(m).name;
      }
    }
  }
  return got.rank_hosts == want.rank_hosts ? "" : "hosts of ranks";
}

}  // namespace roofmark::random_job

#endif  // ROOFMARK_TESTS_MPI_RANDOM_JOB_H_
