// SPDX-License-Identifier: BSD-3-Clause
//
// What every collector offers. Two styles:
//  - accumulation by context: the collector is told which path the team and each thread are in
//    (EnterTeam, EnterOwn) and hands over its sums at the end (counting);
//  - none at the boundaries: what it gives is recorded by the markers themselves (timer, declared).
// The profile does not see the difference.
#ifndef ROOFMARK_COLLECTORS_COLLECTOR_H_
#define ROOFMARK_COLLECTORS_COLLECTOR_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/metric.h"
#include "lib/core/result.h"
#include "lib/core/settings.h"
#include "lib/core/status.h"

namespace roofmark {

// A metric that the collector gives, or knows that it cannot give, with the reason.
struct OfferedMetric {
  MetricId metric;
  Status status;
  std::string reason;
};

// Receives exclusive sums: work in a path but in none of its children. `worker` tells threads of
// the process apart and has no other meaning.
class HarvestSink {
 public:
  virtual void Add(uint32_t worker, uint32_t path, MetricId metric, uint64_t value) = 0;
  // What the path has of this metric is not as good as the metric was offered: kScaled, or a status
  // without value. The worst of several counts.
  virtual void Doubt(uint32_t path, MetricId metric, Status status) = 0;

 protected:
  ~HarvestSink() = default;
};

class Collector {
 public:
  virtual ~Collector() = default;

  virtual std::string_view Name() const = 0;

  // Called once, before anything else. The error says why this collector cannot work here and what
  // would cure it.
  virtual Result<std::vector<OfferedMetric>> Open(const Settings& settings) = 0;

  // True if EnterTeam and EnterOwn must be called at every boundary.
  virtual bool WantsContexts() const { return false; }
  // Path 0 stands for "in no measured region". EnterTeam is called by the main thread, EnterOwn by
  // the thread it concerns; a thread's own path, if not 0, wins over the team's.
  virtual void EnterTeam(uint32_t path) noexcept {}
  virtual void EnterOwn(uint32_t path) noexcept {}
  // No measured visit will follow for a long time (false), or one follows now (true).
  virtual void SetCounting(bool on) noexcept {}

  // Sums so far. Called on one thread; regions of other threads may still be open.
  virtual void Harvest(HarvestSink& sink) {}
  // How it was configured, for the file: cache geometry, engine.
  virtual std::map<std::string, std::string> Facts() const { return {}; }
  // False if the times of this run say nothing about the program.
  virtual bool TimesAreReal() const { return true; }
};

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_COLLECTOR_H_
