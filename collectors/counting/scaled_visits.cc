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

// Fewer visits tell nothing of the others, even where they did the same.
constexpr uint64_t kLeastCounted = 4;

// How far the FLOPs of the first visit, which was not counted, can be from `mean`, that of a visit.
// One that took about as long as the others is taken to be like them. Another one is believed to do
// as many FLOPs in a time as they do, if most of the time is theirs; else nothing is known. Nothing
// is known either if none of the others was timed.
std::optional<double> MarginOfFirst(const VisitCounts& visits, double mean) {
  constexpr double kMostOfTime = 0.1;
  if (visits.others_untimed) return std::nullopt;
  if (!visits.unlike_first) return 0;
  const double first = *visits.unlike_first;
  if (first > kMostOfTime * (first + static_cast<double>(visits.all) - 1)) return std::nullopt;
  return std::max(first, 1.0) * mean;
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
  if (counted < kLeastCounted) return scaled;
  const double flops = std::accumulate(
      strata.begin(), strata.end(), 0.0,
      [](double sum, const counts::Stratum& stratum) { return sum + stratum.number; });
  const auto of_first = MarginOfFirst(visits, flops / static_cast<double>(counted));
  const auto of_others = counts::Margin(strata, static_cast<double>(visits.all - counted));
  if (of_first && of_others) scaled.flops_margin = *of_first + *of_others;
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
