// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/own_body.h"

#include <algorithm>

namespace roofmark {
namespace {

// The inner paths' part is none of these figures: numbers of things that all of them share, and
// widths of intervals, which a difference does not make smaller.
bool IsShared(MetricId id) {
  return id == metric::kVisits || id == metric::kTimedVisits || id == metric::kPauses ||
         id == metric::kWorkers || id == metric::kLongestVisitNs ||
         id == metric::kPackageControllers || IsMargin(id);
}

Cell Without(const Cell& all, const Cell& inner) {
  Cell own = all;
  own.status_bits |= inner.status_bits;
  own.SetSum(all.Sum() - std::min(all.Sum(), inner.Sum()));
  own.mean = own.SumAsDouble() / own.ranks;
  own.m2 = 0;
  const auto sum = static_cast<uint64_t>(own.Sum());
  const uint64_t least = sum / own.ranks + (sum % own.ranks > 0 ? 1 : 0);
  own.max = std::clamp(all.max - std::min(all.max, inner.max), least, sum);
  own.min = std::min(all.min - std::min(all.min, inner.min), own.max);
  return own;
}

Cell OwnCell(const JobProfile& job, MetricId id, const NestedPath& nested) {
  const Cell& all = job.At(nested.path, id);
  if (all.ranks == 0 || IsShared(id)) return all;
  Cell inside;
  for (const size_t path : nested.inner) {
    const Cell& cell = job.At(path, id);
    if (cell.ranks == 0) return {};
    inside.SetSum(inside.Sum() + cell.Sum());
    inside.min += cell.min;
    inside.max += cell.max;
    inside.status_bits |= cell.status_bits;
  }
  return Without(all, inside);
}

}  // namespace

std::vector<size_t> PathsAround(const JobProfile& job) {
  std::vector<size_t> around(job.paths.size(), kOutermost);
  for (size_t p = 0; p < job.paths.size(); ++p) {
    std::string_view path = ParentPath(job.paths[p].path);
    for (; !path.empty() && around[p] == kOutermost; path = ParentPath(path)) {
      if (const int found = job.FindPath(path); found >= 0) around[p] = static_cast<size_t>(found);
    }
  }
  return around;
}

JobProfile OwnBodiesOf(const JobProfile& job, std::span<const NestedPath> nested) {
  JobProfile own;
  own.run = job.run;
  own.sources = job.sources;
  own.cells = CellTable(nested.size());
  for (size_t row = 0; row < nested.size(); ++row) {
    const PathInfo& info = job.paths[nested[row].path];
    own.paths.push_back({info.path, info.file, info.line, info.kind, info.operation});
    for (MetricId id = 0; id < kMetrics; ++id)
      own.cells.Set(row, id, OwnCell(job, id, nested[row]));
  }
  return own;
}

}  // namespace roofmark
