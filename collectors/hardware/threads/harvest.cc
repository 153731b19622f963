// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/harvest.h"

#include <algorithm>

#include "lib/core/log.h"
#include "lib/core/messages/collectors.h"

namespace roofmark::threads {
namespace {

std::optional<MetricId> Apart(MetricId of_work) {
  if (IsFlops(of_work)) return metric::kFlopsApart;
  switch (of_work) {
    case metric::kInstructions:
      return metric::kInstructionsApart;
    case metric::kLoadBytes:
      return metric::kLoadsApart;
    case metric::kStoreBytes:
      return metric::kStoresApart;
    case metric::kDramReadBytes:
    case metric::kDramWriteBytes:
      return metric::kDramApart;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<MetricId> InLayer(MetricId of_work, Layer layer) {
  if (layer == Layer::kWork || IsUser(of_work)) return of_work;
  const std::optional<MetricId> apart = Apart(of_work);
  if (!apart) return std::nullopt;
  return layer == Layer::kMpi ? InMpi(*apart) : InRuntime(*apart);
}

double Harvest(Threads& threads, const std::vector<MetricRule>& rules, std::string_view collector,
               HarvestSink& sink) {
  const std::string incomplete = threads.WhyIncomplete();
  if (!incomplete.empty()) Complain(message::kCountsLeftOut, collector, incomplete);
  double least_share = 1;
  threads.Harvest([&](uint32_t worker, Layer layer, uint32_t path, const Sum* sums) {
    if (!IsMeasured(path)) return;
    for (const MetricRule& rule : rules) {
      const std::optional<MetricId> metric = InLayer(rule.metric, layer);
      if (!metric) continue;
      const Weighed weighed = Weigh(rule, sums);
      least_share = std::min(least_share, weighed.share);
      const Status status = incomplete.empty() ? weighed.status : Status::kDenied;
      if (weighed.value != 0) sink.Add(worker, path, *metric, weighed.value);
      if (status != Status::kMeasured) sink.Doubt(path, *metric, status);
    }
  });
  return least_share;
}

}  // namespace roofmark::threads
