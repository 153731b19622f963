// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/scaled_visits.h"

#include <algorithm>
#include <numeric>

namespace roofmark::counting {
namespace {

uint64_t CountedOf(const VisitCounts& visits) {
  return std::accumulate(visits.counted.begin(), visits.counted.end(), uint64_t{0});
}

// To the nearest; without overflow.
uint64_t Scaled(uint64_t value, uint64_t all, uint64_t counted) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((static_cast<Wide>(value) * all + counted / 2) / counted);
}

// Those of BF16 stand behind the classes.
uint64_t FlopsIn(const std::array<uint64_t, ROOF_COUNTERS>& counters) {
  const auto flops = std::span(counters).first<ROOF_C_BF16_FLOPS + 1>();
  return std::accumulate(flops.begin(), flops.end(), uint64_t{0});
}

}  // namespace

void ScaledVisits::Add(const Context& context, std::span<const uint64_t, ROOF_COUNTERS> counters) {
  if (!IsStratum(context.extent)) return;
  Strata& strata = threads_[{context.path, context.layer}][context.thread];
  Counters& sum = strata[StratumIn(context.extent)];
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += counters[i];
}

bool ScaledVisits::ByOtherThreads(const Threads& threads) const {
  uint64_t main = 0, other = 0;
  for (const auto& [thread, strata] : threads) {
    uint64_t instructions = 0;
    for (const Counters& sum : strata) instructions += sum[ROOF_C_INSTRUCTIONS];
    uint64_t& most = thread == kMainThread ? main : other;
    most = std::max(most, instructions);
  }
  return other > 0 && other >= main / 100;
}

ScaledPath ScaledVisits::Judge(uint32_t path, const VisitCounts& visits) const {
  ScaledPath scaled;
  const uint64_t counted = CountedOf(visits);
  const auto work = threads_.find({path, Layer::kWork});
  if (work != threads_.end()) scaled.by_other_threads = ByOtherThreads(work->second);
  if (counted >= visits.all) return scaled;
  scaled.status = counted == 0 ? Status::kUnsupported : Status::kScaled;
  std::array<counts::Stratum, counts::kStrata> strata{};
  for (size_t s = 0; s < strata.size(); ++s) {
    strata[s].by = static_cast<double>(visits.counted[s]);
    if (work == threads_.end()) continue;
    for (const auto& [thread, sums] : work->second) {
      strata[s].number += static_cast<double>(FlopsIn(sums[s]));
    }
  }
  scaled.flops_margin = counts::Margin(strata, static_cast<double>(visits.all - counted));
  return scaled;
}

void ScaledVisits::HandOver(CountSink& sink, const HarvestSink& visits) const {
  for (const auto& [where, threads] : threads_) {
    const auto& [path, layer] = where;
    const VisitCounts of = visits.VisitsOf(path);
    const uint64_t counted = CountedOf(of);
    for (const auto& [thread, strata] : threads) {
      Counters sum{};
      for (const Counters& one : strata) {
        for (size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
      }
      if (counted > 0 && of.all > counted) {
        for (uint64_t& value : sum) value = Scaled(value, of.all, counted);
      }
      sink.Add({thread, path, layer}, sum);
    }
  }
  for (const IncompletePath& path : incomplete_) sink.Incomplete(path);
}

}  // namespace roofmark::counting
