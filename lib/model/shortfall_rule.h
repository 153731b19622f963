// SPDX-License-Identifier: BSD-3-Clause
//
// What the model asks of a shortfall: how far it goes in a region, and what it costs. Each file in
// shortfalls/ defines rules; shortfall_table.cc is the only one that includes them.
#ifndef ROOFMARK_LIB_MODEL_SHORTFALL_RULE_H_
#define ROOFMARK_LIB_MODEL_SHORTFALL_RULE_H_

#include "lib/model/region_inputs.h"
#include "lib/model/resource_times.h"
#include "lib/model/shortfall.h"

namespace roofmark {

// One region of a job, and what it is held against.
struct RegionSource {
  const JobProfile& job;
  size_t path;
  const JobModel& model;

  Value Sum(MetricId metric) const { return MetricSum(job, path, metric); }
};

// The times with the shortfalls that are `left`.
struct TimesSource {
  const RegionInputs& region;
  const JobModel& model;
  const Shortfalls& left;
  Untold untold;
};

struct ShortfallRule {
  // How far it goes; without a number the model cannot tell, and why. Called in the order of the
  // table, when all that is no shortfall's is in `region`; what `cost` needs besides goes there
  // too.
  Value (*extent)(const RegionSource&, RegionInputs& region);
  // Where it is left: raises the times it costs, never lowers one. nullptr: the units' times, the
  // balance of work or of traffic have it (resource_times.cc).
  void (*cost)(const TimesSource&, ResourceTimes& times) = nullptr;
  // Where it is fixed: takes away the bytes that go with it.
  void (*spare)(const RegionInputs&, Untold, WallBytes& bytes) = nullptr;
};

inline double NumberOr0(const Value& value) { return value ? *value : 0; }

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_SHORTFALL_RULE_H_
