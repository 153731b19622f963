// SPDX-License-Identifier: BSD-3-Clause
//
// What a collector hands over at the end, kept by thread, path and metric.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_HARVESTED_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_HARVESTED_H_

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "tests/support/no_harvest.h"

namespace roofmark::counting {

struct HarvestedSums : test::NoHarvest {
  std::map<std::tuple<uint32_t, uint32_t, MetricId>, uint64_t> sums;  // thread, path, metric
  std::map<std::pair<uint32_t, MetricId>, Status> doubts;             // path, metric

  void Add(uint32_t worker, uint32_t path, MetricId metric, uint64_t value) override {
    sums[{worker, path, metric}] += value;
  }
  void Doubt(uint32_t path, MetricId metric, Status status) override {
    doubts[{path, metric}] = status;
  }
  uint64_t At(uint32_t thread, uint32_t path, MetricId metric) const {
    const auto found = sums.find({thread, path, metric});
    return found == sums.end() ? 0 : found->second;
  }
  Status StatusOf(uint32_t path, MetricId metric) const {
    const auto found = doubts.find({path, metric});
    return found == doubts.end() ? Status::kMeasured : found->second;
  }
};

}  // namespace roofmark::counting

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_HARVESTED_H_
