// SPDX-License-Identifier: BSD-3-Clause
//
// Which metrics an engine's counters become, and which of them a run gives.
#ifndef ROOFMARK_COLLECTORS_COUNTING_OFFER_H_
#define ROOFMARK_COLLECTORS_COUNTING_OFFER_H_

#include <array>
#include <span>
#include <vector>

#include "collectors/collector.h"
#include "collectors/counting/engine.h"
#include "collectors/counting/schema.h"

namespace roofmark::counting {

struct Mapping {
  roof_counter counter;
  MetricId metric;
};

// A metric of a layer that is not work: the sum of these counters.
struct ApartMapping {
  Layer layer;
  MetricId metric;
  std::span<const roof_counter> counters;
};

struct Offer {
  std::vector<Mapping> given;
  std::vector<ApartMapping> apart;
  bool dependences = false;  // of all metrics from metric::kFirstDependence on; dependences.h
  std::vector<OfferedMetric> metrics;  // with the reason where one is not given
};

// To `sink`: how all counters' metrics are known in a path; dependences are not among them.
void DoubtAll(const Offer& offer, uint32_t path, Status status, HarvestSink& sink);

// `layers`: of the engine.
Offer OfferOf(const CacheModel& model, const Capability<Layers>& layers);

// Those of PathMargin, in its order. A level that is not modelled has none.
inline constexpr std::array<MetricId, 3> kMarginMetrics = {
    metric::kL1MarginBytes, metric::kL2MarginBytes, metric::kDramMarginBytes};
// Where visits are sampled.
void OfferMargins(const CacheModel& model, Offer& offer);

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_OFFER_H_
