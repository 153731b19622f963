// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/overhead/mpi/synthetic.h"

#include <fmt/format.h>

namespace roofmark::mpi {
namespace {

using Wide = long double;

Cell Merged(uint64_t ranks, Sum128 sum, uint64_t min, uint64_t min_rank, uint64_t max,
            uint64_t max_rank, Wide m2) {
  Cell cell;
  cell.ranks = static_cast<uint32_t>(ranks);
  cell.status_bits = Bit(Status::kMeasured);
  cell.SetSum(sum);
  cell.min = min;
  cell.max = max;
  cell.min_rank = static_cast<uint32_t>(min_rank);
  cell.max_rank = static_cast<uint32_t>(max_rank);
  cell.mean = static_cast<double>(sum) / static_cast<double>(ranks);
  cell.m2 = static_cast<double>(m2);
  return cell;
}

constexpr uint64_t kBase = 1'000'000'000, kTeeth = 16;

Wide RampM2(uint64_t n) {
  const Wide p = static_cast<Wide>(n);
  return p * (p * p - 1) / 12;
}
Sum128 RampSum(uint64_t n) { return static_cast<Sum128>(n) * (n - 1) / 2; }

uint64_t Ramp(uint64_t r, uint64_t) { return kBase + r; }
Cell RampMerged(uint64_t n) {
  return Merged(n, static_cast<Sum128>(n) * kBase + RampSum(n), kBase, 0, kBase + n - 1, n - 1,
                RampM2(n));
}

uint64_t Constant(uint64_t, uint64_t) { return 7; }
Cell ConstantMerged(uint64_t n) { return Merged(n, Sum128{7} * n, 7, 0, 7, 0, 0); }

uint64_t Down(uint64_t r, uint64_t) { return UINT64_MAX - r; }
Cell DownMerged(uint64_t n) {
  return Merged(n, static_cast<Sum128>(n) * UINT64_MAX - RampSum(n), UINT64_MAX - (n - 1), n - 1,
                UINT64_MAX, 0, RampM2(n));
}

// x^2 with x from -h to h - 1, h = n/2: sums of squares and of fourth powers after Faulhaber.
uint64_t Parabola(uint64_t r, uint64_t n) {
  const uint64_t half = n / 2, x = r < half ? half - r : r - half;
  return x * x;
}
Cell ParabolaMerged(uint64_t n) {
  const Sum128 h = n / 2;
  const Sum128 squares = h * (h + 1) * (2 * h + 1) / 3 - h * h;  // both sides, but h only once
  const Wide k = static_cast<Wide>(h);
  const Wide fourths = k * (k + 1) * (2 * k + 1) * (3 * k * k + 3 * k - 1) / 15 - k * k * k * k;
  const Wide sum = static_cast<Wide>(squares);
  return Merged(n, squares, 0, n / 2, (n / 2) * (n / 2), 0,
                fourths - sum * sum / static_cast<Wide>(n));
}

uint64_t Saw(uint64_t r, uint64_t) { return r % kTeeth; }
Cell SawMerged(uint64_t n) {
  const uint64_t teeth = n / kTeeth;
  return Merged(n, Sum128{teeth} * (kTeeth * (kTeeth - 1) / 2), 0, 0, kTeeth - 1, kTeeth - 1,
                static_cast<Wide>(n) * (kTeeth * kTeeth - 1) / 12);
}

uint64_t Spike(uint64_t r, uint64_t n) { return r + 1 == n ? n : 0; }
Cell SpikeMerged(uint64_t n) {
  const Wide p = static_cast<Wide>(n);
  return Merged(n, n, 0, 0, n, n - 1, p * p - p);
}

}  // namespace

const std::vector<Column>& Columns() {
  static const auto& columns = *new std::vector<Column>{
      {metric::kTimeNs, &Ramp, &RampMerged},
      {metric::kVisits, &Constant, &ConstantMerged},
      {metric::kInstructions, &Down, &DownMerged},
      {metric::kLoadBytes, &Parabola, &ParabolaMerged},
      {metric::kStoreBytes, &Saw, &SawMerged},
      {metric::kBranchInstructions, &Spike, &SpikeMerged},
  };
  return columns;
}

const std::vector<MetricId>& SyntheticJob::OfRegions() {
  static const auto& metrics = *[] {
    auto* all = new std::vector<MetricId>;
    for (MetricId m = 0; m < kMoreMetrics; ++m) all->push_back(m);
    for (MetricId m = metric::kFirstTotal; m <= metric::kLastTotal; ++m) all->push_back(m);
    return all;
  }();
  return metrics;
}

SyntheticJob::SyntheticJob(uint32_t ranks, uint32_t ranks_per_node, uint32_t regions)
    : ranks_(ranks), ranks_per_node_(ranks_per_node), regions_(regions) {
  prototypes_.push_back(Prototype(false, false, false, false));
  prototypes_.push_back(Prototype(true, false, false, false));
  prototypes_.push_back(Prototype(true, true, false, false));
  prototypes_.push_back(Prototype(AloneRank() % 3 == 1, AloneRank() % 3 == 1, true, false));
  prototypes_.push_back(Prototype(false, false, false, true));
}

JobProfile SyntheticJob::Prototype(bool third, bool operation, bool alone, bool root) const {
  JobProfile part;
  part.run.ranks = ranks_;
  part.run.hosts.resize(1);
  part.run.passes.resize(1);
  part.run.warnings = {"all ranks say this"};
  const auto add = [&part](const std::string& path) { part.paths.push_back({path, "app.c", 1}); };
  add("all");
  if (third) add("all/third");
  if (operation) part.paths.back().operation = "updates";
  if (alone) add("alone");
  for (uint32_t i = 0; i < regions_; ++i) add(fmt::format("region {:06}", i));
  if (root) add("root");
  part.cells = CellTable(part.paths.size());
  for (const Column& column : Columns()) {
    part.sources[column.metric] = {"timer", Status::kMeasured, ""};
  }
  for (const MetricId m : OfRegions()) part.sources[m] = {"counting", Status::kMeasured, ""};
  return part;
}

std::string SyntheticJob::HostOf(uint32_t rank) const {
  return fmt::format("node{:07}", rank / ranks_per_node_);
}

const JobProfile& SyntheticJob::Part(uint32_t rank) {
  const bool third = rank % 3 == 1;
  JobProfile& part = prototypes_[rank == 0             ? 4
                                 : rank == AloneRank() ? 3
                                 : !third              ? 0
                                 : rank < ranks_ / 2   ? 1
                                                       : 2];
  part.run.first_rank = rank;
  part.run.threads_max = 1 + rank % 8;
  part.run.passes[0].wall_s = 1 + rank;
  const uint32_t cpu = rank % ranks_per_node_;
  part.run.hosts[0] = {HostOf(rank), 1, fmt::format("{}", cpu), 1};
  for (size_t path = 0; path < part.paths.size(); ++path) {
    const bool everywhere = path == 0 || part.paths[path].path.rfind("region ", 0) == 0;
    for (const Column& column : Columns()) {
      if (!everywhere && column.metric != metric::kTimeNs) continue;
      part.At(path, column.metric) = Cell::Of(column.value(rank, ranks_), rank, Status::kMeasured);
    }
    if (!everywhere || path == 0) continue;
    for (const MetricId m : OfRegions()) {
      part.At(path, m) =
          Cell::Of(Columns()[0].value(uint64_t{rank} * m, ranks_), rank, Status::kMeasured);
    }
  }
  FillSpreads(part);
  return part;
}

}  // namespace roofmark::mpi
