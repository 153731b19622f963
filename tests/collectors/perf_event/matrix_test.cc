// SPDX-License-Identifier: BSD-3-Clause
//
// What the collector counts in one process on each virtual machine, by pairs of machine, rdpmc and
// privilege: exact counts for every thread, and for every controller of every package or the reason
// why not. (What jobs make of it: tests/mpi/virtual_jobs_test.cc.) The process runs on all
// packages if VPMU_CPUS says so, as the test's environment does.
#include <gmock/gmock.h>
#include <sched.h>

#include <atomic>
#include <thread>
#include <tuple>

#include "tests/collectors/perf_event/machine_facts.h"
#include "tests/collectors/perf_event/on_virtual_machine.h"
#include "tests/support/pairs.h"

namespace roofmark::perf_test {
namespace {

using testing::HasSubstr;

constexpr uint64_t kThreads = 3;

std::vector<uint32_t> OwnPackages() {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  std::vector<uint32_t> packages;
  for (uint32_t package = 0; package < facts::kPackages; ++package) {
    for (uint32_t cpu = 4 * package; cpu < 4 * package + 4; ++cpu) {
      if (!CPU_ISSET(cpu, &set)) continue;
      packages.push_back(package);
      break;
    }
  }
  return packages;
}

class CountersOfMachines : public OnVirtualMachine,
                           public testing::WithParamInterface<std::tuple<const char*, bool, bool>> {
 protected:
  void SetUp() override {
    Use(std::get<0>(GetParam()));
    vpmu_set_user_read(std::get<1>(GetParam()));
    vpmu_set_privileged(IsPrivileged());
    if (machine_.takes_turns) vpmu_freeze();
    const auto offered = Open();
    ASSERT_TRUE(offered) << offered.error();
    offered_ = *offered;
    collector_->DefinePath(1, 0, "team");
    collector_->DefinePath(2, 1, "team/own");
  }
  static bool IsPrivileged() { return std::get<2>(GetParam()); }

  const OfferedMetric* Offer(MetricId metric) const {
    for (const OfferedMetric& offer : offered_) {
      if (offer.metric == metric) return &offer;
    }
    return nullptr;
  }

  // In "team" each thread retires its counts; worker 2 does so once more in "own".
  Sums Run() {
    std::atomic<int> stage{0}, ready{0};
    std::vector<std::thread> workers;
    for (uint64_t t = 1; t < kThreads; ++t) {
      workers.emplace_back([&, t] {
        facts::Retire(machine_, 9, t);  // in no region
        ++ready;
        while (stage < 1) std::this_thread::yield();
        facts::Retire(machine_, 0, t);
        if (t == 2) {
          collector_->EnterOwn(2);
          facts::Retire(machine_, 1, t);
          collector_->EnterOwn(0);
        }
        ++ready;
        while (stage < 2) std::this_thread::yield();
        facts::Retire(machine_, 9, t);
      });
    }
    while (ready < 2) std::this_thread::yield();
    facts::Move(machine_, 1000);  // in no region
    collector_->EnterTeam(1);
    stage = 1;
    facts::Retire(machine_, 0, 0);
    while (ready < 4) std::this_thread::yield();
    facts::Move(machine_, 1);
    collector_->EnterTeam(0);
    stage = 2;
    for (std::thread& worker : workers) worker.join();
    return Harvest();
  }

  void ExpectThreadsExact(Sums& sums) {
    for (size_t i = 0; i < machine_.core.size(); ++i) {
      const facts::CoreEvent& event = machine_.core[i];
      SCOPED_TRACE(GetMetric(event.metric).name);
      const OfferedMetric* offer = Offer(event.metric);
      ASSERT_TRUE(offer != nullptr && HasValue(offer->status));
      EXPECT_FALSE(sums.doubts.contains({1, event.metric}));
      std::vector<uint64_t> expected;
      for (uint64_t t = kThreads; t-- > 0;) {
        expected.push_back(event.weight * facts::Count(i, 0, t));
      }
      EXPECT_EQ(sums.Of(1, event.metric), expected);
      EXPECT_EQ(sums.Of(2, event.metric),
                std::vector<uint64_t>{event.weight * facts::Count(i, 1, 2)});
    }
  }

  // A package's part, by its size: package 1 moves more.
  void ExpectPackages(Sums& sums, MetricId metric, uint64_t facts::Traffic::*part, bool scaled) {
    SCOPED_TRACE(GetMetric(metric).name);
    auto parts = sums.shared[{"team", metric}];
    const std::vector<uint32_t> packages = OwnPackages();
    ASSERT_EQ(parts.size(), packages.size());
    std::sort(parts.begin(), parts.end(),
              [](const auto& a, const auto& b) { return a.first.sum < b.first.sum; });
    for (size_t i = 0; i < packages.size(); ++i) {
      const uint64_t exact = facts::TrafficOf(machine_, packages[i]).*part;
      EXPECT_EQ(parts[i].second, scaled ? Status::kScaled : Status::kMeasured);
      const uint64_t slack = scaled ? exact / 100 : 0;
      EXPECT_LE(parts[i].first.sum, exact + slack);
      EXPECT_GE(parts[i].first.sum, exact - slack);
    }
  }

  void ExpectPackagesExact(Sums& sums) {
    const bool scaled = machine_.takes_turns;
    if (machine_.TellsReadsFromWrites()) {
      ExpectPackages(sums, metric::kPackageDramReadBytes, &facts::Traffic::reads, scaled);
      ExpectPackages(sums, metric::kPackageDramWriteBytes, &facts::Traffic::writes, scaled);
    } else {
      ExpectPackages(sums, metric::kPackageDramBytes, &facts::Traffic::reads, scaled);
    }
    ExpectPackages(sums, metric::kPackageControllerBytesMax, &facts::Traffic::busiest, scaled);
    ExpectPackages(sums, metric::kPackageControllers, &facts::Traffic::controllers, false);
  }

  // Missing permission is never 0 bytes.
  void ExpectPackagesDenied(Sums& sums) {
    const OfferedMetric* offer =
        Offer(machine_.TellsReadsFromWrites() ? metric::kPackageDramReadBytes
                                              : metric::kPackageDramBytes);
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->status, Status::kDenied);
    EXPECT_THAT(offer->reason, HasSubstr("/proc/sys/kernel/perf_event_paranoid is 2"));
    EXPECT_THAT(offer->reason, HasSubstr("set it to 0 or to give the program CAP_PERFMON"));
    EXPECT_TRUE(sums.shared.empty());
  }

  const facts::Machine machine_ = facts::Of(std::get<0>(GetParam()));
  std::vector<OfferedMetric> offered_;
};

TEST_P(CountersOfMachines, OfEachThreadAndEachControllerAreExact) {
  const uint64_t before = Statistics().rdpmcs;
  Sums sums = Run();
  ExpectThreadsExact(sums);
  IsPrivileged() ? ExpectPackagesExact(sums) : ExpectPackagesDenied(sums);
  EXPECT_EQ(Statistics().rdpmcs > before, std::get<1>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Machines, CountersOfMachines,
                         testing::ValuesIn(test::Pairs(test::Factor(facts::kMachines), test::Both(),
                                                       test::Both())),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) +
                                  (std::get<1>(test.param) ? "_rdpmc" : "_read") +
                                  (std::get<2>(test.param) ? "_privileged" : "_user");
                         });

}  // namespace
}  // namespace roofmark::perf_test
