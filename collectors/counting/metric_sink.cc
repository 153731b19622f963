// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/metric_sink.h"

#include <algorithm>

#include "collectors/counting/dependences.h"

namespace roofmark::counting {

void MetricSink::Add(const Context& from, std::span<const uint64_t, ROOF_COUNTERS> counters) {
  const Context context = {from.thread, found_.PathOf(from.path), from.layer, from.extent};
  if (context.layer == Layer::kWork) {
    for (const Mapping& mapping : offer_.given) {
      Add(context, mapping.metric, counters[mapping.counter]);
    }
    if (offer_.dependences) AddDependences(context, counters);
    critical_[context.path].of_cycles += counters[ROOF_C_WINDOW_CYCLES];
  }
  for (const ApartMapping& mapping : offer_.apart) {
    if (mapping.layer != context.layer) continue;
    uint64_t sum = 0;
    for (const roof_counter counter : mapping.counters) sum += counters[counter];
    Add(context, mapping.metric, sum);
  }
}

void MetricSink::Incomplete(const IncompletePath& path) {
  DoubtAll(offer_, path.path, Status::kInvalid, sink_);
  for (MetricId id = metric::kFirstDependence; offer_.dependences && id <= metric::kLastDependence;
       ++id) {
    sink_.Doubt(path.path, id, Status::kInvalid);
  }
  incomplete_.push_back(path);
}

void MetricSink::Critical(const Context& context, const SourceLine& line, uint64_t cycles) {
  critical_[found_.PathOf(context.path)].cycles[{line.file, line.line}] += cycles;
}

void MetricSink::Entered(const Context& context, uint64_t times) {
  sink_.AddVisits(context.thread, found_.PathOf(context.path), times);
}

void MetricSink::HandOverCritical() {
  for (const auto& [path, known] : critical_) {
    const auto most = std::max_element(
        known.cycles.begin(), known.cycles.end(),
        [](const auto& one, const auto& other) { return one.second < other.second; });
    if (most == known.cycles.end()) continue;
    const auto& [file, line] = most->first;
    sink_.Critical(path, {file, line, most->second, known.of_cycles});
  }
}

void MetricSink::AddDependences(const Context& context,
                                std::span<const uint64_t, ROOF_COUNTERS> counters) {
  const std::array<uint64_t, kDependences> cycles = DependencesOf(counters);
  for (size_t i = 0; i < kDependences; ++i) {
    Add(context, static_cast<MetricId>(metric::kFirstDependence + i), cycles[i]);
  }
}

void MetricSink::Add(const Context& context, MetricId id, uint64_t value) {
  if (value != 0) sink_.Add(context.thread, context.path, id, value);
}

}  // namespace roofmark::counting
