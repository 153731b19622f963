// SPDX-License-Identifier: BSD-3-Clause
//
// The resource-time model: the least time that each resource of the machine needs for a region's
// work, from measured rates, with some of its shortfalls cured. The region cannot be faster than
// its busiest resource, so work / the largest of these times is an upper bound of performance
// (bound and bottleneck analysis; sections 3 and A.3 of the 2008 roofline report).
#ifndef ROOFMARK_LIB_MODEL_RESOURCE_TIMES_H_
#define ROOFMARK_LIB_MODEL_RESOURCE_TIMES_H_

#include <array>
#include <string>

#include "lib/model/pipe_times.h"
#include "lib/model/region_inputs.h"
#include "lib/model/shortfall.h"

namespace roofmark {

// Seconds over all cores of the job; 0 where a resource is not known or has nothing to do.
struct ResourceTimes {
  double pipes_s = 0;    // floating-point pipes
  double divider_s = 0;  // divisions and square roots
  double issue_s = 0;    // issue slots
  // Cycles as they were spent: issuing what cannot be issued faster, and stalled on memory.
  double cycles_s = 0;
  std::array<double, kMemoryLevels> level_s = {};
  // By dependences: operations and loads that wait for each other, at the machine's latencies.
  double dependences_s = 0;

  double ComputeSeconds() const;  // without the memory levels, stalls and loads from far
  // The two sides of a core: what it does with data in L1, and how its data come there. They
  // overlap as far as its window of instructions and its prefetchers reach.
  double CoreSeconds() const;
  double MemorySeconds() const;
  double Seconds() const;       // the largest: both sides overlap wholly
  double ApartSeconds() const;  // the sides one after the other, never less
  // "compute", "dependences", "branches", "atomics", "latency", or the memory level that is the
  // largest.
  std::string Binding() const;
  std::string WaitsFor() const;  // by what most of dependences_s is spent on, the work apart
  // The same of either side.
  std::string CoreBinding() const, MemoryBinding() const;
  double stalled_s = 0;  // part of cycles_s
  // Parts of dependences_s.
  double far_s = 0;       // loads from beyond L1
  double entering_s = 0;  // instructions enter one after the other
  double units_s = 0;     // operations wait for a unit of the core
  double branches_s = 0;  // mispredicted branches
  double atomics_s = 0;

  // Of dependences_s, what the core works all the time.
  double WorkingSeconds() const { return entering_s + units_s; }
};

// A region's bytes of DRAM traffic with only those of the walls that are left.
struct WallBytes {
  double all = 0, kept = 1, removed = 0;  // `kept` is a share of what is no removed fetch
};

// What the counters leave open: `kBest` gives the true bound.
//
// Never rises in any member of the sum when a shortfall is cured, or when `untold` is kBest.
ResourceTimes LeastTimes(const RegionInputs& region, const JobModel& model,
                         const Shortfalls& shortfalls, Untold untold);

// Bytes of DRAM traffic with only those of the intensity walls that are in `shortfalls`. kBest: as
// little of a wall as the counters allow is curable.
double DramBytes(const RegionInputs& region, const Shortfalls& shortfalls, Untold untold);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_RESOURCE_TIMES_H_
