// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/extrapolate.h"

#include <cmath>
#include <iterator>

namespace roofmark::counting {
namespace {

uint64_t Accessed(std::span<const uint64_t, ROOF_COUNTERS> counters) {
  return counters[ROOF_C_LOAD_BYTES] + counters[ROOF_C_STORE_BYTES];
}

void AddTo(std::span<uint64_t, ROOF_COUNTERS> into,
           std::span<const uint64_t, ROOF_COUNTERS> counters) {
  for (size_t i = 0; i < ROOF_COUNTERS; ++i) into[i] += counters[i];
}

struct Level {
  roof_counter read, write;
};
constexpr Level kLevels[] = {{ROOF_C_L1_READ_BYTES, ROOF_C_L1_WRITE_BYTES},
                             {ROOF_C_L2_READ_BYTES, ROOF_C_L2_WRITE_BYTES},
                             {ROOF_C_DRAM_READ_BYTES, ROOF_C_DRAM_WRITE_BYTES}};

}  // namespace

void Extrapolation::Add(const Context& context, std::span<const uint64_t, ROOF_COUNTERS> counters) {
  Counted& counted = threads_[{context.path, context.layer}][context.thread];
  if (context.extent == Extent::kWarm) {
    for (size_t i = 0; i < ROOF_COUNTERS; ++i)
      if (!IsTraffic(i)) counted.cheap[i] += counters[i];
    return;
  }
  AddTo(context.extent == Extent::kCheap   ? counted.cheap
        : context.extent == Extent::kFirst ? counted.first
                                           : counted.later,
        counters);
  if (context.layer == Layer::kWork && IsStratum(context.extent)) {
    AddTo(strata_[context.path][StratumIn(context.extent)], counters);
  }
}

std::vector<PathMargin> Extrapolation::Margins() const {
  std::vector<PathMargin> margins;
  for (const auto& [where, threads] : threads_) {
    if (where.second != Layer::kWork) continue;
    double rest = 0;
    for (const auto& [thread, own] : threads) rest += static_cast<double>(Accessed(own.cheap));
    if (rest <= 0) continue;
    PathMargin margin = {where.first, {}};
    const auto known = strata_.find(where.first);
    for (size_t l = 0; known != strata_.end() && l < std::size(kLevels); ++l) {
      std::array<counts::Stratum, counts::kStrata> strata;
      for (size_t s = 0; s < strata.size(); ++s) {
        const Counters& sum = known->second[s];
        strata[s] = {static_cast<double>(sum[kLevels[l].read] + sum[kLevels[l].write]),
                     static_cast<double>(Accessed(sum))};
      }
      margin.bytes[l] = counts::Margin(strata, rest);
    }
    margins.push_back(margin);
  }
  return margins;
}

const Extrapolation::Counters& Extrapolation::KnownOf(const Counted& own, const Counted& all) {
  for (const Counters* known : {&own.later, &own.first, &all.later}) {
    if (Accessed(*known) > 0) return *known;
  }
  return all.first;
}

// What was modelled anywhere, and the bytes that are little beside all that were accessed.
struct Extrapolation::Everything {
  explicit Everything(const std::map<Layered, std::map<uint32_t, Counted>>& threads) {
    uint64_t bytes = 0;
    for (const auto& [where, by_thread] : threads) {
      for (const auto& [thread, own] : by_thread) {
        AddTo(known, own.first);
        AddTo(known, own.later);
        bytes += Accessed(own.first) + Accessed(own.later) + Accessed(own.cheap);
      }
    }
    little = bytes / kLittle;
  }

  static constexpr uint64_t kLittle = 100;
  Counters known{};
  uint64_t little = 0;
};

std::vector<uint32_t> Extrapolation::HandOver(CountSink& sink) const {
  std::vector<uint32_t> unknown;
  const Everything everything(threads_);
  for (const auto& [where, threads] : threads_) {
    const auto& [path, layer] = where;
    Counted all;
    for (const auto& [thread, own] : threads) {
      AddTo(all.first, own.first);
      AddTo(all.later, own.later);
    }
    for (const auto& [thread, own] : threads) {
      Counters sum = own.first;
      AddTo(sum, own.later);
      AddTo(sum, own.cheap);
      const uint64_t cheap = Accessed(own.cheap);
      const Counters& of_path = KnownOf(own, all);
      const bool may_be_mean = Accessed(of_path) == 0 && cheap <= everything.little;
      const Counters& known = may_be_mean ? everything.known : of_path;
      if (cheap > 0 && Accessed(known) > 0) {
        const double part = static_cast<double>(cheap) / static_cast<double>(Accessed(known));
        for (size_t i = 0; i < ROOF_COUNTERS; ++i) {
          if (!IsTraffic(i)) continue;
          sum[i] += static_cast<uint64_t>(std::llround(static_cast<double>(known[i]) * part));
        }
      } else if (cheap > 0 && layer != Layer::kOwn && (unknown.empty() || unknown.back() != path)) {
        unknown.push_back(path);
      }
      sink.Add({thread, path, layer}, sum);
    }
  }
  for (const IncompletePath& path : incomplete_) sink.Incomplete(path);
  for (const CriticalLine& known : critical_) {
    sink.Critical(known.context, known.line, known.cycles);
  }
  for (const auto& [context, times] : entered_) sink.Entered(context, times);
  return unknown;
}

}  // namespace roofmark::counting
