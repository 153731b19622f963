// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/extrapolate.h"

#include <cmath>

namespace roofmark::counting {
namespace {

uint64_t Accessed(std::span<const uint64_t, ROOF_COUNTERS> counters) {
  return counters[ROOF_C_LOAD_BYTES] + counters[ROOF_C_STORE_BYTES];
}

void AddTo(std::span<uint64_t, ROOF_COUNTERS> into,
           std::span<const uint64_t, ROOF_COUNTERS> counters) {
  for (size_t i = 0; i < ROOF_COUNTERS; ++i) into[i] += counters[i];
}

}  // namespace

void Extrapolation::Add(const Context& context, std::span<const uint64_t, ROOF_COUNTERS> counters) {
  Counted& counted = threads_[{context.path, context.layer}][context.thread];
  AddTo(context.cheap ? counted.cheap : counted.full, counters);
}

std::vector<uint32_t> Extrapolation::HandOver(CountSink& sink) const {
  std::vector<uint32_t> unknown;
  for (const auto& [where, threads] : threads_) {
    const auto& [path, layer] = where;
    Counters of_all{};  // in full
    for (const auto& [thread, counted] : threads) AddTo(of_all, counted.full);
    for (const auto& [thread, counted] : threads) {
      Counters sum = counted.full;
      AddTo(sum, counted.cheap);
      const Counters& known = Accessed(counted.full) > 0 ? counted.full : of_all;
      if (Accessed(counted.cheap) > 0 && Accessed(known) > 0) {
        const double factor =
            static_cast<double>(Accessed(sum)) / static_cast<double>(Accessed(known));
        for (size_t i = 0; i < ROOF_COUNTERS; ++i) {
          if (!IsTraffic(i)) continue;
          sum[i] = static_cast<uint64_t>(std::llround(static_cast<double>(known[i]) * factor));
        }
      } else if (Accessed(counted.cheap) > 0 && (unknown.empty() || unknown.back() != path)) {
        unknown.push_back(path);
      }
      sink.Add({thread, path, layer, false}, sum);
    }
  }
  for (const IncompletePath& path : incomplete_) sink.Incomplete(path);
  return unknown;
}

}  // namespace roofmark::counting
