// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/part.h"

#include <numeric>
#include <utility>

#include "lib/profile/totals.h"
#include "mpi/cells.h"
#include "mpi/paths.h"
#include "mpi/spreads.h"

namespace roofmark::mpi {
namespace {

// Above so many known hosts of ranks it is worth finding out which are still named.
constexpr size_t kMostHosts = 1024;
constexpr size_t kDescriptionBytes = size_t{32} << 10;  // usually

// Those with a value in any row.
std::vector<MetricId> MetricsOf(const CellTable& cells) {
  std::vector<MetricId> metrics;
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (cells.HasValue(m)) metrics.push_back(m);
  }
  return metrics;
}

void PutMetrics(ByteWriter& writer, const std::vector<MetricId>& metrics) {
  writer.PutVarint(metrics.size());
  for (const MetricId m : metrics) writer.PutVarint(m);
}

std::vector<MetricId> GetMetrics(ByteReader& reader) {
  std::vector<MetricId> metrics;
  for (uint64_t left = reader.GetVarint(); left > 0 && reader.ok(); --left) {
    const uint64_t metric = reader.GetVarint();
    if (metric >= kMetrics) reader.Fail();
    metrics.push_back(static_cast<MetricId>(metric));
  }
  return metrics;
}

}  // namespace

Part::Part(const JobProfile& local, uint32_t rank, const std::function<uint64_t()>& finalize_ns)
    : local_(&local),
      hash_(HashOfPaths(local.paths)),
      rank_(rank),
      finalize_ns_(finalize_ns),
      description_(local.run, local.sources, rank) {
  description_.whole = local.whole;
  if (finalize_ns) description_.cost.finalize_ns = {};  // it is not over
}

void Part::Unfold() {
  if (local_ == nullptr) return;
  tables_.paths = local_->paths;
  tables_.cells = local_->cells;
  tables_.spreads = local_->spreads;
  tables_.spreads.resize(tables_.paths.size() * kSpreads);
  tables_.rank_hosts = local_->rank_hosts;
  local_ = nullptr;
}

void Part::AddFinalizeTime() {
  if (!finalize_ns_) return;
  Cell& cell = description_.cost.finalize_ns;
  cell = Combine(cell, Cell::Of(finalize_ns_(), rank_, Status::kMeasured));
}

std::vector<char> Part::Pack() {
  AddFinalizeTime();
  const JobProfile& from = tables();
  const std::vector<MetricId> metrics = MetricsOf(from.cells);
  const size_t rows = from.paths.size();
  ByteWriter paths, writer;
  PutPaths(paths, from.paths);
  writer.Reserve(rows * (metrics.size() * sizeof(Cell) + kSpreads * 64) + kDescriptionBytes);
  writer.Put(hash_);
  writer.PutVarint(rows);
  writer.PutString(paths.view());  // as a string, so that a reader who has them all can skip them
  PutMetrics(writer, metrics);
  PutCells(writer, from.cells, metrics, rank_);
  PutSpreads(writer, rows, rank_, [&from](size_t row, size_t spread) -> const Spread& {
    return from.SpreadAt(row, static_cast<Drawn>(spread));
  });
  writer.Put(static_cast<uint64_t>(from.rank_hosts.size()));
  for (const auto& [rank, host] : from.rank_hosts) {
    writer.Put(rank);
    writer.PutString(host);
  }
  description_.Put(writer);
  return writer.Take();
}

void Part::MakeRows(const std::vector<size_t>& own) {
  const size_t rows = tables_.paths.size();
  tables_.cells.MoveRows(own, rows);
  std::vector<Spread> spreads(rows * kSpreads);
  for (size_t i = 0; i < tables_.spreads.size(); ++i) {
    spreads[own[i / kSpreads] * kSpreads + i % kSpreads] = std::move(tables_.spreads[i]);
  }
  tables_.spreads = std::move(spreads);
}

std::vector<size_t> Part::TakePaths(ByteReader& reader) {
  const auto hash = reader.Get<uint64_t>();
  const uint64_t count = reader.GetVarint();
  const std::string_view bytes = reader.GetBytes(reader.Get<uint64_t>());
  if (!reader.ok()) return {};
  if (hash == hash_ && count == tables_.paths.size()) {
    std::vector<size_t> same(count);
    std::iota(same.begin(), same.end(), size_t{0});
    return same;
  }
  ByteReader inner(bytes);
  std::vector<PathInfo> others = GetPaths(inner);
  if (!inner.IsAtEnd() || others.size() != count) {
    reader.Fail();
    return {};
  }
  const size_t own = tables_.paths.size();
  United united = UnitePaths(tables_.paths, std::move(others));
  hash_ = HashOfPaths(tables_.paths);
  if (tables_.paths.size() > own) MakeRows(united.own);
  return std::move(united.others);
}

bool Part::Take(const std::vector<char>& bytes) {
  Unfold();
  ByteReader reader(bytes);
  const std::vector<size_t> rows = TakePaths(reader);
  const std::vector<MetricId> metrics = GetMetrics(reader);
  if (!reader.ok()) return false;
  CombineFrom(reader, rows, metrics, tables_.cells);
  CombineFrom(reader, rows, tables_.spreads);
  TakeHosts(reader);
  Description other;
  other.Get(reader);
  if (!reader.ok()) return false;
  description_.Add(other);
  return true;
}

void Part::TakeHosts(ByteReader& reader) {
  for (size_t left = reader.GetCount(sizeof(uint32_t) + sizeof(uint64_t)); left > 0; --left) {
    const auto rank = reader.Get<uint32_t>();
    tables_.rank_hosts[rank] = reader.GetString();
  }
  if (tables_.rank_hosts.size() > kMostHosts) PruneRankHosts(tables_);
}

JobProfile Part::Finish(const JobProfile& local) && {
  Unfold();
  AddFinalizeTime();
  JobProfile job = std::move(tables_);
  PruneRankHosts(job);
  job.run = local.run;
  std::move(description_).Store(job);
  DropPartialTotals(job);
  return job;
}

}  // namespace roofmark::mpi
