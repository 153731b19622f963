// SPDX-License-Identifier: BSD-3-Clause
//
// Whatever call fails, and however: no wrong number is reported as valid, and nothing leaks.
#include <atomic>
#include <thread>

#include "on_virtual_machine.h"

namespace roofmark::perf_test {
namespace {

using testing::Values;

// Takes turns between two threads.
class Turns {
 public:
  void Await(int turn) {
    while (turn_ < turn) std::this_thread::yield();
  }
  void Pass() { ++turn_; }

 private:
  std::atomic<int> turn_{0};
};

class Fault : public OnVirtualMachine, public testing::WithParamInterface<const char*> {
 protected:
  // What is offered, and neither scaled nor without value, must be exact.
  void Check(Sums& sums, uint32_t path, MetricId metric, uint64_t exact) {
    const bool offered =
        std::any_of(offered_.begin(), offered_.end(), [&](const OfferedMetric& offer) {
          return offer.metric == metric && HasValue(offer.status);
        });
    if (!offered || sums.doubts.contains({path, metric})) return;
    EXPECT_EQ(sums.Total(path, metric), exact) << "path " << path;
    ++exact_;
  }

  bool OpenOrSayWhy() {
    const auto offered = Open();
    if (offered) {
      offered_ = *offered;
    } else {
      EXPECT_FALSE(offered.error().empty());
    }
    return static_cast<bool>(offered);
  }

  // Two visits with new threads each, under the rule from the start.
  void RunWithNewThreads(const std::string& rule) {
    ASSERT_EQ(vpmu_fault(rule.c_str()), 0);
    if (!OpenOrSayWhy()) return;
    for (int visit = 0; visit < 2; ++visit) {
      collector_->EnterTeam(1);
      vpmu_retire(0, kScalarDouble, 100);
      std::thread worker([] { vpmu_retire(0, k256Double, 50); });
      worker.join();
      collector_->EnterTeam(2);
      vpmu_retire(0, kScalarDouble, 1);
      collector_->EnterTeam(0);
    }
    CheckAll();
  }

  // Wrong values can be recognised only where the right ones are not zero: both threads have
  // counted something when the rule begins.
  void RunWarm(const std::string& rule) {
    ASSERT_TRUE(OpenOrSayWhy());
    Turns turns;
    collector_->EnterTeam(9);
    std::thread worker([&] {
      vpmu_retire(0, kInstructions, 10'000);
      turns.Pass();
      for (int turn = 2; turn <= 4; turn += 2) {
        turns.Await(turn);
        vpmu_retire(0, k256Double, 50);
        turns.Pass();
      }
      turns.Await(6);
    });
    turns.Await(1);
    vpmu_retire(0, kInstructions, 10'000);
    collector_->EnterTeam(0);
    ASSERT_EQ(vpmu_fault(rule.c_str()), 0);
    for (int visit = 1; visit <= 2; ++visit) {
      collector_->EnterTeam(1);
      vpmu_retire(0, kScalarDouble, 100);
      turns.Pass();
      turns.Await(2 * visit + 1);
      collector_->EnterTeam(2);
      vpmu_retire(0, kScalarDouble, 1);
      collector_->EnterTeam(0);
    }
    turns.Pass();
    worker.join();
    CheckAll();
  }

  void CheckAll() {
    Sums sums = Harvest();
    Check(sums, 1, kDpScalar, 200);
    Check(sums, 1, kDp256, 400);
    Check(sums, 2, kDpScalar, 2);
  }

  std::vector<OfferedMetric> offered_;
  int exact_ = 0;
};

TEST_P(Fault, NoWrongNumberAndNoLeakWhicheverCallFails) {
  const std::string text = GetParam();
  const std::string call = text.substr(0, text.find(':')), kind = text.substr(text.find(':') + 1);
  for (int k = 1; k <= 60; ++k) {
    for (const bool user_read : {false, true}) {
      const std::string rule = call + ":" + std::to_string(k) + ":" + kind;
      SCOPED_TRACE(rule + (user_read ? " rdpmc" : ""));
      Use("skx");
      vpmu_set_user_read(user_read);
      if (kind == "backwards" || kind == "wrap48") {
        RunWarm(rule);
      } else {
        RunWithNewThreads(rule);
      }
      collector_.reset();
      vpmu_fault(nullptr);
      ASSERT_EQ(Statistics().open_descriptors, 0u);
      ASSERT_EQ(Statistics().mappings, 0u);
    }
  }
  // Calls later than the run's do not fail.
  EXPECT_GT(exact_, 0);
}

INSTANTIATE_TEST_SUITE_P(Sweep, Fault,
                         Values("open:EACCES", "open:EMFILE", "open:EBUSY", "open:EINVAL",
                                "open:ENODEV", "read:EIO", "read:short", "read:eof",
                                "read:backwards", "read:wrap48", "ioctl:EINVAL", "ioctl:EIO",
                                "mmap:EPERM", "mmap:ENOMEM", "close:EIO"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name;
                         });

}  // namespace
}  // namespace roofmark::perf_test
