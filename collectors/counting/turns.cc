// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/turns.h"

#include <fmt/format.h>

#include <cmath>

namespace roofmark::counting {
namespace {

void SayHowItIsKnown(uint32_t path, const ScaledPath& scaled, const Offer& offer,
                     HarvestSink& sink) {
  if (scaled.by_other_threads) sink.Doubt(path, metric::kTimeNs, Status::kInvalid);
  if (scaled.status == Status::kMeasured) return;
  DoubtAll(offer, path, scaled.status, sink);
  if (!scaled.flops_margin) {
    sink.Doubt(path, metric::kFlopsMargin, Status::kUnsupported);
  } else {
    sink.Add(kMainThread, path, metric::kFlopsMargin,
             static_cast<uint64_t>(std::llround(*scaled.flops_margin)));
  }
}

}  // namespace

std::string WhyNoTurns(Execution how, const CacheModel& model, const Settings& settings) {
  if (how != Execution::kInProcess) {
    return "visits take turns (ROOFMARK_VISITS=in-turns) under ROOFMARK_ENGINE=native alone, "
           "which leaves the others as they are";
  }
  if (model.geometry.levels > 0) {
    return "ROOFMARK_VISITS=in-turns does not model caches, which needs every visit: set "
           "ROOFMARK_COUNT=flops";
  }
  if (settings.executed || settings.outside) {
    return fmt::format("ROOFMARK_VISITS=in-turns counts in some visits only: set {}=off",
                       VariableName(settings.executed ? "executed" : "outside"));
  }
  return {};
}

void OfferScaled(Offer& offer) {
  offer.metrics.push_back({metric::kFlopsMargin, Status::kScaled, ""});
}

void HandOverScaled(const ScaledVisits& visits, const std::vector<uint32_t>& paths,
                    const Offer& offer, CountSink& counts, HarvestSink& sink) {
  for (const uint32_t path : paths) {
    SayHowItIsKnown(path, visits.Judge(path, sink.VisitsOf(path)), offer, sink);
  }
  visits.HandOver(counts, sink);
}

}  // namespace roofmark::counting
