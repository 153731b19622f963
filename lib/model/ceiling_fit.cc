// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/ceiling_fit.h"

namespace roofmark {
namespace {

// What is counted must pass a ceiling's own figure by so much: the benchmarks behind them have
// loops and edges too.
constexpr double kClearly = 1.05;

Fit Passed(ProofId id, double number) { return {CeilingFit::kPassed, {id, number}}; }

const Value& Extent(const RegionInputs& region, Shortfall shortfall) {
  return region.extent[Index(shortfall)];
}

}  // namespace

Fit FitVectors(const RegionInputs& region, double lanes) {
  // Code that is half scalar is still held down by its scalar half.
  constexpr double kMostly = 1.5;
  const Value& used = Extent(region, Shortfall::kSimd);
  if (!used || *used < kMostly * lanes) return {};
  return Passed(ProofId::kLanes, *used);
}

Fit FitFused(const RegionInputs& region) {
  constexpr double kMostly = 0.5;
  const Value& fused = Extent(region, Shortfall::kFmaBalance);
  if (!region.kinds_told || !fused || *fused < kMostly) return {};
  return Passed(ProofId::kFused, *fused);
}

Fit FitFpShare(const RegionInputs& region, double share) {
  const Value& counted = Extent(region, Shortfall::kInstructionMix);
  if (!counted || *counted < kClearly * share) return {};
  return Passed(ProofId::kFpShare, *counted);
}

Fit FitCores(const RegionInputs& region, double share) {
  const Value& busiest = region.work.as_is;
  if (!busiest || 1 / *busiest < kClearly * share) return {};
  return Passed(ProofId::kBusiest, *busiest);
}

Fit FitTrafficCores(const RegionInputs& region, double share) {
  const Value& counted = region.traffic.as_is;
  if (!counted || *counted < kClearly * share) return {};
  return Passed(ProofId::kTrafficCores, *counted);
}

Fit FitDivisions(const RegionInputs& region) {
  constexpr double kMostly = 0.5;
  const Value& divided = Extent(region, Shortfall::kDivides);
  if (!divided || *divided >= kMostly) return {};
  return {CeilingFit::kForeign, {ProofId::kDivisions, *divided}};
}

Fit FitTraffic(const RegionInputs& region, TrafficMix mix) {
  // Between them, traffic is a mixture that both kinds of ceilings are near to.
  constexpr double kReadsAlone = 0.9, kMostly = 0.5;
  const Value& bytes = region.bytes[static_cast<size_t>(MemoryLevel::kDram)];
  if (!bytes || *bytes <= 0 || !region.dram_reads) return {};
  const double reads = *region.dram_reads / *bytes, writes = *bytes - *region.dram_reads;
  const bool reads_alone = reads >= kReadsAlone;
  const bool past_caches = writes > 0 && region.nt_bytes >= kMostly * writes;
  const TrafficMix own = reads_alone   ? TrafficMix::kReads
                         : past_caches ? TrafficMix::kNonTemporalStores
                                       : TrafficMix::kOrdinaryStores;
  if (mix == own) return {};
  return {CeilingFit::kForeign, {past_caches ? ProofId::kReadsPastCaches : ProofId::kReads, reads}};
}

Fit Either(Fit a, Fit b) { return a.fit == CeilingFit::kOpen ? b : a; }

}  // namespace roofmark
