// SPDX-License-Identifier: BSD-3-Clause
//
// What a collector hands over, by worker and path.
#ifndef ROOFMARK_MARKERS_RUNTIME_WORKER_SUMS_H_
#define ROOFMARK_MARKERS_RUNTIME_WORKER_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/collector.h"
#include "lib/fold/fold.h"
#include "markers/turns.h"

namespace roofmark::runtime {

// To `input`, which has the paths that markers opened.
class WorkerSums final : public HarvestSink {
 public:
  WorkerSums(const markers::Turns& turns, FoldInput& input)
      : turns_(turns), input_(input), known_(input.nodes.size()) {}

  uint32_t DefinePath(uint32_t parent, const FoundRegion& region) override;
  std::string FullName(uint32_t path) const override;
  VisitCounts VisitsOf(uint32_t path) const override;
  void AddVisits(uint32_t worker, uint32_t path, uint64_t visits) override;
  void Add(uint32_t worker, uint32_t path, MetricId id, uint64_t value) override;
  void AddInclusive(uint32_t path, MetricId id, uint64_t value) override;
  void AddShared(std::string_view path, MetricId id, const Distribution& value,
                 Status status) override;
  void Doubt(uint32_t path, MetricId id, Status status) override;
  void Critical(uint32_t path, const CriticalPlace& place) override;

 private:
  // Where a path stands among the nodes; nothing for one that was opened since they were looked at.
  std::optional<size_t> RowOf(uint32_t path) const;
  uint32_t NumberOf(uint32_t row) const;

  const markers::Turns& turns_;
  FoldInput& input_;
  const size_t known_;  // nodes that markers opened
};

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_WORKER_SUMS_H_
