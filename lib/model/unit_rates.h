// SPDX-License-Identifier: BSD-3-Clause
//
// What the execution units of a job's cores sustain, from the measured ceilings of its machine. A
// rate that was not measured is replaced by one that it cannot exceed (of more kinds or of the
// whole precision), so that what is derived stays an upper bound: see pipe_times.h.
#ifndef ROOFMARK_LIB_MODEL_UNIT_RATES_H_
#define ROOFMARK_LIB_MODEL_UNIT_RATES_H_

#include <array>

#include "lib/core/metric.h"
#include "lib/model/job_scope.h"
#include "lib/model/machine.h"

namespace roofmark {

// One precision and width, over the whole job; 0: unknown.
struct WidthRates {
  std::array<double, kFlopKinds> alone = {};  // GFLOP/s of one kind
  double best = 0;                            // GFLOP/s of any kinds together
  // 1e9 lane operations per second of any kinds together, a fused one being one: the pipes that add
  // and those that multiply at once.
  double lane_operations = 0;
};

struct UnitRates {
  // Of hosts that are all such machines.
  UnitRates(const Machine& machine, const std::vector<ActiveHost>& hosts);
  // Adds those of nodes of another kind. A rate is the sum over all nodes that execute such
  // instructions; unknown of one of them it is unknown. The clock is the highest, and what it loses
  // when all work is the mean over all cores, weighted by what they do alone.
  void Add(const UnitRates& other);

  std::array<std::array<WidthRates, kWidths>, kPrecisions> by_width;
  // The highest over all widths, figure by figure.
  std::array<WidthRates, kPrecisions> widest;
  std::array<double, kPrecisions> widest_lanes = {};  // 0: no width is known
  std::array<double, kPrecisions> peak = {};          // GFLOP/s; 0: not measured
  double bfloat16_peak = 0;
  // Some node executes such instructions.
  std::array<bool, kWidths> executes = {};
  // 1e9 instructions per second that can be issued, from the mixes of section A.1.4 of the 2008
  // report; 0: not measured.
  double issue = 0;
  double cores = 0;      // over all hosts
  double clock_ghz = 0;  // the highest that a core held; 0: not measured
  // Rate of all cores over cores x the rate of one alone, at most 1: what the clock loses when all
  // work.
  double scaling = 1;

  const WidthRates& At(Precision precision, Width width) const {
    return by_width[static_cast<size_t>(precision)][static_cast<size_t>(width)];
  }
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_UNIT_RATES_H_
