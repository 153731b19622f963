// SPDX-License-Identifier: BSD-3-Clause
#include "lib/fold/path_sums.h"

#include <numeric>

#include "lib/fold/thread_sums.h"

namespace roofmark::fold {
namespace {

class PathSummer {
 public:
  PathSummer(const FoldInput& input, const JobProfile& profile, PathSums& sums)
      : in_(input), profile_(profile), sums_(sums), paths_(sums.paths()) {}

  void Sum() {
    SumThreads(in_, sums_);
    SumWorkers();
    TakeInclusive();
    SpreadDoubts();
  }

 private:
  void SumWorkers() {
    // Behind the paths: what lies outside of all of them.
    std::vector<std::vector<uint64_t>> flops(paths_ + 1), instructions(paths_ + 1);
    for (const auto& [worker, exclusive] : in_.workers) {
      std::vector<MetricRow> inclusive(paths_, MetricRow{});
      std::copy_n(exclusive.begin(), std::min(exclusive.size(), paths_), inclusive.begin());
      for (size_t p = paths_; p-- > 1;) {
        MetricRow& row = inclusive[p];
        MetricRow& parent = inclusive[in_.nodes[p].parent];
        AddScaled(p, p < exclusive.size() ? exclusive[p] : MetricRow{}, row);
        for (size_t m = 0; !in_.workers_are_inclusive && m < kMetrics; ++m) parent[m] += row[m];
      }
      inclusive.push_back(exclusive.empty() ? MetricRow{} : exclusive[0]);
      for (size_t p = 0; p <= paths_; ++p) {
        const MetricRow& row = inclusive[p];
        for (size_t m = 0; m < kMetrics; ++m) sums_.rows[p][m] += row[m];
        const uint64_t worker_flops =
            std::accumulate(row.begin(), row.begin() + metric::kVisits, uint64_t{0});
        flops[p].push_back(worker_flops);
        instructions[p].push_back(row[metric::kInstructions]);
        uint64_t& most_flops = sums_.rows[p][metric::kWorkerFlopsMax];
        most_flops = std::max(most_flops, worker_flops);
        uint64_t& most_bytes = sums_.rows[p][metric::kWorkerBytesMax];
        most_bytes = std::max(most_bytes, row[metric::kLoadBytes] + row[metric::kStoreBytes]);
        uint64_t& most_cycles = sums_.rows[p][metric::kWorkerDependenceCyclesMax];
        most_cycles = std::max(most_cycles, row[metric::kDependenceCycles]);
      }
    }
    for (size_t p = 0; p <= paths_; ++p) {
      sums_.rows[p][metric::kWorkers] = CountWorkers(p % paths_, flops[p], instructions[p]);
    }
  }

  void TakeInclusive() {
    for (const auto& [where, value] : in_.inclusive) {
      const auto [path, id] = where;
      if (path >= paths_) continue;
      sums_.is_inclusive[id] = true;
      sums_.rows[path][id] = ScaleBy(value, sums_.visits[path].all, sums_.visits[path].measured);
    }
    for (MetricId id = 0; id < kMetrics; ++id) {
      if (MetricScope(profile_, id) == Scope::kPackage) sums_.is_inclusive[id] = true;
    }
  }

  // `row` holds own + children's with the own part unscaled; replaces it by the scaled one.
  void AddScaled(size_t path, const MetricRow& own, MetricRow& row) const {
    const Visits& visits = sums_.visits[path];
    if (in_.workers_have_every_visit) return;
    if (visits.measured == 0 || visits.measured == visits.all) return;
    for (size_t m = 0; m < kMetrics; ++m) {
      row[m] += ScaleBy(own[m], visits.all, visits.measured) - own[m];
    }
  }

  // Sums are inclusive, so what is wrong in a path is wrong in all around it; and in what is
  // derived from its FLOPs and bytes.
  void SpreadDoubts() {
    for (const auto& [where, status] : in_.doubts) {
      const auto [path, id] = where;
      // That of the path's own visits alone.
      if (id == metric::kTimeMarginNs) {
        Doubt(path, id, status);
        continue;
      }
      for (uint32_t p = path; p != 0 && p < paths_; p = in_.nodes[p].parent) {
        Doubt(p, id, status);
        if (IsFlops(id)) Doubt(p, metric::kWorkerFlopsMax, status);
        if (id == metric::kDependenceCycles) Doubt(p, metric::kWorkerDependenceCyclesMax, status);
      }
    }
  }
  void Doubt(uint32_t path, MetricId id, Status status) {
    Status& known = sums_.doubts[{path, id}];
    known = std::max(known, status);
  }

  uint64_t CountWorkers(size_t path, const std::vector<uint64_t>& flops,
                        const std::vector<uint64_t>& instructions) const {
    const auto busy = [](const std::vector<uint64_t>& work) {
      const uint64_t most = work.empty() ? 0 : *std::max_element(work.begin(), work.end());
      if (most == 0) return uint64_t{0};
      return static_cast<uint64_t>(std::count_if(work.begin(), work.end(), [most](uint64_t own) {
        return static_cast<double>(own) >= static_cast<double>(most) / 100;
      }));
    };
    uint64_t active = busy(flops);
    if (active == 0) active = busy(instructions);
    uint64_t entered = 0;
    for (const auto& thread : in_.threads)
      entered += path < thread.size() && thread[path].visits > 0;
    if (in_.workers.empty()) active = entered;
    return std::max<uint64_t>({active, TeamSize(path), 1});
  }

  // Of the innermost team region around a path.
  uint32_t TeamSize(size_t path) const {
    while (path != 0 && in_.nodes[path].kind != RegionKind::kTeam) path = in_.nodes[path].parent;
    return in_.nodes[path].openmp_threads;
  }

  const FoldInput& in_;
  const JobProfile& profile_;
  PathSums& sums_;
  const size_t paths_;
};

}  // namespace

PathSums SumPaths(const FoldInput& input, const JobProfile& profile) {
  PathSums sums(input.nodes.size());
  PathSummer(input, profile, sums).Sum();
  return sums;
}

}  // namespace roofmark::fold
