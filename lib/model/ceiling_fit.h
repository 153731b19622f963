// SPDX-License-Identifier: BSD-3-Clause
//
// Which architecture-oriented ceilings can hold a region down. A ceiling is what code sustains that
// lacks something: vectors, fused operations, work on every core. Where the counters show that a
// region has it, the ceiling is no limit of this region, only a step that it has taken; and a
// bandwidth of reads alone says nothing of code that writes as much.
#ifndef ROOFMARK_LIB_MODEL_CEILING_FIT_H_
#define ROOFMARK_LIB_MODEL_CEILING_FIT_H_

#include "lib/model/ceiling.h"
#include "lib/model/region_inputs.h"

namespace roofmark {

struct Fit {
  CeilingFit fit = CeilingFit::kOpen;
  Proof proof;
};

// What holds code below a ceiling down, as far as a region's counters can tell.
Fit FitVectors(const RegionInputs& region, double lanes);       // no more lanes than these
Fit FitFused(const RegionInputs& region);                       // no fused operations
Fit FitFpShare(const RegionInputs& region, double share);       // of the instructions
Fit FitCores(const RegionInputs& region, double share);         // of the cores have work
Fit FitTrafficCores(const RegionInputs& region, double share);  // of the cores move bytes
Fit FitDivisions(const RegionInputs& region);                   // nothing but divisions or roots
enum class TrafficMix : uint8_t { kReads, kOrdinaryStores, kNonTemporalStores };
Fit FitTraffic(const RegionInputs& region, TrafficMix mix);

// Code that has one of two features has passed a ceiling that lacks both.
Fit Either(Fit a, Fit b);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_CEILING_FIT_H_
