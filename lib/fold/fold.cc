// SPDX-License-Identifier: BSD-3-Clause
#include "lib/fold/fold.h"

#include <algorithm>

#include "lib/fold/path_sums.h"
#include "lib/fold/whole_program.h"
#include "lib/profile/totals.h"

namespace roofmark {
namespace {

using fold::PathSums;
using fold::ScaleBy;

class CellEmitter {
 public:
  CellEmitter(const FoldInput& input, const PathSums& sums, JobProfile& profile)
      : in_(input), sums_(sums), profile_(profile), paths_(sums.paths()) {}

  void Emit() {
    std::vector<std::pair<std::string, size_t>> order;
    const std::vector<std::string> full = FullPaths(in_.nodes, in_.names);
    for (size_t p = 1; p < paths_; ++p) order.emplace_back(full[p], p);
    std::sort(order.begin(), order.end());
    profile_.paths.clear();
    profile_.cells = CellTable(order.size());
    local_.clear();
    const std::vector<CriticalPlace> critical = CriticalPlaces();
    for (size_t i = 0; i < order.size(); ++i) {
      const size_t p = order[i].second;
      const PathNode& node = in_.nodes[p];
      profile_.paths.push_back({order[i].first, node.file, node.line, node.kind, OperationOf(p)});
      profile_.paths.back().critical = critical[p];
      local_.push_back(static_cast<uint32_t>(p));
      for (MetricId m = 0; m < kMetrics; ++m) EmitCell(i, p, m);
    }
    for (const SharedPart& part : in_.shared) EmitShared(part);
  }

 private:
  std::string OperationOf(size_t path) const {
    const auto name = in_.operations.find(sums_.operation[path]);
    return name == in_.operations.end() ? std::string() : name->second;
  }

  // Children have higher numbers than their parents.
  std::vector<CriticalPlace> CriticalPlaces() const {
    std::vector<CriticalPlace> places(paths_);
    for (size_t p = paths_; p-- > 1;) {
      const auto own = in_.critical.find(static_cast<uint32_t>(p));
      if (own != in_.critical.end() && own->second.cycles > places[p].cycles) {
        places[p] = own->second;
      }
      CriticalPlace& parent = places[in_.nodes[p].parent];
      if (places[p].cycles > parent.cycles) parent = places[p];
    }
    return places;
  }

  void EmitCell(size_t index, size_t path, MetricId id) {
    if (!HasValue(profile_.sources[id].status)) return;
    const bool declared = id == metric::kDeclaredFlops || id == metric::kDeclaredBytes ||
                          id == metric::kDeclaredOperations;
    if (declared && sums_.rows[path][id] == 0) return;  // no declared work in this path
    const bool seldom = id == metric::kPauses || id == metric::kLongestVisitNs;
    if (seldom && sums_.rows[path][id] == 0) return;
    const bool handed_over = in_.inclusive.contains({static_cast<uint32_t>(path), id});
    if (sums_.is_inclusive[id] && !handed_over) return;
    Cell& cell = profile_.At(index, id);
    cell = Cell::Of(sums_.rows[path][id], in_.rank, profile_.sources[id].status);
    const auto doubt = sums_.doubts.find({static_cast<uint32_t>(path), id});
    if (doubt == sums_.doubts.end()) return;
    if (!HasValue(doubt->second)) cell = Cell::Of(0, in_.rank, doubt->second);
    cell.status_bits |= Bit(doubt->second);
  }

  void EmitShared(const SharedPart& part) {
    if (!HasValue(profile_.sources[part.metric].status)) return;
    const size_t row = RowOf(part.path);
    const auto path = static_cast<size_t>(local_[row]);
    const bool scaled = path != 0 && sums_.visits[path].measured != sums_.visits[path].all;
    const auto scale = [&](uint64_t value) {
      return path == 0 ? value
                       : ScaleBy(value, sums_.visits[path].all, sums_.visits[path].measured);
    };
    Cell cell = Cell::Of(0, part.value.min_rank, part.status);
    if (scaled && HasValue(part.status)) cell.status_bits |= Bit(Status::kScaled);
    cell.ranks = part.value.count;
    cell.SetSum(scale(part.value.sum));
    cell.min = scale(part.value.min);
    cell.max = scale(part.value.max);
    cell.max_rank = part.value.max_rank;
    cell.mean = static_cast<double>(cell.Sum()) / cell.ranks;
    const double ratio =
        part.value.sum == 0 ? 1 : cell.SumAsDouble() / static_cast<double>(part.value.sum);
    cell.m2 = std::max(
        0.0, part.value.sum_of_squares * ratio * ratio - cell.mean * cell.mean * cell.ranks);
    Cell& known = profile_.At(row, part.metric);
    known = Combine(known, cell);
  }

  // Of the path with this full name, made if this process was never in it.
  size_t RowOf(const std::string& path) {
    const auto at = std::lower_bound(
        profile_.paths.begin(), profile_.paths.end(), path,
        [](const PathInfo& info, const std::string& name) { return info.path < name; });
    const auto row = at - profile_.paths.begin();
    if (at != profile_.paths.end() && at->path == path) return static_cast<size_t>(row);
    profile_.paths.insert(at, {path, "", 0, RegionKind::kTeam});
    profile_.cells.InsertRow(static_cast<size_t>(row));
    local_.insert(local_.begin() + row, 0);
    return static_cast<size_t>(row);
  }

  const FoldInput& in_;
  const PathSums& sums_;
  JobProfile& profile_;
  const size_t paths_;
  std::vector<uint32_t> local_;  // this process's path by row of the profile; 0: none
};

}  // namespace

void Fold(const FoldInput& input, JobProfile& profile) {
  PathSums sums = fold::SumPaths(input, profile);
  CellEmitter(input, sums, profile).Emit();
  FillTotals(profile);
  if (input.program_ns > 0) fold::EmitWholeProgram(input, sums, profile);
}

}  // namespace roofmark
