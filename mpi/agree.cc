// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/agree.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "lib/core/bytes.h"
#include "lib/core/hash.h"
#include "mpi/tree.h"

namespace roofmark::mpi {
namespace {

using Paths = std::vector<PathInfo>;
constexpr size_t kMaskWords = (kMetrics + 63) / 64;
using Mask = std::array<uint64_t, kMaskWords>;

// A path, and who says what about it.
struct Claim {
  PathInfo info;
  uint32_t rank = 0;            // whose file, line and kind
  uint32_t operation_rank = 0;  // whose operation, if there is one
};
using Claims = std::vector<Claim>;

// Of a PathInfo in a message, if its texts are empty.
constexpr size_t kInfoBytes = 6 * sizeof(uint64_t) + 2 * sizeof(uint32_t) + sizeof(RegionKind);

bool Before(const PathInfo& a, const PathInfo& b) { return a.path < b.path; }

// Looks no further than it must: all cells together are megabytes.
Mask MaskOf(const JobProfile& local) {
  Mask mask = {};
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (!HasValue(local.sources[m].status)) continue;
    size_t path = 0;
    while (path < local.paths.size() && local.At(path, m).ranks == 0) ++path;
    if (path < local.paths.size()) mask[m / 64] |= uint64_t{1} << (m % 64);
  }
  return mask;
}

std::vector<MetricId> Metrics(const Mask& mask) {
  std::vector<MetricId> metrics;
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (mask[m / 64] >> (m % 64) & 1) metrics.push_back(m);
  }
  return metrics;
}

// Over the names, each closed by a byte that no name contains.
uint64_t HashPaths(const Paths& paths) {
  uint64_t hash = kHashStart;
  for (const PathInfo& info : paths) {
    for (const std::string* text : {&info.path, &info.operation}) {
      hash = HashOf(std::string_view("\0", 1), HashOf(*text, hash));
    }
  }
  return hash;
}

void Put(ByteWriter& writer, const PathInfo& info) {
  writer.PutString(info.path);
  writer.PutString(info.file);
  writer.Put(info.line);
  writer.Put(info.kind);
  writer.PutString(info.operation);
  writer.PutString(info.critical.file);
  writer.Put(info.critical.line);
  writer.Put(info.critical.cycles);
  writer.Put(info.critical.of_cycles);
}

PathInfo GetInfo(ByteReader& reader) {
  PathInfo info;
  info.path = reader.GetString();
  info.file = reader.GetString();
  info.line = reader.Get<uint32_t>();
  info.kind = reader.GetOneOf(RegionKind::kThread);
  info.operation = reader.GetString();
  info.critical.file = reader.GetString();
  info.critical.line = reader.Get<uint32_t>();
  info.critical.cycles = reader.Get<uint64_t>();
  info.critical.of_cycles = reader.Get<uint64_t>();
  return info;
}

std::vector<char> Pack(const Paths& paths) {
  ByteWriter writer;
  writer.Put(static_cast<uint64_t>(paths.size()));
  for (const PathInfo& info : paths) Put(writer, info);
  return writer.Take();
}

bool Unpack(const std::vector<char>& bytes, Paths& paths) {
  ByteReader reader(bytes);
  paths.resize(reader.GetCount(kInfoBytes));
  for (PathInfo& info : paths) info = GetInfo(reader);
  return reader.ok();
}

void Unite(Claim& into, const Claim& other) {
  const bool theirs = !other.info.operation.empty() &&
                      (into.info.operation.empty() || other.operation_rank < into.operation_rank);
  std::string operation = theirs ? other.info.operation : into.info.operation;
  if (theirs) into.operation_rank = other.operation_rank;
  if (other.rank < into.rank) {
    into.info = other.info;
    into.rank = other.rank;
  }
  into.info.operation = std::move(operation);
}

// Both sorted.
Claims Unite(const Claims& a, const Claims& b) {
  Claims united;
  united.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(united),
             [](const Claim& x, const Claim& y) { return Before(x.info, y.info); });
  size_t last = 0;
  for (size_t i = 1; i < united.size(); ++i) {
    if (united[i].info.path == united[last].info.path) {
      Unite(united[last], united[i]);
    } else if (++last != i) {
      united[last] = std::move(united[i]);
    }
  }
  if (!united.empty()) united.resize(last + 1);
  return united;
}

// What the ranks have beside rank 0's paths.
class Extras final : public Merging {
 public:
  Extras(const Paths& mine, const Paths& base, uint32_t rank) {
    auto at = base.begin();
    for (const PathInfo& info : mine) {
      at = std::lower_bound(at, base.end(), info, Before);
      const bool known = at != base.end() && at->path == info.path;
      if (!known || (at->operation.empty() && !info.operation.empty())) {
        claims_.push_back({info, rank, rank});
      }
    }
  }

  bool Take(const std::vector<char>& bytes) override {
    ByteReader reader(bytes);
    Claims others(reader.GetCount(kInfoBytes + 2 * sizeof(uint32_t)));
    for (Claim& claim : others) {
      claim.info = GetInfo(reader);
      claim.rank = reader.Get<uint32_t>();
      claim.operation_rank = reader.Get<uint32_t>();
    }
    claims_ = Unite(claims_, others);
    return reader.ok();
  }
  std::vector<char> Pack() override {
    ByteWriter writer;
    writer.Put(static_cast<uint64_t>(claims_.size()));
    for (const Claim& claim : claims_) {
      Put(writer, claim.info);
      writer.Put(claim.rank);
      writer.Put(claim.operation_rank);
    }
    return writer.Take();
  }
  void Clear() { claims_.clear(); }

  // Rank 0's come first in everything.
  Paths With(const Paths& base) const {
    Claims ours;
    for (const PathInfo& info : base) ours.push_back({info, 0, 0});
    Paths paths;
    for (Claim& claim : Unite(ours, claims_)) paths.push_back(std::move(claim.info));
    return paths;
  }

 private:
  Claims claims_;  // sorted
};

// Most ranks of most codes have rank 0's paths: they are sent to all once, and only what they lack
// climbs the tree.
bool UnitePaths(Comm& comm, const Paths& mine, Paths& paths) {
  std::vector<char> bytes = comm.Rank() == 0 ? Pack(mine) : std::vector<char>();
  Paths base;
  if (!BcastBytes(comm, bytes)) return false;
  const bool understood = Unpack(bytes, base);
  Extras extras(mine, base, comm.Rank());
  const bool merged = MergeUp(comm, extras, understood);
  if (comm.Rank() == 0 && !merged) {
    AbandonBcast(comm);
    return false;
  }
  bytes = comm.Rank() == 0 ? extras.Pack() : std::vector<char>();
  extras.Clear();
  if (!BcastBytes(comm, bytes) || !extras.Take(bytes)) return false;
  paths = extras.With(base);
  return true;
}

// What came from other ranks is in order, and has all that this one has.
bool Contains(const Paths& all, const Paths& mine) {
  const auto not_before = [](const PathInfo& a, const PathInfo& b) { return !Before(a, b); };
  return std::adjacent_find(all.begin(), all.end(), not_before) == all.end() &&
         std::includes(all.begin(), all.end(), mine.begin(), mine.end(), Before);
}

}  // namespace

std::optional<Agreement> Agree(Comm& comm, const JobProfile& local) {
  // The counts are compared besides the hashes, so that even colliding hashes cannot make ranks
  // bring tables of different size.
  const uint64_t hash = HashPaths(local.paths), count = local.paths.size();
  std::array<uint64_t, 4 + kMaskWords> any = {hash, ~hash, count, ~count};
  const Mask mine = MaskOf(local);
  std::copy(mine.begin(), mine.end(), any.begin() + 4);
  if (!comm.AllreduceU64(any, ReduceOp::kOr)) return std::nullopt;
  Mask mask;
  std::copy(any.begin() + 4, any.end(), mask.begin());
  Agreement agreement{local.paths, Metrics(mask), true};
  // A bit that all ranks have alike is set in one of x and ~x only.
  const bool same = any[0] == ~any[1] && any[2] == ~any[3];
  if (!same) {
    agreement.whole =
        UnitePaths(comm, local.paths, agreement.paths) && Contains(agreement.paths, local.paths);
  }
  return agreement;
}

}  // namespace roofmark::mpi
