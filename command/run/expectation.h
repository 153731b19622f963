// SPDX-License-Identifier: BSD-3-Clause
//
// How long an execution under the counting engine may take, from what the time pass took and from
// slowdowns that were measured (docs/results). The range is wide because programs differ.
#ifndef ROOFMARK_COMMAND_RUN_EXPECTATION_H_
#define ROOFMARK_COMMAND_RUN_EXPECTATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/profile/profile.h"

namespace roofmark::cli {

struct Expectation {
  double least_s = 0, most_s = 0;
};

// What the engine is to count.
struct WorkExtent {
  std::string count = "cache";  // as ROOFMARK_COUNT
  uint64_t first_visits = 0;    // first:K of ROOFMARK_VISITS; 0: all visits are modelled
  bool sampled = false;         // fewer cache lines are simulated
  // The processor executes the program itself where FLOPs alone are counted.
  bool native = false;
  bool bursts = false;  // caches are modelled in bursts; the native engine alone can
};

Expectation ExpectWork(const JobProfile& time, const WorkExtent& extent);

// The share of the run's time in which caches are modelled with first:K.
double ModelledShare(const JobProfile& time, uint64_t first_visits);

// By path: mean over the ranks of its time outside the paths below it.
std::vector<double> OwnTimesNs(const JobProfile& time);

// "40 s", "12 min", "3.5 h".
std::string Duration(double seconds);
// "40 s to 12 min".
std::string Describe(const Expectation& expectation);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_EXPECTATION_H_
