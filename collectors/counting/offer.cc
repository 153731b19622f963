// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/offer.h"

#include <array>
#include <span>

namespace roofmark::counting {
namespace {

static_assert(ROOF_C_FLOPS_COUNT == int{kFlopClasses});
static_assert(ROOF_C_FLOPS(ROOF_SP, ROOF_256, ROOF_FMA) ==
              FlopMetric(Precision::kSingle, Width::k256, FlopKind::kFma));

// What every engine counts, beside the FLOP classes (whose indices are the metrics').
constexpr std::array kInstructionMix = {
    Mapping{ROOF_C_BF16_FLOPS, WholeFlops(WholePrecision::kBfloat16)},
    Mapping{ROOF_C_VNNI_OPERATIONS, metric::kVnniOperations},
    Mapping{ROOF_C_INSTRUCTIONS, metric::kInstructions},
    Mapping{ROOF_C_FP_INSTRUCTIONS, metric::kFpInstructions},
    Mapping{ROOF_C_FP_OTHER_INSTRUCTIONS, metric::kFpOtherInstructions},
    Mapping{ROOF_C_X87_TRANSCENDENTALS, metric::kX87Transcendentals},
    Mapping{ROOF_C_LOAD_INSTRUCTIONS, metric::kLoadInstructions},
    Mapping{ROOF_C_STORE_INSTRUCTIONS, metric::kStoreInstructions},
    Mapping{ROOF_C_BRANCH_INSTRUCTIONS, metric::kBranchInstructions},
    Mapping{ROOF_C_LOAD_BYTES, metric::kLoadBytes},
    Mapping{ROOF_C_STORE_BYTES, metric::kStoreBytes},
    Mapping{ROOF_C_NT_STORE_BYTES, metric::kNtStoreBytes},
};
// Two for each level, nearest first.
constexpr std::array kCacheLevels = {
    Mapping{ROOF_C_L1_READ_BYTES, metric::kL1ReadBytes},
    Mapping{ROOF_C_L1_WRITE_BYTES, metric::kL1WriteBytes},
    Mapping{ROOF_C_L2_READ_BYTES, metric::kL2ReadBytes},
    Mapping{ROOF_C_L2_WRITE_BYTES, metric::kL2WriteBytes},
    Mapping{ROOF_C_L3_READ_BYTES, metric::kL3ReadBytes},
    Mapping{ROOF_C_L3_WRITE_BYTES, metric::kL3WriteBytes},
};
constexpr std::array kDram = {
    Mapping{ROOF_C_DRAM_READ_BYTES, metric::kDramReadBytes},
    Mapping{ROOF_C_DRAM_WRITE_BYTES, metric::kDramWriteBytes},
    Mapping{ROOF_C_DRAM_NT_BYTES, metric::kDramNtBytes},
    Mapping{ROOF_C_DRAM_DIRTY_BYTES, metric::kDramDirtyBytes},
    Mapping{ROOF_C_STORE_FILL_BYTES, metric::kStoreFillBytes},
};
constexpr std::array kThreeCs = {
    Mapping{ROOF_C_MISSES_COMPULSORY, metric::kMissesCompulsory},
    Mapping{ROOF_C_MISSES_CAPACITY, metric::kMissesCapacity},
    Mapping{ROOF_C_MISSES_CONFLICT, metric::kMissesConflict},
};

constexpr std::array kStreams = {
    Mapping{ROOF_C_WINDOW_LINES, metric::kWindowLines},
    Mapping{ROOF_C_WINDOW_STREAM_LINES, metric::kWindowStreamLines},
};
constexpr char kNoWindows[] =
    "dependences were not followed in this run: ROOFMARK_LATENCIES with ROOFMARK_COUNT=cache and "
    "ROOFMARK_SAMPLE=1 follows them";

static_assert(ROOF_C_BF16_FLOPS == int{kFlopClasses});
constexpr std::array<roof_counter, kFlopClasses + 1> AllFlops() {
  std::array<roof_counter, kFlopClasses + 1> all = {};
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<roof_counter>(i);
  return all;
}
constexpr std::array kFlops = AllFlops();
constexpr std::array kInstructions = {ROOF_C_INSTRUCTIONS};
constexpr std::array kLoads = {ROOF_C_LOAD_BYTES};
constexpr std::array kStores = {ROOF_C_STORE_BYTES};
constexpr std::array kMoved = {ROOF_C_DRAM_READ_BYTES, ROOF_C_DRAM_WRITE_BYTES};

// Of a layer that is not work, in the order of metric::kInstructionsApart and those after it.
constexpr std::array<std::span<const roof_counter>, 5> kApart = {kInstructions, kFlops, kLoads,
                                                                 kStores, kMoved};

void Give(std::span<const Mapping> mappings, Status status, Offer& offer) {
  for (const Mapping& mapping : mappings) {
    offer.given.push_back(mapping);
    offer.metrics.push_back({mapping.metric, status, ""});
  }
}

void Refuse(std::span<const Mapping> mappings, const char* reason, Offer& offer) {
  for (const Mapping& mapping : mappings) {
    offer.metrics.push_back({mapping.metric, Status::kUnsupported, reason});
  }
}

void GiveOrRefuse(bool give, std::span<const Mapping> mappings, const char* reason, Offer& offer) {
  if (give) {
    Give(mappings, Status::kModelled, offer);
  } else {
    Refuse(mappings, reason, offer);
  }
}

void GiveApart(Layer layer, MetricId first, bool caches, Offer& offer) {
  for (size_t i = 0; i < kApart.size(); ++i) {
    const bool traffic = i == metric::kDramApart;
    if (traffic && !caches) continue;
    const auto id = static_cast<MetricId>(first + i);
    offer.apart.push_back({layer, id, kApart[i]});
    offer.metrics.push_back({id, traffic ? Status::kModelled : Status::kMeasured, ""});
  }
}

}  // namespace

void DoubtAll(const Offer& offer, uint32_t path, Status status, HarvestSink& sink) {
  for (const Mapping& mapping : offer.given) sink.Doubt(path, mapping.metric, status);
  for (const ApartMapping& mapping : offer.apart) sink.Doubt(path, mapping.metric, status);
}

Offer OfferOf(const CacheModel& model, const Capability<Layers>& layers) {
  Offer offer;
  for (MetricId id = 0; id < kFlopClasses; ++id) {
    Give(std::array{Mapping{static_cast<roof_counter>(id), id}}, Status::kMeasured, offer);
  }
  Give(kInstructionMix, Status::kMeasured, offer);
  const std::span levels(kCacheLevels);
  const size_t modelled = 2 * size_t{model.geometry.levels};
  Give(levels.first(modelled), Status::kModelled, offer);
  Refuse(levels.subspan(modelled), "this cache level is not modelled in this run", offer);
  const bool caches = model.geometry.levels > 0;
  if (layers) {
    GiveApart(Layer::kMpi, metric::kFirstInMpi, caches, offer);
    GiveApart(Layer::kRuntime, metric::kFirstInRuntime, caches, offer);
  }
  for (MetricId id = metric::kFirstInMpi; !layers && id <= metric::kLastInRuntime; ++id) {
    offer.metrics.push_back({id, Status::kUnsupported, layers.error()});
  }
  GiveOrRefuse(caches, kDram, "no cache model in this run: set ROOFMARK_COUNT=cache", offer);
  GiveOrRefuse(caches && model.three_cs, kThreeCs,
               "misses were not classified in this run: set ROOFMARK_COUNT=threec", offer);
  offer.dependences = model.windows;
  for (MetricId id = metric::kFirstDependence; id <= metric::kLastDependence; ++id) {
    offer.metrics.push_back({id, model.windows ? Status::kModelled : Status::kUnsupported,
                             model.windows ? "" : kNoWindows});
  }
  GiveOrRefuse(model.windows, kStreams, kNoWindows, offer);
  return offer;
}

void OfferMargins(const CacheModel& model, Offer& offer) {
  for (const MetricId id : kMarginMetrics) {
    const uint32_t least_levels = id == metric::kL2MarginBytes ? 2 : 1;
    if (model.geometry.levels >= least_levels) offer.metrics.push_back({id, Status::kModelled, ""});
  }
}

}  // namespace roofmark::counting
