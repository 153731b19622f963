// SPDX-License-Identifier: BSD-3-Clause
//
// Whatever call of PAPI's fails, and however: no wrong number is reported as valid, nothing leaks.
#include <sys/resource.h>

#include <thread>

#include "lib/core/log.h"
#include "tests/collectors/papi/on_its_own.h"
#include "tests/support/turns.h"

namespace roofmark::papi_test {
namespace {

using testing::Values;

class FaultyRun {
 public:
  explicit FaultyRun(std::string rule) : rule_(std::move(rule)) {}

  // Two visits with new threads each, under the rule from the start.
  void WithNewThreads() {
    ASSERT_EQ(vpmu_fault(rule_.c_str()), 0);
    Counting counting(Group("dp"));
    if (counting.collector == nullptr || !counting.error.empty()) return;
    for (int visit = 0; visit < 2; ++visit) {
      counting.collector->EnterTeam(1);
      vpmu_retire(0, kScalarDouble, 100);
      std::thread([] { vpmu_retire(0, k256Double, 50); }).join();
      counting.collector->EnterTeam(2);
      vpmu_retire(0, kScalarDouble, 1);
      counting.collector->EnterTeam(0);
    }
    Check(counting);
  }

  // Wrong values can be recognised only where the right ones are not zero: both threads have
  // counted something when the rule begins.
  void Warm() {
    Counting counting(Group("dp"));
    ASSERT_EQ(counting.error, "");
    test::Turns turns;
    counting.collector->EnterTeam(9);
    std::thread worker([&] {
      vpmu_retire(0, kScalarDouble, 10'000);
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
    vpmu_retire(0, kScalarDouble, 10'000);
    vpmu_retire(0, kInstructions, 10'000);
    counting.collector->EnterTeam(0);
    ASSERT_EQ(vpmu_fault(rule_.c_str()), 0);
    for (int visit = 1; visit <= 2; ++visit) {
      counting.collector->EnterTeam(1);
      vpmu_retire(0, kScalarDouble, 100);
      turns.Pass();
      turns.Await(2 * visit + 1);
      counting.collector->EnterTeam(2);
      vpmu_retire(0, kScalarDouble, 1);
      counting.collector->EnterTeam(0);
    }
    turns.Pass();
    worker.join();
    Check(counting);
  }

  int exact() const { return exact_; }

 private:
  // What is offered, and neither scaled nor without value, must be exact.
  void Check(Counting& counting) {
    Sums sums = counting.Harvest();
    for (const auto& [path, exact] : {std::pair(1u, 600u), std::pair(2u, 2u)}) {
      if (!counting.Gives(kDouble) || sums.doubts.contains({path, kDouble})) continue;
      EXPECT_EQ(sums.Total(path, kDouble), exact) << "path " << path;
      ++exact_;
    }
  }

  const std::string rule_;
  int exact_ = 0;
};

class Fault : public testing::TestWithParam<const char*> {};

TEST_P(Fault, NoWrongNumberAndNoLeakWhicheverCallFails) {
  OnItsOwn("skx", [] {
    const std::string text = GetParam();
    const std::string call = text.substr(0, text.find(':')), kind = text.substr(text.find(':') + 1);
    vpmu_set_user_read(1);
    ASSERT_EQ(Counting(Group("dp")).error, "");  // PAPI is up
    int exact = 0;
    for (int k = 1; k <= 150; ++k) {
      SCOPED_TRACE(call + ":" + std::to_string(k) + ":" + kind);
      FaultyRun run(call + ":" + std::to_string(k) + ":" + kind);
      if (kind == "backwards" || kind == "wrap48") {
        run.Warm();
      } else {
        run.WithNewThreads();
      }
      exact += run.exact();
      vpmu_fault(nullptr);
      ASSERT_EQ(Statistics().open_descriptors, 0u);
      ASSERT_EQ(Statistics().mappings, 0u);
    }
    EXPECT_GT(exact, 0) << "calls later than the run's do not fail";
  });
}

INSTANTIATE_TEST_SUITE_P(Sweep, Fault,
                         Values("open:EACCES", "open:EMFILE", "open:EBUSY", "open:EINVAL",
                                "open:ENODEV", "open:ESRCH", "read:EIO", "read:short", "read:eof",
                                "read:backwards", "read:wrap48", "ioctl:EINVAL", "ioctl:EIO",
                                "mmap:EPERM", "mmap:ENOMEM"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name;
                         });

// From some call on everything fails, as when the kernel takes events off for good.
TEST(PapiFaults, ReadsThatFailFromSomeCallOnAreNoNumbers) {
  for (const char* kind : {"EIO", "eof", "short"}) {
    OnItsOwn("skx", [kind] {
      Counting counting(Group("dp"));
      ASSERT_EQ(counting.error, "");
      counting.collector->EnterTeam(1);
      vpmu_retire(0, kScalarDouble, 100);
      vpmu_fault((std::string("read:*:") + kind).c_str());
      counting.collector->EnterTeam(0);
      Sums sums = counting.Harvest();
      EXPECT_EQ((sums.doubts[{1, kDouble}]), Status::kInvalid);
      EXPECT_EQ(sums.Total(1, kDouble), 0u);
      vpmu_fault(nullptr);
    });
  }
}

// The counters go to somebody else while each thread counts: PAPI can never stop its sets.
TEST(PapiFaults, WhatPapiDoesNotGiveBackIsPartOfTheBudget) {
  OnItsOwn("skx", [] {
    rlimit limit{}, low{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const int lowest = dup(0);
    constexpr int kTaken = 256;
    constexpr rlim_t kFree = 100;
    while (dup(0) < kTaken - 1) {
    }
    low = limit;
    low.rlim_cur = kTaken + kFree;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
    Counting counting(Group("dp"));
    ASSERT_EQ(counting.error, "");
    counting.collector->EnterTeam(1);
    for (int i = 0; i < 30; ++i) {
      std::thread([] {
        vpmu_reserve("cpu", 8);
        vpmu_reserve("cpu", 0);
      }).join();
    }
    counting.collector->EnterTeam(0);
    EXPECT_LE(Statistics().open_descriptors, kFree / 2);
    EXPECT_GT(Statistics().open_descriptors, kFree / 4) << "the counters were not lost";
    Sums sums = counting.Harvest();
    EXPECT_FALSE(HasValue(sums.doubts[{1, kDouble}]));
    EXPECT_THAT(ComplaintsAsLines(), testing::HasSubstr("for good"));
    setrlimit(RLIMIT_NOFILE, &limit);
    counting.collector.reset();
    for (rlim_t fd = static_cast<rlim_t>(lowest); fd < low.rlim_cur; ++fd) {
      close(static_cast<int>(fd));
    }
  });
}

// PAPI itself comes up under faults, or says why not.
TEST(PapiFaults, InitialisingPapiSurvivesEveryFailingCall) {
  for (const char* kind : {"open:%d:EACCES", "open:%d:EMFILE", "mmap:%d:ENOMEM", "ioctl:%d:EIO"}) {
    for (int k = 1; k <= 12; ++k) {
      char rule[32];
      snprintf(rule, sizeof(rule), kind, k);
      SCOPED_TRACE(rule);
      OnItsOwn("skx", [&] {
        FaultyRun run(rule);
        run.WithNewThreads();
      });
    }
  }
}

}  // namespace
}  // namespace roofmark::papi_test
