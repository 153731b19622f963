// SPDX-License-Identifier: BSD-3-Clause
//
// The counting collector where visits take turns (ROOFMARK_VISITS=in-turns): when they can, what it
// offers then, and how it hands over what was counted in some visits only.
#ifndef ROOFMARK_COLLECTORS_COUNTING_TURNS_H_
#define ROOFMARK_COLLECTORS_COUNTING_TURNS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "collectors/collector.h"
#include "collectors/counting/engine.h"
#include "collectors/counting/offer.h"
#include "collectors/counting/scaled_visits.h"

namespace roofmark::counting {

// What keeps visits from taking turns; empty: nothing. `how`, `model`: of the engine.
std::string WhyNoTurns(Execution how, const CacheModel& model, const Settings& settings);

void OfferScaled(Offer& offer);
inline constexpr char kHowItIsScaled[] =
    "counts are scaled from the visits that were counted to all. The interval of FLOPs (95 %) "
    "comes from what up to 8 groups of these visits differ by";

// To `counts` what was counted, scaled; to `sink` what of each of `paths` is scaled, unknown or
// uncertain, in all metrics that `offer` gives.
void HandOverScaled(const ScaledVisits& visits, const std::vector<uint32_t>& paths,
                    const Offer& offer, CountSink& counts, HarvestSink& sink);

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_TURNS_H_
