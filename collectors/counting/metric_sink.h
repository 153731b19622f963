// SPDX-License-Identifier: BSD-3-Clause
//
// From an engine's contexts to metrics. Only work is the region's; other layers have metrics of
// their own, and roofmark's own layer has none.
#ifndef ROOFMARK_COLLECTORS_COUNTING_METRIC_SINK_H_
#define ROOFMARK_COLLECTORS_COUNTING_METRIC_SINK_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "collectors/collector.h"
#include "collectors/counting/engine.h"
#include "collectors/counting/found_paths.h"
#include "collectors/counting/offer.h"

namespace roofmark::counting {

class MetricSink final : public CountSink {
 public:
  // `found` has its paths defined in `sink`.
  MetricSink(const Offer& offer, const FoundPaths& found, HarvestSink& sink)
      : offer_(offer), found_(found), sink_(sink) {}

  void Add(const Context& from, std::span<const uint64_t, ROOF_COUNTERS> counters) override;
  void Incomplete(const IncompletePath& path) override;
  void Critical(const Context& context, const SourceLine& line, uint64_t cycles) override;
  void Entered(const Context& context, uint64_t times) override;

  // Of each path the line with most cycles of all threads.
  void HandOverCritical();
  std::vector<IncompletePath> TakeIncomplete() { return std::move(incomplete_); }

 private:
  struct CriticalPath {
    std::map<std::pair<std::string, uint32_t>, uint64_t> cycles;  // by source line
    uint64_t of_cycles = 0;
  };

  void AddDependences(const Context& context, std::span<const uint64_t, ROOF_COUNTERS> counters);
  void Add(const Context& context, MetricId id, uint64_t value);

  const Offer& offer_;
  const FoundPaths& found_;
  HarvestSink& sink_;
  std::vector<IncompletePath> incomplete_;
  std::map<uint32_t, CriticalPath> critical_;  // by path
};

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_METRIC_SINK_H_
