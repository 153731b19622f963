// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/harvest.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/core/log.h"

namespace roofmark::threads {

double Harvest(Threads& threads, const std::vector<MetricRule>& rules, std::string_view collector,
               HarvestSink& sink) {
  const std::string incomplete = threads.WhyIncomplete();
  if (!incomplete.empty()) {
    Complain(fmt::format(
        "counts of the {} collector are left out, because they miss some of the program's work: {}",
        collector, incomplete));
  }
  double least_share = 1;
  threads.Harvest([&](uint32_t worker, uint32_t path, const Sum* sums) {
    if (!IsMeasured(path)) return;
    for (const MetricRule& rule : rules) {
      const Weighed weighed = Weigh(rule, sums);
      least_share = std::min(least_share, weighed.share);
      const Status status = incomplete.empty() ? weighed.status : Status::kDenied;
      if (weighed.value != 0) sink.Add(worker, path, rule.metric, weighed.value);
      if (status != Status::kMeasured) sink.Doubt(path, rule.metric, status);
    }
  });
  return least_share;
}

}  // namespace roofmark::threads
