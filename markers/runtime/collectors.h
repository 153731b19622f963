// SPDX-License-Identifier: BSD-3-Clause
//
// The explicit list of collectors, and which of them a process records with.
#ifndef ROOFMARK_MARKERS_RUNTIME_COLLECTORS_H_
#define ROOFMARK_MARKERS_RUNTIME_COLLECTORS_H_

#include <array>
#include <memory>
#include <string>

#include "collectors/collector.h"
#include "lib/core/settings.h"
#include "lib/profile/profile.h"

namespace roofmark::runtime {

struct Choice {
  std::unique_ptr<Collector> counter;  // nullptr: calls and time only
  std::string name = "timer";          // of what counts
  std::array<MetricSource, kMetrics> sources;
  std::string line;   // what is counted, and why anything is not: one sentence
  std::string error;  // the collector that was asked for cannot open; `line` says what still works
  std::string why_no_counters;  // counters were to be read and none opened
};

Choice ChooseCollectors(const Settings& settings);

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_COLLECTORS_H_
