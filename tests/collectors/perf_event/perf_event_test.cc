// SPDX-License-Identifier: BSD-3-Clause
//
// The whole collector on virtual machines: exact counts for every thread and path, by group read
// and by rdpmc; events that take turns; permission and limits.
#include "collectors/perf_event/perf_event.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>
#include <tuple>

#include "collectors/hardware/perf/user_events.h"
#include "lib/core/log.h"
#include "lib/core/messages/collectors.h"
#include "tests/collectors/perf_event/on_virtual_machine.h"
#include "tests/support/end_child.h"
#include "tests/support/says.h"

namespace roofmark::perf_test {
namespace {

using testing::HasSubstr;
using testing::Values;

using PerfEvent = OnVirtualMachine;

// --- exact counts -----------------------------------------------------------------------------

class Exact : public OnVirtualMachine,
              public testing::WithParamInterface<std::tuple<const char*, bool>> {
 protected:
  void SetUp() override {
    Use(std::get<0>(GetParam()));
    vpmu_set_user_read(std::get<1>(GetParam()));
    if (std::get<1>(GetParam()) && vpmu_no_rdpmc() != nullptr) {
      GTEST_SKIP() << "rdpmc: " << vpmu_no_rdpmc();
    }
  }
};

TEST_P(Exact, NothingIsCountedWhileCountingIsOff) {
  ASSERT_TRUE(Open());
  collector_->EnterTeam(1);
  vpmu_retire(0, kScalarDouble, 7);
  collector_->SetCounting(Extent::kNothing);
  vpmu_retire(0, kScalarDouble, 1000);
  std::thread([] { vpmu_retire(0, kScalarDouble, 1000); }).join();  // first seen meanwhile
  collector_->EnterTeam(2);
  vpmu_retire(0, kScalarDouble, 1000);
  collector_->SetCounting(Extent::kAll);
  vpmu_retire(0, kScalarDouble, 20);  // in the path that was entered meanwhile
  std::thread([] { vpmu_retire(0, kScalarDouble, 300); }).join();  // on a record used before
  collector_->EnterTeam(0);
  Sums sums = Harvest();
  EXPECT_EQ(sums.Total(1, kDpScalar), 7u);
  EXPECT_EQ(sums.Total(2, kDpScalar), 320u);
  EXPECT_TRUE(sums.doubts.empty());
}

TEST_P(Exact, ThreadsThatLiveInsideOneRegionAreCounted) {
  ASSERT_TRUE(Open());
  for (int visit = 0; visit < 3; ++visit) {
    collector_->EnterTeam(1);
    vpmu_retire(0, kScalarDouble, 7);
    std::vector<std::thread> workers;
    for (uint64_t i = 1; i <= 4; ++i) {
      workers.emplace_back([i] { vpmu_retire(0, k256Double, i * 1000); });
    }
    for (std::thread& worker : workers) worker.join();
    collector_->EnterTeam(0);
    vpmu_retire(0, kScalarDouble, 1'000'000);  // outside of all regions
  }
  Sums sums = Harvest();
  EXPECT_EQ(sums.Total(1, kDpScalar), 21u);
  EXPECT_EQ(sums.Total(1, kDp256), 3u * 4 * (1000 + 2000 + 3000 + 4000));
  EXPECT_TRUE(sums.doubts.empty());
  EXPECT_LE(sums.workers.size(), 5u) << "records of ended threads serve new ones";
}

// The team's boundaries look at the list of threads while threads begin and end.
TEST_P(Exact, ThreadsThatComeAndGoWhileTheTeamMovesOnAreCounted) {
  ASSERT_TRUE(Open());
  constexpr uint64_t kThreads = 500;
  std::atomic<bool> done{false};
  collector_->EnterTeam(1);
  std::thread creator([&] {
    for (uint64_t i = 0; i < kThreads; ++i) {
      std::thread([&] {
        vpmu_retire(0, k256Double, 1);
        collector_->EnterOwn(3);
        vpmu_retire(0, k256Double, 10);
        collector_->EnterOwn(0);
        vpmu_retire(0, k256Double, 1);
      }).join();
    }
    done = true;
  });
  for (uint32_t path = 2; !done; path = 3 - path) collector_->EnterTeam(path);
  creator.join();
  collector_->EnterTeam(0);
  Sums sums = Harvest();
  EXPECT_EQ(sums.Total(1, kDp256) + sums.Total(2, kDp256), uint64_t{4} * 2 * kThreads);
  EXPECT_EQ(sums.Total(3, kDp256), uint64_t{4} * 10 * kThreads);
  EXPECT_TRUE(sums.doubts.empty());
}

TEST_P(Exact, EveryThreadKeepsItsOwnCountAndPath) {
  std::atomic<int> stage{0}, ready{0};
  std::vector<std::thread> workers;
  // There before the collector is: noticed in /proc/self/task.
  for (uint64_t i = 1; i <= 3; ++i) {
    workers.emplace_back([&, i] {
      while (stage < 1) std::this_thread::yield();
      vpmu_retire(0, kScalarDouble, i * 10);
      if (i == 3) {  // a region of its own wins over the team's
        collector_->EnterOwn(5);
        vpmu_retire(0, kScalarDouble, 333);
        collector_->EnterOwn(0);
        vpmu_retire(0, kScalarDouble, 1);
      }
      ++ready;
      while (stage < 2) std::this_thread::yield();
    });
  }
  ASSERT_TRUE(Open());
  collector_->EnterTeam(2);
  stage = 1;
  while (ready < 3) std::this_thread::yield();
  vpmu_retire(0, kScalarDouble, 4);
  collector_->EnterTeam(3);  // a nested region
  vpmu_retire(0, kScalarDouble, 900);
  collector_->EnterTeam(2);
  collector_->EnterTeam(0);
  stage = 2;
  for (std::thread& worker : workers) worker.join();
  Sums sums = Harvest();
  EXPECT_THAT(sums.Of(2, kDpScalar), testing::ElementsAre(31, 20, 10, 4));
  EXPECT_THAT(sums.Of(3, kDpScalar), testing::ElementsAre(900));
  EXPECT_THAT(sums.Of(5, kDpScalar), testing::ElementsAre(333));
  EXPECT_TRUE(sums.doubts.empty());
}

// thrd_create does not pass through pthread_create.
int RetireOnTurn(void* stage) {
  auto& turn = *static_cast<std::atomic<int>*>(stage);
  vpmu_retire(0, kScalarDouble, 10);
  turn = 1;
  while (turn < 2) std::this_thread::yield();
  vpmu_retire(0, kScalarDouble, 500);
  turn = 3;
  while (turn < 4) std::this_thread::yield();
  return 0;
}

TEST_P(Exact, ThreadsThatBypassTheHookAreFoundAtTheNextBoundary) {
  ASSERT_TRUE(Open());
  std::atomic<int> stage{0};
  thrd_t thread;
  ASSERT_EQ(thrd_create(&thread, &RetireOnTurn, &stage), thrd_success);
  while (stage < 1) std::this_thread::yield();
  collector_->EnterTeam(1);
  stage = 2;
  while (stage < 3) std::this_thread::yield();
  collector_->EnterTeam(0);
  stage = 4;
  thrd_join(thread, nullptr);
  Sums sums = Harvest();
  EXPECT_EQ(sums.Total(1, kDpScalar), 500u);
  EXPECT_TRUE(sums.doubts.empty());
}

TEST_P(Exact, WorkOfAThreadBeforeItWasFoundIsMissingNotZero) {
  ASSERT_TRUE(Open());
  std::atomic<int> stage{0};
  collector_->EnterTeam(1);
  thrd_t thread;
  ASSERT_EQ(thrd_create(&thread, &RetireOnTurn, &stage), thrd_success);
  while (stage < 1) std::this_thread::yield();
  collector_->EnterTeam(2);
  stage = 2;
  while (stage < 3) std::this_thread::yield();
  collector_->EnterTeam(0);
  stage = 4;
  thrd_join(thread, nullptr);
  Sums sums = Harvest();
  EXPECT_EQ((sums.doubts[{1, kDpScalar}]), Status::kInvalid);
  EXPECT_FALSE(sums.doubts.contains({2, kDpScalar}));
  EXPECT_EQ(sums.Total(2, kDpScalar), 500u);
}

TEST_P(Exact, OwnReadsUseTheCounterWhereTheyMay) {
  ASSERT_TRUE(Open());
  const uint64_t before = Statistics().rdpmcs;
  for (int i = 0; i < 10; ++i) {
    collector_->EnterOwn(1);
    vpmu_retire(0, kScalarDouble, 5);
    collector_->EnterOwn(0);
  }
  EXPECT_EQ(Statistics().rdpmcs > before, std::get<1>(GetParam()));
  EXPECT_EQ(Harvest().Total(1, kDpScalar), 50u);
}

INSTANTIATE_TEST_SUITE_P(Machines, Exact,
                         testing::Combine(Values("skx", "clx", "icx", "spr", "spr61", "emr"),
                                          testing::Bool()),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) +
                                  (std::get<1>(test.param) ? "_rdpmc" : "_read");
                         });

class Zen : public OnVirtualMachine, public testing::WithParamInterface<const char*> {};

TEST_P(Zen, KindsOfFlopsWithAllPrecisionsMixed) {
  Use(GetParam());
  const auto offered = Open();
  ASSERT_TRUE(offered) << offered.error();
  collector_->EnterTeam(1);
  vpmu_retire(0, 0x103, 11);
  vpmu_retire(0, 0x203, 22);
  vpmu_retire(0, 0x403, 33);
  vpmu_retire(0, 0x803, 44);
  collector_->EnterTeam(0);
  Sums sums = Harvest();
  EXPECT_EQ(sums.Total(1, MixedFlops(FlopKind::kAdd)), 11u);
  EXPECT_EQ(sums.Total(1, MixedFlops(FlopKind::kMul)), 22u);
  EXPECT_EQ(sums.Total(1, MixedFlops(FlopKind::kDiv)), 33u);
  EXPECT_EQ(sums.Total(1, MixedFlops(FlopKind::kFma)), 44u);
  for (const OfferedMetric& offer : *offered) {
    if (offer.metric == MixedFlops(FlopKind::kAdd)) {
      EXPECT_EQ(offer.status, Status::kMixedPrecision);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Machines, Zen, Values("zen3", "zen4", "zen5"));

// --- more events than counters ----------------------------------------------------------------

TEST_F(PerfEvent, EventsThatTakeTurnsAreScaledAndSaySo) {
  Settings settings;
  settings.group = "all";
  vpmu_freeze();
  ASSERT_TRUE(Open(settings));
  collector_->EnterTeam(1);
  for (int ms = 0; ms < 400; ++ms) {
    vpmu_retire(0, kScalarDouble, 1000);
    vpmu_advance(1'000'000);
  }
  collector_->EnterTeam(0);
  Sums sums = Harvest();
  EXPECT_NEAR(static_cast<double>(sums.Total(1, kDpScalar)), 400e3, 8e3);
  EXPECT_EQ((sums.doubts[{1, kDpScalar}]), Status::kScaled);
  EXPECT_EQ(collector_->Facts().count("least_running_share"), 1u);
  EXPECT_NE(collector_->Facts().at("event_groups"), "1");
}

// One counter fewer: the kernel still accepts the full group, and never runs it.
TEST_F(PerfEvent, CountersHeldByOthersAreNotWaitedFor) {
  ASSERT_EQ(vpmu_reserve("cpu", 2), 0);
  const auto offered = Open();
  ASSERT_TRUE(offered) << offered.error();
  EXPECT_NE(collector_->Facts().at("event_groups"), "1");
}

// Before a read the kernel is asked whose descriptor that is; a reset would be one more.
TEST_F(PerfEvent, BoundariesNeitherResetNorReopen) {
  constexpr uint32_t kBoundaries = 100;
  ASSERT_TRUE(Open());
  collector_->EnterTeam(1);
  const vpmu_statistics before = Statistics();
  for (uint32_t i = 0; i < kBoundaries; ++i) collector_->EnterTeam(i % 2);
  const vpmu_statistics after = Statistics();
  EXPECT_LE(after.ioctls - before.ioctls, kBoundaries);
  EXPECT_EQ(after.opens, before.opens);
}

// --- permission and limits --------------------------------------------------------------------

TEST_F(PerfEvent, ForbiddenIsAnErrorWithCauseAndCureNotZero) {
  vpmu_set_paranoid(3);
  const auto offered = Open();
  ASSERT_FALSE(offered);
  EXPECT_THAT(offered.error(), HasSubstr("/proc/sys/kernel/perf_event_paranoid"));
  EXPECT_THAT(offered.error(), testing::Not(HasSubstr("CPU_CLK_UNHALTED")))
      << "an event that nobody asked for";
}

TEST_F(PerfEvent, AnEventWithTwoNamesIsOpenedOnce) {
  const auto named = [](size_t user, const char* text, uint64_t config) {
    perf::NamedEvent event{user, text, {}};
    event.event.events.resize(1);
    event.event.events[0].type = PERF_TYPE_RAW;
    event.event.events[0].config = {config, 0, 0};
    return event;
  };
  const perf::UserPlan plan = perf::PlanUserEvents(
      {named(0, "a", kInstructions), named(1, "b", kInstructions), named(2, "c", kScalarDouble)},
      /*with_kernel=*/false);
  ASSERT_EQ(plan.rules.size(), 3u);
  for (const perf::UserRule& rule : plan.rules) ASSERT_EQ(rule.terms.size(), 1u) << rule.reason;
  EXPECT_EQ(plan.set.events(), 2u);
  EXPECT_EQ(plan.rules[0].terms[0].event, plan.rules[1].terms[0].event);
  EXPECT_NE(plan.rules[0].terms[0].event, plan.rules[2].terms[0].event);
}

TEST_F(PerfEvent, AThreadThatMayNotBeCountedMakesNothingOfTheRest) {
  ASSERT_TRUE(Open());
  collector_->EnterTeam(1);
  vpmu_retire(0, kScalarDouble, 7);
  ASSERT_EQ(vpmu_fault("open:1+:EACCES"), 0);  // as where the administrator forbids it meanwhile
  std::thread([] { vpmu_retire(0, kScalarDouble, 100); }).join();
  collector_->EnterTeam(0);
  Sums sums = Harvest();
  EXPECT_EQ((sums.doubts[{1, kDpScalar}]), Status::kDenied);
  EXPECT_THAT(ComplaintsAsLines(), test::Says(message::kCountsLeftOut, "perf_event", testing::_));
  EXPECT_THAT(ComplaintsAsLines(), HasSubstr("perf_event_paranoid"));
}

TEST_F(PerfEvent, KernelModeNeedsMoreRights) {
  Settings settings;
  settings.kernel = true;
  vpmu_set_paranoid(2);
  const auto denied = Open(settings);
  ASSERT_FALSE(denied);
  EXPECT_THAT(denied.error(), HasSubstr("ROOFMARK_KERNEL"));
  vpmu_set_paranoid(1);
  ASSERT_TRUE(Open(settings));
  collector_->EnterTeam(1);
  vpmu_retire_kernel(0, kInstructions, 70);
  vpmu_retire(0, kInstructions, 5);
  collector_->EnterTeam(0);
  EXPECT_EQ(Harvest().Total(1, metric::kInstructions), 75u);
}

TEST_F(PerfEvent, KernelWorkIsLeftOutByDefault) {
  ASSERT_TRUE(Open());
  collector_->EnterTeam(1);
  vpmu_retire_kernel(0, kInstructions, 70);
  vpmu_retire(0, kInstructions, 5);
  collector_->EnterTeam(0);
  EXPECT_EQ(Harvest().Total(1, metric::kInstructions), 5u);
}

TEST_F(PerfEvent, HalfOfTheDescriptorsIsLeftToTheProgram) {
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  rlimit low = limit;
  low.rlim_cur = 300;
  std::vector<int> taken = {dup(0)};
  while (taken.back() < 249) taken.push_back(dup(0));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);  // two threads' events fit into half of the rest
  const auto offered = Open();
  std::vector<std::thread> workers;
  std::atomic<int> ready{0};
  if (offered) {
    collector_->EnterTeam(1);
    for (int i = 0; i < 3; ++i) {
      workers.emplace_back([&] {
        vpmu_retire(0, kScalarDouble, 10);
        ++ready;
        while (ready < 3) std::this_thread::yield();
      });
    }
    for (std::thread& worker : workers) worker.join();
    collector_->EnterTeam(0);
  }
  const uint64_t descriptors = Statistics().open_descriptors;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  for (const int descriptor : taken) close(descriptor);
  ASSERT_TRUE(offered) << offered.error();
  EXPECT_LE(descriptors, 25u);
  Sums sums = Harvest();
  EXPECT_EQ((sums.doubts[{1, kDpScalar}]), Status::kDenied);
}

TEST_F(PerfEvent, FewDescriptorsAreAllLeftToTheProgram) {
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  rlimit low = limit;
  low.rlim_cur = 255;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  const auto offered = Open();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  ASSERT_FALSE(offered);
  EXPECT_THAT(offered.error(), HasSubstr("none of fewer than 256"));
}

TEST_F(PerfEvent, ForkedChildGivesUpItsDescriptors) {
  ASSERT_TRUE(Open());
  collector_->EnterTeam(1);
  vpmu_retire(0, kScalarDouble, 6);
  const auto count = [] {
    size_t events = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      static_cast<void>(entry);
      ++events;
    }
    return events;
  };
  const size_t parents = count();
  const pid_t child = fork();
  if (child == 0) test::EndChild(count() < parents ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  collector_->EnterTeam(0);
  EXPECT_EQ(Harvest().Total(1, kDpScalar), 6u);
}

TEST_F(PerfEvent, GroupsThatAreNotAskedForGiveTheReason) {
  Settings settings;
  settings.group = "sp";
  const auto offered = Open(settings);
  ASSERT_TRUE(offered);
  for (const OfferedMetric& offer : *offered) {
    if (offer.metric != kDpScalar) continue;
    EXPECT_EQ(offer.status, Status::kUnsupported);
    EXPECT_THAT(offer.reason, HasSubstr("ROOFMARK_GROUP=sp"));
  }
}

}  // namespace
}  // namespace roofmark::perf_test
