// SPDX-License-Identifier: BSD-3-Clause
//
// What every collector offers. Two styles:
//  - accumulation by context: the collector is told which path the team and each thread are in
//    (EnterTeam, EnterOwn) and hands over its sums at the end (counting);
//  - none at the boundaries: what it gives is recorded by the markers themselves (timer, declared).
// The profile does not see the difference.
#ifndef ROOFMARK_COLLECTORS_COLLECTOR_H_
#define ROOFMARK_COLLECTORS_COLLECTOR_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/extent.h"
#include "lib/core/critical_place.h"
#include "lib/core/distribution.h"
#include "lib/core/layer.h"
#include "lib/core/metric.h"
#include "lib/core/result.h"
#include "lib/core/settings.h"
#include "lib/core/status.h"
#include "lib/counts/device.h"
#include "lib/counts/store.h"
#include "lib/found/executed.h"

namespace roofmark {

// A metric that the collector gives, or knows that it cannot give, with the reason.
struct OfferedMetric {
  MetricId metric;
  Status status;
  std::string reason;
  // Of a user's metric: the event as the user wrote it, its unit, whose it is.
  std::string label = {}, unit = {};
  Scope scope = Scope::kThread;
  // Who counts it, if that is not the collector by its own means: "perf_event" in papi's list.
  std::string origin = {};
};

// What a package's memory controllers moved while none of the job's processes on it was in a
// region.
struct Background {
  uint32_t package = 0;  // as the kernel numbers them
  uint64_t bytes = 0, ns = 0;
};

// A region that a collector found by itself: no marker opened it.
struct FoundRegion {
  std::string_view name;
  std::string_view file;  // of the source; empty: not known
  uint32_t line = 0;
};

// Visits of a path, of all threads.
struct VisitCounts {
  uint64_t all = 0;
  std::array<uint64_t, counts::kStrata> counted{};  // of those that were counted, by stratum
  // How long the first visit took, over the mean of the others that were timed: if it was not
  // counted, and took more than twice as long as all of them but one, which may have been
  // interrupted, or less than half as long as the shortest.
  std::optional<double> unlike_first;
  // Nothing tells what it took beside the others, since none of them was timed.
  bool others_untimed = false;
};

// Receives what was counted.
class HarvestSink {
 public:
  // A path below `parent` that the process does not know yet; returns its number, for the calls
  // below. A path that is not taken is its parent.
  virtual uint32_t DefinePath(uint32_t parent, const FoundRegion& /*region*/) { return parent; }
  // The full name of a path, as in files.
  virtual std::string FullName(uint32_t /*path*/) const { return ""; }
  // Where visits take turns (VisitPolicy::Kind::kInTurns).
  virtual VisitCounts VisitsOf(uint32_t /*path*/) const { return {}; }
  // How often a worker began such a region.
  virtual void AddVisits(uint32_t /*worker*/, uint32_t /*path*/, uint64_t /*visits*/) {}
  // Exclusive sums: work in a path but in none of its children. `worker` tells threads of the
  // process apart and has no other meaning.
  virtual void Add(uint32_t worker, uint32_t path, MetricId metric, uint64_t value) = 0;
  // What belongs to the process or a package as a whole, children included. A path for which this
  // is not called has no value of such a metric in this process: another one hands it over.
  virtual void AddInclusive(uint32_t path, MetricId metric, uint64_t value) = 0;
  // What several processes have together, children included, handed over by one of them. `path` is
  // a full name, as in files: this process may never have been there. Parts of one (path, metric)
  // add up. A status without value: there is none, and that is why.
  virtual void AddShared(std::string_view path, MetricId metric, const Distribution& value,
                         Status status) = 0;
  // What the path has of this metric is not as good as the metric was offered: kScaled, or a status
  // without value. The worst of several counts.
  virtual void Doubt(uint32_t path, MetricId metric, Status status) = 0;
  // Of the path without its children, at most once.
  virtual void Critical(uint32_t /*path*/, const CriticalPlace& /*place*/) {}

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
  // Path 0 stands for "in no region". EnterTeam is called by the main thread, EnterOwn by the
  // thread it concerns; a thread's own path, if not 0, wins over the team's. If this visit is not
  // `measured`, what happens in it goes nowhere. `finished` is the visit of the team or of the
  // thread that this boundary ends; nullptr: none, or one inside another of its path.
  virtual void EnterTeam(uint32_t /*path*/, bool /*measured*/ = true,
                         const counts::FinishedVisit* /*finished*/ = nullptr) noexcept {}
  virtual void EnterOwn(uint32_t /*path*/, bool /*measured*/ = true,
                        const counts::FinishedVisit* /*finished*/ = nullptr) noexcept {}
  // A path is new: a region opened below `parent`. Called before the path is entered, once, by any
  // thread. `name` is its full name, as in files.
  virtual void DefinePath(uint32_t /*path*/, uint32_t /*parent*/, std::string_view /*name*/) {}
  // From here on so much is counted, on every thread, whatever the boundaries say; at first, all.
  // Called on any thread.
  virtual void SetCounting(Extent /*extent*/) noexcept {}
  // True if EnterLayer should be called where layers are known, because what the collector counts
  // does not tell by itself what was executed for MPI and for OpenMP runtimes.
  virtual bool FollowsLayers() const { return false; }
  // The calling thread goes on in this layer, whatever path it is in. Returns the one in which it
  // was.
  virtual Layer EnterLayer(Layer /*layer*/) noexcept { return Layer::kWork; }
  // True if what is in a visit that is not `measured` is executed as without the collector, and it
  // extrapolates what it counts by HarvestSink::VisitsOf(): then visits take turns.
  virtual bool TakesTurns() const { return false; }
  // True if it counts visits that need not be measured as well, and extrapolates by itself what it
  // does not count of them: then no visit is kept from it.
  virtual bool CountsEveryVisit() const { return false; }

  // From here on counts are kept in `store`, which outlives the collector, as well. After Open()
  // and before the first path is entered; every visit will be measured.
  virtual void KeepIn(counts::CountStore& /*store*/) {}

  // The sums, at the end. Called on one thread; regions of other threads may still be open.
  virtual void Harvest(HarvestSink& /*sink*/) {}
  // The sums so far: the program goes on, so this may be called any number of times before Harvest,
  // and changes nothing of what that gives. Returned, with the reason: metrics that are known at
  // the end only and were not handed over.
  virtual std::vector<OfferedMetric> HarvestSoFar(HarvestSink& sink) {
    Harvest(sink);
    return {};
  }
  // True if it hands over the counts of path 0 as well.
  virtual bool CountsOutside() const { return false; }
  // Which code was executed, if that is wanted and known. After Harvest, once.
  virtual std::optional<Executed> TakeExecuted() { return std::nullopt; }
  // After Harvest.
  virtual std::vector<Background> BackgroundTraffic() const { return {}; }
  // True if all that it counts is of devices, and nothing of it of threads or of the process.
  virtual bool CountsDevices() const { return false; }
  // After Harvest.
  virtual std::vector<counts::DeviceCounts> Devices() const { return {}; }
  // How it was configured, for the file: cache geometry, engine.
  virtual std::map<std::string, std::string> Facts() const { return {}; }
  // False if the times of this run say nothing about the program.
  virtual bool TimesAreReal() const { return true; }
};

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_COLLECTOR_H_
