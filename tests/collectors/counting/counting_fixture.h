// SPDX-License-Identifier: BSD-3-Clause
//
// The counting collector with an engine that has, or lacks, every capability.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_COUNTING_FIXTURE_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_COUNTING_FIXTURE_H_

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collectors/counting/counting.h"
#include "tests/collectors/counting/fake_engine.h"
#include "tests/collectors/counting/harvested.h"

namespace roofmark::counting {

inline constexpr MetricId kAdds = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);

struct Harvested final : HarvestedSums {
  std::map<uint32_t, CriticalPlace> critical;

  std::vector<std::string> defined;  // "parent name file:line"; they are paths from 100 on
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> visits;  // thread, path

  uint32_t DefinePath(uint32_t parent, const FoundRegion& region) override {
    defined.push_back(fmt::format("{} {} {}:{}", parent, region.name, region.file, region.line));
    return 99 + static_cast<uint32_t>(defined.size());
  }
  void AddVisits(uint32_t worker, uint32_t path, uint64_t times) override {
    visits[{worker, path}] += times;
  }
  void Critical(uint32_t path, const CriticalPlace& place) override { critical[path] = place; }
  uint64_t Adds(uint32_t thread, uint32_t path) const { return At(thread, path, kAdds); }
};
class Counting : public testing::Test {
 protected:
  void Start(const Listeners& listeners = {}, std::set<std::string> without = {}) {
    auto engine = std::make_unique<FakeEngine>(std::move(without));
    engine_ = engine.get();
    collector_ = MakeCollector(std::move(engine), listeners);
    Result<std::vector<OfferedMetric>> offered = collector_->Open(settings_);
    ASSERT_TRUE(offered) << offered.error();
    offered_ = *offered;
  }
  void Add(int32_t flops) { engine_->Execute({{1, 0x40}, 1, flops, {}}); }
  Harvested Harvest() {
    Harvested harvested;
    collector_->Harvest(harvested);
    return harvested;
  }
  std::string ReasonOf(MetricId metric) const {
    for (const OfferedMetric& offer : offered_) {
      if (offer.metric == metric) return HasValue(offer.status) ? "given" : offer.reason;
    }
    return "not offered";
  }

  Settings settings_ = [] {
    Settings settings;
    settings.count = "flops";
    return settings;
  }();
  FakeEngine* engine_ = nullptr;
  std::unique_ptr<Collector> collector_;
  std::vector<OfferedMetric> offered_;
};

}  // namespace roofmark::counting

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_COUNTING_FIXTURE_H_
