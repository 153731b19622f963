// SPDX-License-Identifier: BSD-3-Clause
//
// Whatever call fails, and however: no wrong number is reported as valid, what is missing has a
// reason, and nothing leaks. With and without rdpmc, the first call fails, then the second, and so
// on until a run makes fewer calls; threads, and both packages' memory controllers, are counted.
// Each way to fail of each call, each call on each machine and each way on each machine appear
// (pairs.h). Built twice: a part of it belongs to the fast tests. Of the other form each machine
// takes one call in kStep, the next machine the next one, so that each call fails on some machine.
// In the exhaustive group each fails in each way on each.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <thread>
#include <tuple>

#include "tests/collectors/perf_event/machine_facts.h"
#include "tests/collectors/perf_event/on_virtual_machine.h"
#include "tests/support/pairs.h"
#include "tests/support/turns.h"

namespace roofmark::perf_test {
namespace {

#ifdef FULL_SWEEP
constexpr std::array kSweptMachines = {"skx", "clx",  "icx",  "spr", "spr61",
                                       "emr", "zen3", "zen4", "zen5"};
constexpr uint64_t kMostCalls = 1000, kStep = 9;
#else
constexpr std::array kSweptMachines = {"skx", "zen3"};
constexpr uint64_t kMostCalls = 25, kStep = 1;
#endif
static_assert(kStep == 1 || kStep <= kSweptMachines.size());

// Whether the call that is the k-th of its run fails on the machine. The first always does.
bool IsSwept(std::string_view machine, uint64_t k) {
  if (k == 1 || test::Exhaustive()) return true;
  const auto place = std::find(kSweptMachines.begin(), kSweptMachines.end(), machine);
  return (k + static_cast<uint64_t>(place - kSweptMachines.begin())) % kStep == 0;
}

constexpr const char* kCalls[] = {"open", "read", "ioctl", "mmap", "close"};
constexpr const char* kWays[] = {"EACCES", "EMFILE", "EBUSY", "EINVAL",    "EIO",
                                 "ENODEV", "short",  "eof",   "backwards", "wrap48"};

// No errors, but wrong values.
bool IsOfReads(std::string_view way) { return way[0] != 'E'; }

using Case = std::tuple<const char*, const char*, const char*>;
std::vector<Case> Cases() {
  return test::PairsWhere([](const char*, std::string_view call,
                             std::string_view way) { return call == "read" || !IsOfReads(way); },
                          test::Factor(kSweptMachines), test::Factor(kCalls), test::Factor(kWays));
}

size_t OpenDescriptors() {
  return static_cast<size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

class Fault : public OnVirtualMachine, public testing::WithParamInterface<Case> {
 protected:
  // In path 1: counts of ranks 0 (this thread) and 1 (the worker); in path 2 this thread's alone.
  static constexpr uint64_t kVisits = 2;

  // True if the run made as many calls: the fault happened.
  bool Run(uint64_t k, bool user_read) {
    const std::string rule = call_ + ":" + std::to_string(k) + ":" + kind_;
    SCOPED_TRACE(rule + (user_read ? " rdpmc" : " read"));
    Use(std::get<0>(GetParam()));
    vpmu_set_user_read(user_read);
    vpmu_set_privileged(1);
    // Wrong values can be recognised only where the right ones are not zero.
    const bool warm = kind_ == "backwards" || kind_ == "wrap48";
    if (!warm) {
      EXPECT_EQ(vpmu_fault(rule.c_str()), 0);
    }
    if (OpenOrSayWhy()) warm ? RunWarm(rule) : RunWithNewThreads();
    collector_.reset();
    const vpmu_statistics statistics = Statistics();
    vpmu_fault(nullptr);
    EXPECT_EQ(statistics.open_descriptors, 0u);
    EXPECT_EQ(statistics.mappings, 0u);
    return CallsIn(statistics) >= k;
  }

 private:
  uint64_t CallsIn(const vpmu_statistics& statistics) const {
    if (call_ == "open") return statistics.opens;
    if (call_ == "read") return statistics.reads;
    if (call_ == "ioctl") return statistics.ioctls;
    return call_ == "mmap" ? statistics.mmaps : statistics.closes;
  }

  bool OpenOrSayWhy() {
    const auto offered = Open();
    if (!offered) {
      EXPECT_FALSE(offered.error().empty());
      return false;
    }
    offered_ = *offered;
    for (const OfferedMetric& offer : offered_) {
      EXPECT_TRUE(HasValue(offer.status) || !offer.reason.empty()) << GetMetric(offer.metric).name;
    }
    collector_->DefinePath(1, 0, "both");
    collector_->DefinePath(2, 0, "alone");
    collector_->DefinePath(9, 0, "before");
    return true;
  }

  // What a visit does, beside the worker's part.
  void RetireAndMove(uint64_t visit_share) {
    facts::Retire(machine_, 0, 0);
    facts::MoveOnce(machine_, visit_share);
  }

  // Each visit has a thread of its own.
  void RunWithNewThreads() {
    facts::MoveOnce(machine_, 1000);  // background
    for (uint64_t visit = 0; visit < kVisits; ++visit) {
      collector_->EnterTeam(1);
      RetireAndMove(1);
      std::thread([&] { facts::Retire(machine_, 1, 0); }).join();
      collector_->EnterTeam(2);
      RetireAndMove(3);
      collector_->EnterTeam(0);
    }
    CheckAll();
  }

  // Threads and controllers have counted something when the fault begins.
  void RunWarm(const std::string& rule) {
    test::Turns turns;
    collector_->EnterTeam(9);
    std::thread worker([&] {
      facts::Retire(machine_, 9, 9);
      turns.Pass();
      for (int visit = 0; visit < static_cast<int>(kVisits); ++visit) {
        turns.Await(2 * visit + 2);
        facts::Retire(machine_, 1, 0);
        turns.Pass();
      }
      turns.Await(6);
    });
    turns.Await(1);
    facts::Retire(machine_, 9, 9);
    facts::MoveOnce(machine_, 7);
    collector_->EnterTeam(0);
    facts::MoveOnce(machine_, 1000);  // background
    EXPECT_EQ(vpmu_fault(rule.c_str()), 0);
    for (int visit = 0; visit < static_cast<int>(kVisits); ++visit) {
      collector_->EnterTeam(1);
      RetireAndMove(1);
      turns.Pass();
      turns.Await(2 * visit + 3);
      collector_->EnterTeam(2);
      RetireAndMove(3);
      collector_->EnterTeam(0);
    }
    turns.Pass();
    worker.join();
    CheckAll();
  }

  void CheckAll() {
    Sums sums = Harvest();
    for (size_t i = 0; i < machine_.core.size(); ++i) {
      const facts::CoreEvent& event = machine_.core[i];
      const uint64_t own = event.weight * facts::Count(i, 0, 0);
      const uint64_t workers = event.weight * facts::Count(i, 1, 0);
      CheckThreads(sums, 1, event.metric, kVisits * (own + workers));
      CheckThreads(sums, 2, event.metric, kVisits * own);
    }
    CheckPackages(sums, "both", 1);
    CheckPackages(sums, "alone", 3);
    for (const Background& each : collector_->BackgroundTraffic()) {
      const facts::Traffic once = facts::TrafficOf(machine_, each.package);
      if (!machine_.takes_turns) {
        EXPECT_EQ(each.bytes, 1000 * (once.reads + once.writes));
      }
    }
  }

  // What is offered, and neither scaled nor without value, must be exact.
  void CheckThreads(Sums& sums, uint32_t path, MetricId metric, uint64_t exact) {
    const bool offered = std::any_of(
        offered_.begin(), offered_.end(),
        [&](const OfferedMetric& each) { return each.metric == metric && HasValue(each.status); });
    if (!offered || sums.doubts.contains({path, metric})) return;
    EXPECT_EQ(sums.Total(path, metric), exact) << "path " << path << " " << GetMetric(metric).name;
    ++exact_;
  }

  void CheckPackages(Sums& sums, const std::string& path, uint64_t times) {
    CheckShared(sums, path, metric::kPackageDramReadBytes, &facts::Traffic::reads, times);
    CheckShared(sums, path, metric::kPackageDramWriteBytes, &facts::Traffic::writes, times);
    CheckShared(sums, path, metric::kPackageDramBytes, &facts::Traffic::reads, times);
    CheckShared(sums, path, metric::kPackageControllerBytesMax, &facts::Traffic::busiest, times);
  }
  // Both packages' values, or none, or the status that says why not.
  void CheckShared(Sums& sums, const std::string& path, MetricId metric,
                   uint64_t facts::Traffic::*part, uint64_t times) {
    for (const auto& [value, status] : sums.shared[{path, metric}]) {
      if (!HasValue(status)) {
        EXPECT_EQ(value.sum, 0u);
      } else if (status == Status::kMeasured) {
        const uint64_t first = kVisits * times * (facts::TrafficOf(machine_, 0).*part);
        const uint64_t second = kVisits * times * (facts::TrafficOf(machine_, 1).*part);
        EXPECT_TRUE(value.sum == first || value.sum == second)
            << path << " " << GetMetric(metric).name << " " << value.sum;
        ++exact_packages_;
      }
    }
  }

 protected:
  const facts::Machine machine_ = facts::Of(std::get<0>(GetParam()));
  const std::string call_ = std::get<1>(GetParam()), kind_ = std::get<2>(GetParam());
  std::vector<OfferedMetric> offered_;
  int exact_ = 0, exact_packages_ = 0;
};

TEST_P(Fault, NoWrongNumberAndNoLeakWhicheverCallFails) {
  const size_t descriptors = OpenDescriptors();
  uint64_t injected = 0;
  for (const bool user_read : {false, true}) {
    for (uint64_t k = 1; k <= kMostCalls; ++k) {
      if (!IsSwept(std::get<0>(GetParam()), k)) continue;
      const bool happened = Run(k, user_read);
      if (HasFailure()) return;
      if (!happened) break;
      ++injected;
    }
  }
  EXPECT_EQ(OpenDescriptors(), descriptors);
  std::printf("injected faults: %llu\n", static_cast<unsigned long long>(injected));
  EXPECT_GT(injected, 0u);
  // Many faults leave most of the numbers alone.
  EXPECT_GT(exact_, 0);
  EXPECT_TRUE(exact_packages_ > 0 || machine_.takes_turns);
}

std::string NameOf(const testing::TestParamInfo<Fault::ParamType>& test) {
  const auto& [machine, call, way] = test.param;
  return std::string(machine) + "_" + call + "_" + way;
}
INSTANTIATE_TEST_SUITE_P(Sweep, Fault, testing::ValuesIn(Cases()), NameOf);

}  // namespace
}  // namespace roofmark::perf_test
