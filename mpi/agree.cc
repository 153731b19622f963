// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/agree.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "lib/core/hash.h"
#include "mpi/bytes.h"
#include "mpi/tree.h"

namespace roofmark::mpi {
namespace {

using Paths = std::vector<PathInfo>;

bool Before(const PathInfo& a, const PathInfo& b) { return a.path < b.path; }

// Over the names, each closed by a byte that no name contains.
uint64_t HashPaths(const Paths& paths) {
  uint64_t hash = kHashStart;
  for (const PathInfo& info : paths) {
    for (const std::string* text : {&info.path, &info.operation}) {
      hash = HashOf(std::string_view("", 1), HashOf(*text, hash));
    }
  }
  return hash;
}

std::vector<char> Pack(const Paths& paths) {
  ByteWriter writer;
  writer.Put(static_cast<uint64_t>(paths.size()));
  for (const PathInfo& info : paths) {
    writer.PutString(info.path);
    writer.PutString(info.file);
    writer.Put(info.line);
    writer.Put(info.kind);
    writer.PutString(info.operation);
  }
  return writer.Take();
}

bool Unpack(const std::vector<char>& bytes, Paths& paths) {
  ByteReader reader(bytes);
  paths.resize(reader.GetCount());
  for (PathInfo& info : paths) {
    info.path = reader.GetString();
    info.file = reader.GetString();
    info.line = reader.Get<uint32_t>();
    info.kind = reader.Get<RegionKind>();
    info.operation = reader.GetString();
  }
  return reader.ok();
}

// Both sorted; where both have a path, `first`'s is kept. Only some ranks may have declared
// operations there.
Paths Unite(const Paths& first, const Paths& second) {
  Paths united;
  united.reserve(first.size() + second.size());
  std::set_union(first.begin(), first.end(), second.begin(), second.end(),
                 std::back_inserter(united), Before);
  auto at = united.begin();
  for (const PathInfo& info : second) {
    at = std::lower_bound(at, united.end(), info, Before);
    if (at->operation.empty()) at->operation = info.operation;
  }
  return united;
}

// What `mine` has and `base` lacks. Both sorted.
Paths Missing(const Paths& mine, const Paths& base) {
  Paths missing;
  auto at = base.begin();
  for (const PathInfo& info : mine) {
    at = std::lower_bound(at, base.end(), info, Before);
    const bool known = at != base.end() && at->path == info.path;
    if (!known || (at->operation.empty() && !info.operation.empty())) missing.push_back(info);
  }
  return missing;
}

// Whether all ranks have the same paths. The counts are compared besides the hashes, so that even
// colliding hashes cannot make ranks bring tables of different size to the reduction.
bool AllTheSame(Comm& comm, const Paths& mine, bool& same) {
  const uint64_t hash = HashPaths(mine), count = mine.size();
  std::array<uint64_t, 4> extremes = {hash, ~hash, count, ~count};  // max of ~x is ~min of x
  if (!comm.AllreduceU64(extremes, ReduceOp::kMax)) return false;
  same = extremes[0] == ~extremes[1] && extremes[2] == ~extremes[3];
  return true;
}

}  // namespace

std::optional<Paths> AgreeOnPaths(Comm& comm, const Paths& mine) {
  bool same = false;
  if (!AllTheSame(comm, mine, same)) return std::nullopt;
  if (same) return mine;

  // Most ranks of most codes have rank 0's paths: they are sent to all once, and only what they
  // lack climbs the tree.
  std::vector<char> bytes = comm.Rank() == 0 ? Pack(mine) : std::vector<char>();
  Paths base;
  if (!BcastBytes(comm, bytes) || !Unpack(bytes, base)) return std::nullopt;
  Paths extra = Missing(mine, base);
  const auto merge = [&extra](const std::vector<char>& message) {
    Paths others;
    if (!Unpack(message, others)) return false;
    extra = Unite(extra, others);
    return true;
  };
  if (!MergeUpTree(comm, merge, [&extra] { return Pack(extra); })) return std::nullopt;
  bytes = comm.Rank() == 0 ? Pack(extra) : std::vector<char>();
  if (!BcastBytes(comm, bytes) || !Unpack(bytes, extra)) return std::nullopt;
  return Unite(base, extra);
}

std::optional<std::vector<MetricId>> AgreeOnMetrics(Comm& comm, const JobProfile& local) {
  std::array<uint64_t, (kMetrics + 63) / 64> mask = {};
  for (size_t path = 0; path < local.paths.size(); ++path) {
    for (MetricId m = 0; m < kMetrics; ++m) {
      if (local.At(path, m).ranks > 0) mask[m / 64] |= uint64_t{1} << (m % 64);
    }
  }
  if (!comm.AllreduceU64(mask, ReduceOp::kOr)) return std::nullopt;
  std::vector<MetricId> metrics;
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (mask[m / 64] >> (m % 64) & 1) metrics.push_back(m);
  }
  return metrics;
}

}  // namespace roofmark::mpi
