// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/scale_cells.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace roofmark {
namespace {

// The largest of several threads or controllers, and the sum that it is a part of: it is scaled as
// that is.
constexpr std::pair<MetricId, MetricId> kMaxima[] = {
    {metric::kWorkerFlopsMax, metric::kFlops},
    {metric::kWorkerBytesMax, metric::kLoadBytes},
    {metric::kWorkerDependenceCyclesMax, metric::kDependenceCycles},
    {metric::kPackageControllerBytesMax, metric::kPackageDramReadBytes},
};

uint64_t Times(uint64_t value, double factor) {
  return static_cast<uint64_t>(std::llround(static_cast<double>(value) * factor));
}

void Scale(Spread& spread, double factor) {
  if (!spread.NamesAll()) {
    spread = {};
    return;
  }
  for (uint32_t i = 0; i < spread.Named(); ++i) {
    spread.lowest[i].value = Times(spread.lowest[i].value, factor);
    spread.highest[i].value = Times(spread.highest[i].value, factor);
  }
  spread.status_bits |= Bit(Status::kScaled);
}

}  // namespace

bool IsMaximum(MetricId id) {
  return std::any_of(std::begin(kMaxima), std::end(kMaxima),
                     [id](const auto& maximum) { return maximum.first == id; });
}

bool IsNumberOfUnits(MetricId id) {
  return id == metric::kWorkers || id == metric::kPackageControllers;
}

void Scale(Cell& cell, double factor) {
  if (cell.ranks == 0 || !HasValue(Worst(cell.status_bits))) return;
  cell.min = Times(cell.min, factor);
  cell.max = Times(cell.max, factor);
  cell.SetSum(static_cast<Sum128>(std::round(cell.SumAsDouble() * factor)));
  cell.mean *= factor;
  cell.m2 *= factor * factor;
  cell.status_bits |= Bit(Status::kScaled);
}

void ScaleCells(CellRow cells, MetricId id, double factor) {
  Scale(cells[id], factor);
  for (const auto& [maximum, sum] : kMaxima) {
    if (sum == id) Scale(cells[maximum], factor);
  }
}

void ScaleRow(JobProfile& job, size_t path, MetricId id, double factor) {
  ScaleCells({job.cells, path}, id, factor);
  if (job.spreads.empty()) return;
  for (const auto& [measure, drawn] : {std::pair(Drawn::kFlops, metric::kFlops),
                                       std::pair(Drawn::kDramBytes, metric::kDramBytes)}) {
    if (id == drawn) Scale(job.spreads[path * kSpreads + static_cast<size_t>(measure)], factor);
  }
}

}  // namespace roofmark
