// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/totals.h"

#include <fmt/format.h>

#include <algorithm>

namespace roofmark {
namespace {

Total operator+(const Total& a, const Total& b) {
  if (!a) return a;
  if (!b) return b;
  return {*a.sum + *b.sum, std::max(a.status, b.status), 0};
}

// The rule. `Part` gives one metric as a Total: of a path's cells, or of the sources.
template <typename Part>
class Rule {
 public:
  explicit Rule(const Part& part) : part_(part) {}

  Total operator()(MetricId total) const {
    if (total == metric::kFlops) return Flops();
    if (total == metric::kDramBytes) return DramBytes();
    return FlopsOf(static_cast<Precision>(total - metric::kFlopsDp));
  }

  Total MixedFlops() const {
    if (const Total whole = part_(WholeFlops(WholePrecision::kMixed))) return whole;
    Total sum{0, Status::kMixedPrecision, 0};
    for (size_t kind = 0; kind < kFlopKinds && sum; ++kind) {
      const MetricId metric = roofmark::MixedFlops(static_cast<FlopKind>(kind));
      // A kind that the CPU does not tell is no gap.
      if (kind > 0 && !part_.Offered(metric)) continue;
      sum = sum + part_(metric);
    }
    return sum;
  }

 private:
  Total FlopsOf(Precision precision) const {
    const Total by_kind = ByKind(precision);
    if (by_kind) return by_kind;
    Total any_kind{0, Status::kMeasured, 0};
    for (size_t width = 0; width < kWidths && any_kind; ++width) {
      const MetricId metric = AnyKindFlops(precision, static_cast<Width>(width));
      // A width that the CPU does not have is no gap.
      if (width > 0 && !part_.Offered(metric)) continue;
      any_kind = any_kind + part_(metric);
    }
    // Beside those whose width is told, or alone.
    const MetricId whole = WholeFlops(static_cast<WholePrecision>(precision));
    if (part_.Offered(whole)) return any_kind ? any_kind + part_(whole) : part_(whole);
    return any_kind ? any_kind : by_kind;
  }
  static_assert(static_cast<int>(WholePrecision::kHalf) == static_cast<int>(Precision::kHalf));

  Total ByKind(Precision precision) const {
    const MetricId first = FlopMetric(precision, Width::kScalar, FlopKind::kAdd);
    Total sum{0, Status::kMeasured, 0};
    for (MetricId m = first; m < first + kWidths * kFlopKinds && sum; ++m) sum = sum + part_(m);
    return sum;
  }

  // A precision that nothing here could count is left out where others are counted; one that was to
  // be counted and is missing leaves no total.
  Total Flops() const {
    if (const Total mixed = MixedFlops()) return mixed;
    std::optional<Total> sum;
    for (size_t p = 0; p < kPrecisions; ++p) {
      const Total flops = FlopsOf(static_cast<Precision>(p));
      if (!flops && flops.status != Status::kUnsupported) return flops;
      if (flops) sum = sum ? *sum + flops : flops;
    }
    if (!sum) return FlopsOf(Precision::kDouble);
    const Total bfloat16 = part_(WholeFlops(WholePrecision::kBfloat16));
    return bfloat16 ? *sum + bfloat16 : *sum;
  }

  Total DramBytes() const {
    const Total packages = PackageBytes();
    if (packages || packages.status == Status::kInvalid) return packages;
    const Total bytes = part_(metric::kDramReadBytes) + part_(metric::kDramWriteBytes);
    // Who may do something about it learns what.
    if (!bytes && packages.status == Status::kDenied) return packages;
    // Hardware counters have no notion of lines left dirty; only the model adds them.
    const Total dirty = part_(metric::kDramDirtyBytes);
    return dirty ? bytes + dirty : bytes;
  }

  // Of the packages' memory controllers. High-bandwidth memory counts where there is any.
  Total PackageBytes() const {
    Total bytes = part_(metric::kPackageDramBytes);
    if (!bytes) {
      bytes = part_(metric::kPackageDramReadBytes) + part_(metric::kPackageDramWriteBytes);
    }
    for (const MetricId hbm : {metric::kPackageHbmReadBytes, metric::kPackageHbmWriteBytes}) {
      if (part_.Offered(hbm)) bytes = bytes + part_(hbm);
    }
    return bytes;
  }

  const Part& part_;
};

void AddOrigin(const std::string& origin, std::string& to) {
  if (to.find(origin) == std::string::npos) to.append(to.empty() ? "" : "+").append(origin);
}

// One path's sums over the ranks that have them; collects the origins of parts that were taken.
struct CellPart {
  const JobProfile& job;
  size_t path;
  std::string* origins = nullptr;

  bool Offered(MetricId id) const { return HasValue(job.sources[id].status); }
  Total operator()(MetricId id) const {
    const Cell& cell = job.At(path, id);
    const Status status = cell.ranks == 0 ? job.sources[id].status : Worst(cell.status_bits);
    if (cell.ranks == 0 || !HasValue(status)) return {std::nullopt, status, id};
    if (origins != nullptr) AddOrigin(job.sources[id].origin, *origins);
    return {cell.Sum(), status, 0};
  }
};

// Whether the job counts it at all; collects whose parts were taken.
struct SourcePart {
  const JobProfile& job;
  MetricSource* taken;

  bool Offered(MetricId id) const { return HasValue(job.sources[id].status); }
  Total operator()(MetricId id) const {
    const MetricSource& source = job.sources[id];
    if (!Offered(id)) return {std::nullopt, source.status, id};
    AddOrigin(source.origin, taken->origin);
    taken->scope = std::max(taken->scope, MetricScope(job, id));
    return {Sum128{0}, source.status, 0};
  }
};

MetricSource SourceOf(const JobProfile& job, MetricId total) {
  MetricSource source;
  const SourcePart part{job, &source};
  const Total known = Rule(part)(total);
  source.status = known.status;
  if (known) return source;
  source = {"", known.status, job.sources[known.missing].reason};
  if (source.reason.empty()) {
    source.reason = fmt::format("nothing in this run counts {}", GetMetric(known.missing).name);
  }
  return source;
}

// The most ranks that any part of a total has. Packages count as ranks do.
struct PartRanks {
  uint32_t count = 0;
  uint32_t first = 0;  // one of them
};
PartRanks RanksOfParts(const JobProfile& job, size_t path, MetricId total) {
  PartRanks ranks;
  const auto visit = [&](MetricId first, MetricId last) {
    for (MetricId m = first; m <= last; ++m) {
      const Cell& cell = job.At(path, m);
      if (cell.ranks > ranks.count) ranks = {cell.ranks, cell.min_rank};
    }
  };
  if (total == metric::kDramBytes) {
    visit(metric::kPackageDramReadBytes, metric::kPackageHbmWriteBytes);
    visit(metric::kDramReadBytes, metric::kDramWriteBytes);
  } else {
    visit(0, metric::kVisits - 1);
  }
  return ranks;
}

Cell TotalCell(const JobProfile& rank, size_t path, MetricId total) {
  const PartRanks ranks = RanksOfParts(rank, path, total);
  if (ranks.count != 1) return Cell();
  const CellPart part{rank, path};
  const Total sum = Rule(part)(total);
  if (sum) {
    constexpr Sum128 kMost = ~uint64_t{0};
    return Cell::Of(static_cast<uint64_t>(std::min(*sum.sum, kMost)), ranks.first, sum.status);
  }
  // Counted, but not to be believed.
  const bool tried = rank.At(path, sum.missing).ranks > 0;
  return tried ? Cell::Of(0, ranks.first, sum.status) : Cell();
}

}  // namespace

Total TotalOf(const JobProfile& job, size_t path, MetricId total) {
  const CellPart part{job, path};
  if (!IsTotal(total)) return part(total);
  if (job.At(path, total).ranks == 0) return Rule(part)(total);
  Total stored = part(total);
  // The part that spoilt it tells more.
  const Total parts = stored ? stored : Rule(part)(total);
  if (!parts) stored.missing = parts.missing;
  return stored;
}

Total MixedFlopsTotal(const JobProfile& job, size_t path) {
  const CellPart part{job, path};
  return Rule(part).MixedFlops();
}

std::string OriginOfTotal(const JobProfile& job, size_t path, MetricId total) {
  std::string origins;
  const CellPart part{job, path, &origins};
  return Rule(part)(total) ? origins : "";
}

void FillTotals(JobProfile& rank) {
  for (MetricId total = metric::kFirstTotal; total <= metric::kLastTotal; ++total) {
    rank.sources[total] = SourceOf(rank, total);
    for (size_t p = 0; p < rank.paths.size(); ++p) rank.At(p, total) = TotalCell(rank, p, total);
  }
}

void DropPartialTotals(JobProfile& job) {
  for (size_t p = 0; p < job.paths.size(); ++p) {
    for (MetricId total = metric::kFirstTotal; total <= metric::kLastTotal; ++total) {
      const uint32_t ranks = std::as_const(job).At(p, total).ranks;
      if (ranks < RanksOfParts(job, p, total).count) job.cells.Set(p, total, Cell());
    }
  }
}

}  // namespace roofmark
