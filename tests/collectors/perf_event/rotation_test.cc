// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_ROTATE=visits: more events than counters, one group at a time, by visit. Visits of a
// path are alike here and take a millisecond each: then what is scaled up is exact.
#include <gmock/gmock.h>

#include <atomic>
#include <random>
#include <thread>

#include "tests/collectors/perf_event/on_virtual_machine.h"

namespace roofmark::perf_test {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kScalarSingle = 0x2c7;
constexpr MetricId kSpScalar = AnyKindFlops(Precision::kSingle, Width::kScalar);

constexpr MetricId kFour[] = {kDpScalar, kDp256, kSpScalar, metric::kInstructions};

class Rotation : public OnVirtualMachine {
 protected:
  void SetUp() override {
    Use("skx");
    vpmu_freeze();
  }
  void OpenAll() {
    Settings settings;
    settings.group = "all";
    settings.rotate = true;
    const auto offered = Open(settings);
    ASSERT_TRUE(offered) << offered.error();
    offered_ = *offered;
    groups_ = std::stoul(collector_->Facts().at("event_groups"));
    ASSERT_GE(groups_, 2u);
  }
  void Retire(uint64_t n) {
    vpmu_retire(0, kScalarDouble, n);
    vpmu_retire(0, k256Double, 2 * n);
    vpmu_retire(0, kScalarSingle, 3 * n);
    vpmu_retire(0, kInstructions, 5 * n);
  }
  void Visit(uint32_t path, uint64_t n, uint64_t ns = kMs) {
    collector_->EnterTeam(path);
    Retire(n);
    vpmu_advance(ns);
    collector_->EnterTeam(0);
  }
  static void ExpectTotals(Sums& sums, uint32_t path, uint64_t n) {
    EXPECT_EQ(sums.Total(path, kDpScalar), n) << "path " << path;
    EXPECT_EQ(sums.Total(path, kDp256), 4 * 2 * n) << "path " << path;
    EXPECT_EQ(sums.Total(path, kSpScalar), 3 * n) << "path " << path;
    EXPECT_EQ(sums.Total(path, metric::kInstructions), 5 * n) << "path " << path;
  }

  size_t groups_ = 0;
  std::vector<OfferedMetric> offered_;
};

// In turns by boundary each of them would see the same group again and again.
TEST_F(Rotation, AlternatingRegionsAreAllCovered) {
  OpenAll();
  const size_t visits = 12 * groups_;
  for (size_t i = 0; i < visits; ++i) {
    Visit(1, 100);
    Visit(2, 7);
    vpmu_retire(0, kScalarDouble, 1'000'000);  // outside of all regions
  }
  Sums sums = Harvest();
  ExpectTotals(sums, 1, 100 * visits);
  ExpectTotals(sums, 2, 7 * visits);
  for (const MetricId metric : kFour) {
    EXPECT_EQ((sums.doubts[{1, metric}]), Status::kScaled);
    EXPECT_EQ((sums.doubts[{2, metric}]), Status::kScaled);
  }
  const double share = std::stod(collector_->Facts().at("least_running_share"));
  EXPECT_NEAR(share, 1.0 / static_cast<double>(groups_), 0.01);
}

TEST_F(Rotation, NestedRegionsAreCoveredToo) {
  OpenAll();
  const size_t visits = 12 * groups_;
  for (size_t i = 0; i < visits; ++i) {
    collector_->EnterTeam(1);
    Retire(10);
    vpmu_advance(kMs);
    collector_->EnterTeam(2);
    Retire(400);
    vpmu_advance(kMs);
    collector_->EnterTeam(1);
    Retire(10);
    vpmu_advance(kMs);
    collector_->EnterTeam(0);
  }
  Sums sums = Harvest();
  ExpectTotals(sums, 1, 20 * visits);
  ExpectTotals(sums, 2, 400 * visits);
}

// Visits that differ: every group sees a sample of them.
TEST_F(Rotation, UnlikeVisitsAreWithinTheSample) {
  OpenAll();
  std::mt19937 random(7);
  uint64_t all = 0;
  for (size_t i = 0; i < 400 * groups_; ++i) {
    const uint64_t n = 500 + random() % 1000;
    all += n;
    Visit(1, n, n * 1000);
  }
  Sums sums = Harvest();
  const auto expected = static_cast<double>(all);
  EXPECT_NEAR(static_cast<double>(sums.Total(1, kDpScalar)), expected, 0.02 * expected);
  EXPECT_NEAR(static_cast<double>(sums.Total(1, metric::kInstructions)), 5 * expected,
              0.1 * expected);
}

// What waited has no value; it is not zero, however short the visit was.
TEST_F(Rotation, APathVisitedOnceSaysWhatItHasNot) {
  OpenAll();
  Visit(1, 100);
  Visit(2, 100, 0);
  Sums sums = Harvest();
  for (const uint32_t path : {1u, 2u}) {
    size_t there = 0, absent = 0;
    for (const OfferedMetric& offer : offered_) {
      if (!HasValue(offer.status)) continue;
      const auto doubt = sums.doubts.find({path, offer.metric});
      if (doubt != sums.doubts.end() && doubt->second == Status::kInvalid) {
        EXPECT_EQ(sums.Total(path, offer.metric), 0u);
        ++absent;
      } else {
        ++there;
      }
    }
    EXPECT_GT(there, 0u) << "path " << path;
    EXPECT_GT(absent, 0u) << "path " << path;
  }
}

TEST_F(Rotation, EveryThreadRotatesByItsOwnVisits) {
  OpenAll();
  const size_t visits = 4 * groups_;
  std::thread([&] {
    for (size_t i = 0; i < visits; ++i) {
      collector_->EnterOwn(5);
      Retire(30);
      vpmu_advance(kMs);
      collector_->EnterOwn(0);
    }
  }).join();
  Sums sums = Harvest();
  ExpectTotals(sums, 5, 30 * visits);
}

// One read and at most one switch, which stops a group and starts another. Before each of these the
// kernel is asked whether the descriptor still is the group's.
TEST_F(Rotation, TheCostOfABoundaryDoesNotGrowWithTheGroups) {
  OpenAll();
  vpmu_set_user_read(0);
  Visit(1, 1);
  const vpmu_statistics before = Statistics();
  constexpr uint64_t kVisits = 50;
  for (uint64_t i = 0; i < kVisits; ++i) Visit(1, 1);
  const vpmu_statistics after = Statistics();
  EXPECT_LE(after.ioctls - before.ioctls, (2 + 4) * kVisits);
  EXPECT_LE(after.reads - before.reads, 2 * kVisits);
  EXPECT_EQ(after.opens, before.opens);
}

// A switch that fails leaves groups counting that are believed to stand still.
TEST_F(Rotation, SwitchesThatFailAreNoNumbers) {
  OpenAll();
  for (int k = 1; k <= 40; ++k) {
    for (const char* kind : {"ioctl:%d:EINVAL", "read:%d:EIO"}) {
      char rule[32];
      snprintf(rule, sizeof(rule), kind, k);
      SCOPED_TRACE(rule);
      collector_.reset();
      OpenAll();
      ASSERT_EQ(vpmu_fault(rule), 0);
      const size_t visits = 6 * groups_;
      for (size_t i = 0; i < visits; ++i) {
        Visit(1, 100);
        Visit(2, 7);
      }
      vpmu_fault(nullptr);
      Sums sums = Harvest();
      for (const auto& [path, n] : {std::pair(1u, 100u), std::pair(2u, 7u)}) {
        if (sums.doubts[{path, kDpScalar}] != Status::kInvalid) {
          EXPECT_EQ(sums.Total(path, kDpScalar), n * visits) << "path " << path;
        }
        if (sums.doubts[{path, metric::kInstructions}] != Status::kInvalid) {
          EXPECT_EQ(sums.Total(path, metric::kInstructions), 5 * n * visits) << "path " << path;
        }
      }
    }
  }
}

}  // namespace
}  // namespace roofmark::perf_test
