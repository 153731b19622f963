// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_SUPPORT_NO_HARVEST_H_
#define ROOFMARK_TESTS_SUPPORT_NO_HARVEST_H_

#include <cstdint>
#include <string_view>

#include "collectors/collector.h"

namespace roofmark::test {

// Takes what a collector hands over and keeps nothing of it.
class NoHarvest : public HarvestSink {
 public:
  void Add(uint32_t, uint32_t, MetricId, uint64_t) override {}
  void AddInclusive(uint32_t, MetricId, uint64_t) override {}
  void AddShared(std::string_view, MetricId, const Distribution&, Status) override {}
  void Doubt(uint32_t, MetricId, Status) override {}
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_NO_HARVEST_H_
