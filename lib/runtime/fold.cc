// SPDX-License-Identifier: BSD-3-Clause
#include "lib/runtime/fold.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace roofmark::runtime {
namespace {

using Row = std::array<uint64_t, kMetrics>;

// value * numerator / denominator without overflow, rounded to nearest.
uint64_t ScaleBy(uint64_t value, uint64_t numerator, uint64_t denominator) {
  if (numerator == denominator || denominator == 0) return value;
  return static_cast<uint64_t>((static_cast<Sum128>(value) * numerator + denominator / 2) /
                               denominator);
}

struct Visits {
  uint64_t all = 0, measured = 0;
};

class Folder {
 public:
  Folder(const FoldInput& input, JobProfile& profile)
      : in_(input), profile_(profile), paths_(input.nodes.size()), rows_(paths_, Row{}) {}

  void Run() {
    SumLanes();
    SumWorkers();
    SpreadDoubts();
    Emit();
  }

 private:
  void SumLanes() {
    visits_.resize(paths_);
    for (const auto& lane : in_.lanes) {
      std::vector<LaneRecord> inclusive = lane;
      inclusive.resize(paths_);
      for (size_t p = paths_; p-- > 1;) {
        const LaneRecord& record = inclusive[p];
        visits_[p].all += record.visits;
        visits_[p].measured += record.measured;
        rows_[p][metric::kDeclaredFlops] += record.declared_flops;
        rows_[p][metric::kDeclaredBytes] += record.declared_bytes;
        const uint64_t ns = static_cast<uint64_t>(
            std::llround(static_cast<double>(record.ticks) * in_.ns_per_tick));
        uint64_t& time = rows_[p][metric::kTimeNs];
        time = std::max(time, ScaleBy(ns, record.visits, record.measured));
        // Declared work is inclusive as measured work is.
        LaneRecord& parent = inclusive[in_.nodes[p].parent];
        parent.declared_flops += record.declared_flops;
        parent.declared_bytes += record.declared_bytes;
      }
    }
    for (size_t p = 1; p < paths_; ++p) {
      rows_[p][metric::kVisits] = visits_[p].all;
      rows_[p][metric::kTimedVisits] = visits_[p].measured;
    }
  }

  void SumWorkers() {
    std::vector<std::vector<uint64_t>> flops(paths_), instructions(paths_);
    for (const auto& [worker, exclusive] : in_.workers) {
      std::vector<Row> inclusive(paths_, Row{});
      std::copy_n(exclusive.begin(), std::min(exclusive.size(), paths_), inclusive.begin());
      for (size_t p = paths_; p-- > 1;) {
        Row& row = inclusive[p];
        Row& parent = inclusive[in_.nodes[p].parent];
        AddScaled(p, p < exclusive.size() ? exclusive[p] : Row{}, row);
        for (size_t m = 0; m < kMetrics; ++m) {
          rows_[p][m] += row[m];
          if (in_.nodes[p].parent != 0) parent[m] += row[m];
        }
        const uint64_t worker_flops =
            std::accumulate(row.begin(), row.begin() + metric::kVisits, uint64_t{0});
        flops[p].push_back(worker_flops);
        instructions[p].push_back(row[metric::kInstructions]);
        uint64_t& most_flops = rows_[p][metric::kWorkerFlopsMax];
        most_flops = std::max(most_flops, worker_flops);
        uint64_t& most_bytes = rows_[p][metric::kWorkerBytesMax];
        most_bytes = std::max(most_bytes, row[metric::kLoadBytes] + row[metric::kStoreBytes]);
      }
    }
    for (size_t p = 1; p < paths_; ++p) {
      rows_[p][metric::kWorkers] = CountWorkers(p, flops[p], instructions[p]);
    }
  }

  // `row` holds own + children's with the own part unscaled; replaces it by the scaled one.
  void AddScaled(size_t path, const Row& own, Row& row) const {
    const Visits& visits = visits_[path];
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
      for (uint32_t p = path; p != 0 && p < paths_; p = in_.nodes[p].parent) {
        Doubt(p, id, status);
        if (IsFlops(id)) Doubt(p, metric::kWorkerFlopsMax, status);
      }
    }
  }
  void Doubt(uint32_t path, MetricId id, Status status) {
    Status& known = doubts_[{path, id}];
    known = std::max(known, status);
  }

  uint64_t CountWorkers(size_t path, const std::vector<uint64_t>& flops,
                        const std::vector<uint64_t>& instructions) const {
    const auto busy = [](const std::vector<uint64_t>& work) {
      const uint64_t most = work.empty() ? 0 : *std::max_element(work.begin(), work.end());
      if (most == 0) return uint64_t{0};
      return static_cast<uint64_t>(std::count_if(
          work.begin(), work.end(), [most](uint64_t own) { return own >= most / 100.0; }));
    };
    uint64_t active = busy(flops);
    if (active == 0) active = busy(instructions);
    uint64_t entered = 0;
    for (const auto& lane : in_.lanes) entered += path < lane.size() && lane[path].visits > 0;
    if (in_.workers.empty()) active = entered;
    return std::max<uint64_t>({active, TeamSize(path), 1});
  }

  // Of the innermost team region around a path.
  uint32_t TeamSize(size_t path) const {
    while (path != 0 && in_.nodes[path].kind != RegionKind::kTeam) path = in_.nodes[path].parent;
    return in_.nodes[path].openmp_threads;
  }

  std::string FullPath(size_t path) const {
    std::string text = EscapeRegionName(in_.names[path]);
    for (uint32_t up = in_.nodes[path].parent; up != 0; up = in_.nodes[up].parent) {
      text = EscapeRegionName(in_.names[up]) + "/" + text;
    }
    return text;
  }

  void Emit() {
    std::vector<std::pair<std::string, size_t>> order;
    for (size_t p = 1; p < paths_; ++p) order.emplace_back(FullPath(p), p);
    std::sort(order.begin(), order.end());
    profile_.paths.clear();
    profile_.cells.assign(order.size() * kMetrics, Cell{});
    for (size_t i = 0; i < order.size(); ++i) {
      const size_t p = order[i].second;
      const markers::PathNode& node = in_.nodes[p];
      profile_.paths.push_back({order[i].first, node.file, node.line, node.kind});
      for (MetricId m = 0; m < kMetrics; ++m) EmitCell(i, p, m);
    }
  }

  void EmitCell(size_t index, size_t path, MetricId id) {
    if (!HasValue(profile_.sources[id].status)) return;
    const bool declared = id == metric::kDeclaredFlops || id == metric::kDeclaredBytes;
    if (declared && rows_[path][id] == 0) return;  // nobody declared anything here
    Cell& cell = profile_.At(index, id);
    cell = Cell::Of(rows_[path][id], in_.rank, profile_.sources[id].status);
    const auto doubt = doubts_.find({static_cast<uint32_t>(path), id});
    if (doubt == doubts_.end()) return;
    if (!HasValue(doubt->second)) cell = Cell::Of(0, in_.rank, doubt->second);
    cell.status_bits |= Bit(doubt->second);
  }

  const FoldInput& in_;
  JobProfile& profile_;
  const size_t paths_;
  std::vector<Row> rows_;
  std::vector<Visits> visits_;
  std::map<std::pair<uint32_t, MetricId>, Status> doubts_;
};

}  // namespace

void Fold(const FoldInput& input, JobProfile& profile) { Folder(input, profile).Run(); }

}  // namespace roofmark::runtime
