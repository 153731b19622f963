// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/worker_sums.h"

#include <algorithm>
#include <utility>

#include "lib/core/limits.h"
#include "lib/profile/path_node.h"

namespace roofmark::runtime {
namespace {

// Numbers of paths that no marker opened begin here: markers may go on to open paths.
constexpr uint32_t kFound = 1 << 30;

uint32_t Id(size_t row) { return static_cast<uint32_t>(row); }

}  // namespace

uint32_t WorkerSums::NumberOf(uint32_t row) const { return row < known_ ? row : kFound + row; }

std::optional<size_t> WorkerSums::RowOf(uint32_t path) const {
  if (path >= kFound) return path - kFound;
  if (path < known_) return path;
  return std::nullopt;
}

uint32_t WorkerSums::DefinePath(uint32_t parent, const FoundRegion& region) {
  const std::optional<size_t> row = RowOf(parent);
  if (!row || input_.nodes.size() >= limits::kPaths) return parent;
  PathNode node;
  node.parent = Id(*row);
  node.kind = RegionKind::kFound;
  node.file = region.file;
  node.line = region.line;
  input_.nodes.push_back(std::move(node));
  input_.names.emplace_back(region.name);
  return kFound + Id(input_.nodes.size() - 1);
}

std::string WorkerSums::FullName(uint32_t path) const {
  const std::optional<size_t> row = RowOf(path);
  if (!row || *row == 0) return "";
  const uint32_t parent = input_.nodes[*row].parent;
  return FullPath(parent, FullName(NumberOf(parent)), input_.names[*row]);
}

VisitCounts WorkerSums::VisitsOf(uint32_t path) const {
  VisitCounts visits;
  const markers::PathTurns of = turns_.Of(path);
  visits.counted = of.counted;
  uint64_t timed = 0, ticks = 0;
  for (const auto& thread : input_.threads) {
    if (path >= thread.size()) continue;
    visits.all += thread[path].visits;
    timed += thread[path].measured;
    ticks += thread[path].ticks;
  }
  visits.others_untimed = timed > 0 && TimedAfterFirst(of).visits == 0;
  const std::optional<uint64_t> first = FirstTicks(of, timed, ticks);
  if (first && (*first / 2 > of.most_ticks || *first < of.least_ticks / 2)) {
    visits.unlike_first = static_cast<double>(*first) / TimedAfterFirst(of).Mean();
  }
  return visits;
}

void WorkerSums::AddVisits(uint32_t worker, uint32_t path, uint64_t visits) {
  if (const auto row = RowOf(path)) input_.found_visits[Id(*row)][worker] += visits;
}

void WorkerSums::Add(uint32_t worker, uint32_t path, MetricId id, uint64_t value) {
  const std::optional<size_t> row = RowOf(path);
  if (!row) return;
  auto& rows = input_.workers[worker];
  if (*row >= rows.size()) rows.resize(input_.nodes.size());
  rows[*row][id] += value;
}

void WorkerSums::AddInclusive(uint32_t path, MetricId id, uint64_t value) {
  if (const auto row = RowOf(path)) input_.inclusive[{Id(*row), id}] += value;
}

void WorkerSums::AddShared(std::string_view path, MetricId id, const Distribution& value,
                           Status status) {
  input_.shared.push_back({std::string(path), id, value, status});
}

void WorkerSums::Doubt(uint32_t path, MetricId id, Status status) {
  const std::optional<size_t> row = RowOf(path);
  if (!row) return;
  Status& known = input_.doubts[{Id(*row), id}];
  known = std::max(known, status);
}

void WorkerSums::Critical(uint32_t path, const CriticalPlace& place) {
  if (const auto row = RowOf(path)) input_.critical[Id(*row)] = place;
}

}  // namespace roofmark::runtime
