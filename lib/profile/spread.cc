// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/spread.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lib/core/table.h"

namespace roofmark {
namespace {

constexpr auto kLower = [](const Ranked& a, const Ranked& b) {
  return a.value != b.value ? a.value < b.value : a.rank < b.rank;
};
constexpr auto kHigher = [](const Ranked& a, const Ranked& b) {
  return a.value != b.value ? a.value > b.value : a.rank < b.rank;
};

template <typename Before>
void MergeNamed(std::array<Ranked, kOutliers>& into, uint32_t count,
                const std::array<Ranked, kOutliers>& other, uint32_t other_count, Before before) {
  std::array<Ranked, 2 * kOutliers> all;
  const auto end = std::merge(into.begin(), into.begin() + count, other.begin(),
                              other.begin() + other_count, all.begin(), before);
  const auto kept = std::min<ptrdiff_t>(end - all.begin(), kOutliers);
  std::copy_n(all.begin(), kept, into.begin());
}

// What falls out at the end is forgotten.
template <typename Before>
void Insert(std::array<Ranked, kOutliers>& into, uint32_t count, const Ranked& own, Before before) {
  if (count == kOutliers && !before(own, into[kOutliers - 1])) return;
  uint32_t at = count < kOutliers ? count : kOutliers - 1;
  for (; at > 0 && before(own, into[at - 1]); --at) into[at] = into[at - 1];
  into[at] = own;
}

// Of a spread that names all.
void AddAll(const Spread& from, Sketch& to) {
  for (uint32_t i = 0; i < from.Named(); ++i) to.Add(BucketOf(from.lowest[i].value), 1);
  for (uint32_t i = 0; i < from.ranks - from.Named(); ++i) {
    to.Add(BucketOf(from.highest[i].value), 1);
  }
}

uint64_t IndexOf(const Spread& spread, double p) {
  const double at = std::ceil(p * spread.ranks / 100);
  return static_cast<uint64_t>(std::clamp<double>(at, 1, spread.ranks)) - 1;
}

// A rank's own value of a measure, with its statuses.
struct Own {
  uint64_t value = 0;
  uint32_t status_bits = 0;
};

std::optional<Own> OneOf(ConstCellRow cells, MetricId metric) {
  const Cell& cell = cells[metric];
  if (cell.ranks == 0 || !HasValue(Worst(cell.status_bits))) return std::nullopt;
  return Own{cell.sum_low, cell.status_bits};
}

std::optional<Own> FlopsOf(ConstCellRow cells) {
  const auto counted = OneOf(cells, metric::kFlops);
  return counted ? counted : OneOf(cells, metric::kDeclaredFlops);
}

std::optional<Own> BytesOf(ConstCellRow cells) {
  // A package's bytes are not those of the rank that hands them over.
  bool package = false;
  for (MetricId m = metric::kPackageDramReadBytes; m <= metric::kPackageHbmWriteBytes; ++m) {
    package = package || cells[m].ranks > 0;
  }
  auto bytes = OneOf(cells, package ? metric::kApportionedDramBytes : metric::kDramBytes);
  if (!bytes) bytes = OneOf(cells, metric::kApportionedDramBytes);
  return bytes ? bytes : OneOf(cells, metric::kDeclaredBytes);
}

}  // namespace

const DrawnInfo& InfoOf(Drawn measure) {
  static constexpr std::array<DrawnInfo, kSpreads> kInfos = {
      {{Drawn::kTime, "time_ns", "ns"},
       {Drawn::kFlops, "flops", "flops"},
       {Drawn::kDramBytes, "dram_bytes", "bytes"}}};
  static_assert(InOrder(kInfos));
  return RowOf(kInfos, measure);
}

Spread Spread::Of(uint64_t value, uint32_t rank, uint32_t status_bits) {
  Spread spread;
  spread.ranks = 1;
  spread.status_bits = status_bits;
  spread.lowest[0] = spread.highest[0] = {value, rank};
  return spread;
}

void Combine(Spread& into, const Spread& other) {
  if (other.ranks == 0) return;
  if (into.ranks == 0) {
    into = other;
    return;
  }
  if (into.ranks + other.ranks > 2 * kOutliers) {
    if (into.NamesAll()) AddAll(into, into.sketch);
    other.NamesAll() ? AddAll(other, into.sketch) : into.sketch.Add(other.sketch);
  }
  MergeNamed(into.lowest, into.Named(), other.lowest, other.Named(), kLower);
  MergeNamed(into.highest, into.Named(), other.highest, other.Named(), kHigher);
  into.ranks += other.ranks;
  into.status_bits |= other.status_bits;
}

void Add(Spread& into, Ranked own, uint32_t status_bits) {
  if (into.ranks >= 2 * kOutliers) {
    if (into.NamesAll()) AddAll(into, into.sketch);
    into.sketch.Add(BucketOf(own.value), 1);
  }
  Insert(into.lowest, into.Named(), own, kLower);
  Insert(into.highest, into.Named(), own, kHigher);
  ++into.ranks;
  into.status_bits |= status_bits;
}

bool PercentileIsExact(const Spread& spread, double p) {
  const uint64_t index = spread.ranks == 0 ? 0 : IndexOf(spread, p);
  return spread.ranks == 0 || index < kOutliers || spread.ranks - 1 - index < kOutliers;
}

uint64_t Percentile(const Spread& spread, double p) {
  if (spread.ranks == 0) return 0;
  const uint64_t index = IndexOf(spread, p), from_top = spread.ranks - 1 - index;
  if (index < kOutliers) return spread.lowest[index].value;
  if (from_top < kOutliers) return spread.highest[from_top].value;
  return std::clamp(BucketMiddle(spread.sketch.BucketAt(index)), spread.lowest.back().value,
                    spread.highest.back().value);
}

std::array<Spread, kSpreads> SpreadsOf(ConstCellRow cells, uint32_t rank) {
  std::array<Spread, kSpreads> spreads;
  const auto set = [&](Drawn measure, const std::optional<Own>& own) {
    if (own) spreads[static_cast<size_t>(measure)] = Spread::Of(own->value, rank, own->status_bits);
  };
  set(Drawn::kTime, OneOf(cells, metric::kTimeNs));
  set(Drawn::kFlops, FlopsOf(cells));
  set(Drawn::kDramBytes, BytesOf(cells));
  return spreads;
}

}  // namespace roofmark
