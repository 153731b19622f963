// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/part.h"

#include <algorithm>
#include <utility>

#include "lib/profile/totals.h"
#include "mpi/cells.h"

namespace roofmark::mpi {
namespace {

// Above so many known hosts of ranks it is worth finding out which are still named.
constexpr size_t kMostHosts = 1024;
constexpr size_t kNone = SIZE_MAX;
constexpr size_t kDescriptionBytes = size_t{32} << 10;  // usually

void PutNamed(ByteWriter& writer, const std::array<Ranked, kOutliers>& named, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    writer.PutVarint(named[i].value);
    writer.PutVarint(named[i].rank);
  }
}

void GetNamed(ByteReader& reader, std::array<Ranked, kOutliers>& named, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    named[i].value = reader.GetVarint();
    named[i].rank = static_cast<uint32_t>(reader.GetVarint());
  }
}

void PutSpread(ByteWriter& writer, const Spread& spread) {
  writer.PutVarint(spread.ranks);
  if (spread.ranks == 0) return;
  writer.PutVarint(spread.status_bits);
  PutNamed(writer, spread.lowest, spread.Named());
  PutNamed(writer, spread.highest, spread.Named());
  if (spread.NamesAll()) return;
  uint32_t used = 0;
  spread.sketch.ForEach([&used](uint16_t, uint32_t) { ++used; });
  writer.PutVarint(used);
  uint16_t last = 0;
  spread.sketch.ForEach([&](uint16_t bucket, uint32_t count) {
    writer.PutVarint(static_cast<uint64_t>(bucket - last));
    writer.PutVarint(count);
    last = bucket;
  });
}

bool GetSpread(ByteReader& reader, Spread& spread) {
  spread.ranks = static_cast<uint32_t>(reader.GetVarint());
  if (spread.ranks == 0) return true;
  spread.status_bits = static_cast<uint32_t>(reader.GetVarint());
  GetNamed(reader, spread.lowest, spread.Named());
  GetNamed(reader, spread.highest, spread.Named());
  if (spread.NamesAll()) return true;
  uint64_t bucket = 0;
  for (uint64_t used = reader.GetVarint(); used > 0 && reader.ok(); --used) {
    bucket += reader.GetVarint();
    if (bucket >= kBuckets) return false;
    spread.sketch.Add(static_cast<uint16_t>(bucket), static_cast<uint32_t>(reader.GetVarint()));
  }
  return true;
}

}  // namespace

Part::Part(const JobProfile& local, const Agreement& agreement, uint32_t rank,
           const std::function<uint64_t()>& finalize_ns)
    : agreement_(agreement),
      local_(&local),
      rows_(agreement.paths.size(), kNone),
      rank_(rank),
      finalize_ns_(finalize_ns),
      description_(local.run, local.sources, rank) {
  description_.whole = local.whole;
  spreads_.rank_hosts = local.rank_hosts;
  if (finalize_ns) description_.cost.finalize_ns = {};  // it is not over
  size_t row = 0;  // both lists are sorted, so one walk finds all
  for (size_t path = 0; path < local.paths.size(); ++path) {
    while (agreement.paths[row].path != local.paths[path].path) ++row;
    rows_[row] = path;
  }
}

const Cell& Part::CellAt(size_t row, size_t column) const {
  static const Cell none;
  if (local_ == nullptr) return cells_[row * agreement_.metrics.size() + column];
  return rows_[row] == kNone ? none : local_->At(rows_[row], agreement_.metrics[column]);
}

const Spread& Part::SpreadAt(size_t row, size_t spread) const {
  static const auto& none = *new Spread;
  if (local_ == nullptr) return spreads_.spreads[row * kSpreads + spread];
  return rows_[row] == kNone ? none : local_->SpreadAt(rows_[row], static_cast<Drawn>(spread));
}

void Part::Unfold() {
  if (local_ == nullptr) return;
  const size_t columns = agreement_.metrics.size();
  cells_.reserve(rows_.size() * columns);
  spreads_.spreads.reserve(rows_.size() * kSpreads);
  for (size_t row = 0; row < rows_.size(); ++row) {
    for (size_t m = 0; m < columns; ++m) cells_.push_back(CellAt(row, m));
    for (size_t m = 0; m < kSpreads; ++m) spreads_.spreads.push_back(SpreadAt(row, m));
  }
  local_ = nullptr;
}

void Part::AddFinalizeTime() {
  if (!finalize_ns_) return;
  Cell& cell = description_.cost.finalize_ns;
  cell = Combine(cell, Cell::Of(finalize_ns_(), rank_, Status::kMeasured));
}

std::vector<char> Part::Pack() {
  AddFinalizeTime();
  ByteWriter writer;
  const size_t columns = agreement_.metrics.size();
  writer.Reserve(rows_.size() * (columns * sizeof(Cell) + kSpreads * 64) + kDescriptionBytes);
  PutCells(writer, rows_.size(), columns, rank_,
           [this](size_t row, size_t column) -> const Cell& { return CellAt(row, column); });
  PutSpreads(writer);
  description_.Put(writer);
  return writer.Take();
}

bool Part::Take(const std::vector<char>& bytes) {
  Unfold();
  ByteReader reader(bytes);
  CombineFrom(reader, cells_);
  if (!reader.ok()) return false;
  GetSpreads(reader);
  Description other;
  other.Get(reader);
  description_.Add(other);
  return reader.ok();
}

void Part::PutSpreads(ByteWriter& writer) const {
  for (size_t row = 0; row < rows_.size(); ++row) {
    for (size_t spread = 0; spread < kSpreads; ++spread) PutSpread(writer, SpreadAt(row, spread));
  }
  writer.Put(static_cast<uint64_t>(spreads_.rank_hosts.size()));
  for (const auto& [rank, host] : spreads_.rank_hosts) {
    writer.Put(rank);
    writer.PutString(host);
  }
}

void Part::GetSpreads(ByteReader& reader) {
  for (Spread& spread : spreads_.spreads) {
    Spread other;
    if (!GetSpread(reader, other)) return reader.Fail();
    Combine(spread, other);
  }
  for (size_t left = reader.GetCount(sizeof(uint32_t) + sizeof(uint64_t)); left > 0; --left) {
    const auto rank = reader.Get<uint32_t>();
    spreads_.rank_hosts[rank] = reader.GetString();
  }
  if (spreads_.rank_hosts.size() > kMostHosts) PruneRankHosts(spreads_);
}

JobProfile Part::Finish(const JobProfile& local) && {
  Unfold();
  AddFinalizeTime();
  JobProfile job = std::move(spreads_);
  PruneRankHosts(job);
  job.run = local.run;
  description_.Store(job);
  job.paths = agreement_.paths;
  job.cells.resize(job.paths.size() * kMetrics);
  const size_t columns = agreement_.metrics.size();
  for (size_t path = 0; path < job.paths.size(); ++path) {
    for (size_t m = 0; m < columns; ++m) {
      job.At(path, agreement_.metrics[m]) = cells_[path * columns + m];
    }
  }
  DropPartialTotals(job);
  return job;
}

}  // namespace roofmark::mpi
