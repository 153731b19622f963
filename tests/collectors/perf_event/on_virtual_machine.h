// SPDX-License-Identifier: BSD-3-Clause
//
// The collector on a virtual machine, and a sink for what it harvests.
#ifndef ROOFMARK_TESTS_COLLECTORS_PERF_EVENT_ON_VIRTUAL_MACHINE_H_
#define ROOFMARK_TESTS_COLLECTORS_PERF_EVENT_ON_VIRTUAL_MACHINE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collectors/perf_event/perf_event.h"
#include "tests/collectors/perf_event/flops.h"
#include "virtual_pmu.h"

namespace roofmark::perf_test {

inline constexpr uint64_t kScalarDouble = 0x1c7, k256Double = 0x10c7, kInstructions = 0xc0;

class Sums final : public HarvestSink {
 public:
  void Add(uint32_t worker, uint32_t path, MetricId metric, uint64_t value) override {
    values[{path, metric}].push_back(value);
    workers.insert(worker);
  }
  void AddInclusive(uint32_t path, MetricId metric, uint64_t value) override {
    inclusive[{path, metric}] += value;
  }
  void AddShared(std::string_view path, MetricId metric, const Distribution& value,
                 Status status) override {
    shared[{std::string(path), metric}].push_back({value, status});
  }
  void Doubt(uint32_t path, MetricId metric, Status status) override {
    Status& known = doubts[{path, metric}];
    known = std::max(known, status);
  }
  // Largest first.
  std::vector<uint64_t> Of(uint32_t path, MetricId metric) {
    std::vector<uint64_t> sorted = values[{path, metric}];
    std::sort(sorted.rbegin(), sorted.rend());
    return sorted;
  }
  uint64_t Total(uint32_t path, MetricId metric) {
    uint64_t total = 0;
    for (const uint64_t value : values[{path, metric}]) total += value;
    return total;
  }

  std::map<std::pair<uint32_t, MetricId>, std::vector<uint64_t>> values;
  std::map<std::pair<uint32_t, MetricId>, uint64_t> inclusive;
  std::map<std::pair<std::string, MetricId>, std::vector<std::pair<Distribution, Status>>> shared;
  std::map<std::pair<uint32_t, MetricId>, Status> doubts;
  std::set<uint32_t> workers;
};

inline vpmu_statistics Statistics() {
  vpmu_statistics statistics;
  vpmu_get_statistics(&statistics);
  return statistics;
}

inline void Use(const std::string& machine) {
  ASSERT_EQ(vpmu_use((std::string(VPMU_MACHINES) + "/" + machine).c_str()), 0);
}

class OnVirtualMachine : public testing::Test {
 protected:
  void SetUp() override { Use("skx"); }
  void TearDown() override {
    collector_.reset();
    vpmu_fault(nullptr);
    EXPECT_EQ(Statistics().open_descriptors, 0u);
    EXPECT_EQ(Statistics().mappings, 0u);
    vpmu_use(nullptr);
  }

  Result<std::vector<OfferedMetric>> Open(const Settings& settings = {}) {
    collector_ = MakePerfEventCollector();
    return collector_->Open(settings);
  }
  Sums Harvest() {
    Sums sums;
    collector_->Harvest(sums);
    return sums;
  }

  std::unique_ptr<Collector> collector_;
};

}  // namespace roofmark::perf_test

#endif  // ROOFMARK_TESTS_COLLECTORS_PERF_EVENT_ON_VIRTUAL_MACHINE_H_
