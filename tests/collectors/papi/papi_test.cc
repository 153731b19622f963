// SPDX-License-Identifier: BSD-3-Clause
//
// PAPI below the thread engine, on virtual machines: exact counts of every thread, what presets
// mean on which CPU, and what is said where PAPI cannot count.
#include "collectors/papi/papi.h"

#include <papi.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "lib/core/log.h"
#include "lib/core/messages/collectors.h"
#include "lib/core/own_stack.h"
#include "lib/core/thread.h"
#include "tests/collectors/papi/on_its_own.h"
#include "tests/support/pairs.h"
#include "tests/support/says.h"

namespace roofmark::papi_test {
namespace {

using testing::HasSubstr;

// --- exact counts -----------------------------------------------------------------------------

// What CountFourThreads() counted, of an event that counts `weight` each.
void ExpectFourThreads(Counting& counting, MetricId flops, uint64_t weight) {
  Sums sums = counting.Harvest();
  const auto times = [&](uint64_t n) { return n * weight; };
  EXPECT_THAT(sums.Of(2, flops), testing::ElementsAre(times(30), times(20), times(10), times(4)));
  EXPECT_THAT(sums.Of(3, flops), testing::ElementsAre(times(900), times(70)));
  EXPECT_THAT(sums.Of(5, flops), testing::ElementsAre(times(333)));
  EXPECT_EQ(sums.Total(2, metric::kInstructions), 6u);
  EXPECT_TRUE(sums.doubts.empty());
}

struct Place {
  const char* machine;
  bool user_read, privileged;
};

class PapiExact : public testing::TestWithParam<Place> {};

// One thread is there before the collector is, the others come; each counts something else.
void CountFourThreads(Counting& counting, uint64_t config) {
  std::atomic<int> stage{0}, ready{0};
  std::vector<std::thread> workers;
  for (uint64_t i = 1; i <= 3; ++i) {
    workers.emplace_back([&, i] {
      while (stage < 1) std::this_thread::yield();
      vpmu_retire(0, config, i * 10);
      vpmu_retire(0, kInstructions, i);
      if (i == 3) {
        counting.collector->EnterOwn(5);
        vpmu_retire(0, config, 333);
        counting.collector->EnterOwn(0);
      }
      ++ready;
      while (stage < 2) std::this_thread::yield();
    });
  }
  counting.collector->EnterTeam(0);  // notices them
  vpmu_retire(0, config, 1'000'000);
  counting.collector->EnterTeam(2);
  stage = 1;
  while (ready < 3) std::this_thread::yield();
  vpmu_retire(0, config, 4);
  counting.collector->EnterTeam(3);
  vpmu_retire(0, config, 900);
  std::thread([config] { vpmu_retire(0, config, 70); }).join();
  counting.collector->EnterTeam(0);
  stage = 2;
  for (std::thread& worker : workers) worker.join();
}

TEST_P(PapiExact, EveryThreadAndPath) {
  OnItsOwn(GetParam().machine, [] {
    vpmu_set_user_read(GetParam().user_read);
    vpmu_set_privileged(GetParam().privileged);
    const bool amd = std::string(GetParam().machine) == "zen3";
    const uint64_t config = amd ? 0xf03 : k256Double;
    const MetricId flops = amd ? kMixed : kDouble;
    const uint64_t weight = amd ? 1 : 4;
    Counting counting(Group(amd ? "mix" : "dp"));
    ASSERT_EQ(counting.error, "");
    ASSERT_TRUE(counting.Gives(flops));
    CountFourThreads(counting, config);
    ExpectFourThreads(counting, flops, weight);
  });
}

std::vector<Place> Places() {
  std::vector<Place> places;
  const std::vector<const char*> machines = {"skx", "clx", "icx", "zen3"};
  for (const auto& [machine, user_read, privileged] :
       test::Pairs(machines, test::Both(), test::Both())) {
    places.push_back({machine, user_read, privileged});
  }
  return places;
}
INSTANTIATE_TEST_SUITE_P(Machines, PapiExact, testing::ValuesIn(Places()), [](const auto& test) {
  return std::string(test.param.machine) + (test.param.user_read ? "_rdpmc" : "_read") +
         (test.param.privileged ? "_privileged" : "");
});

// As in a coroutine: roofmark cannot know how much of its stack is left, and calls PAPI on one of
// its own. The sanitizers follow it there.
TEST(Papi, IsCalledOnAStackOfItsOwnWhereTheCallersIsUnknown) {
  OnItsOwn("skx", [] {
    OwnStack coroutine(size_t{64} << 20);  // more than any thread has
    ASSERT_TRUE(coroutine.Exists());
    uintptr_t on_thread = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    coroutine.Call([on_thread] {
      const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
      EXPECT_GT(std::max(here, on_thread) - std::min(here, on_thread), size_t{16} << 20);
      EXPECT_FALSE(OwnStack::ThreadHas(1));
      Counting counting(Group("dp"));
      ASSERT_EQ(counting.error, "");
      CountFourThreads(counting, k256Double);
      ExpectFourThreads(counting, kDouble, 4);
    });
  });
}

TEST(Papi, ThreadsThatComeAndGoAreExactAndLeaveNothing) {
  OnItsOwn("skx", [] {
    Counting counting(Group("dp"));
    counting.collector->EnterTeam(1);
    for (uint64_t i = 1; i <= 100; ++i) {
      std::thread([i] { vpmu_retire(0, kScalarDouble, i); }).join();
    }
    counting.collector->EnterTeam(0);
    EXPECT_EQ(counting.Harvest().Total(1, kDouble), 5050u);
    EXPECT_LE(Statistics().open_descriptors, 6u + 6u);  // the main thread's; at most one more
  });
}

TEST(Papi, ThousandsOfThreadsAreCountedAndTheirPriceIsSaid) {
  OnItsOwn("skx", [] {
    Counting counting(Group("dp"));
    counting.collector->EnterTeam(1);
    constexpr uint64_t kThreads = 5000;
    const auto come_and_go = [] { vpmu_retire(0, kScalarDouble, 1); };
    for (uint64_t i = 0; i < kThreads - 100; ++i) std::thread(come_and_go).join();
    EXPECT_EQ(ComplaintsAsLines(), "");
    for (uint64_t i = 0; i < 100; ++i) std::thread(come_and_go).join();
    counting.collector->EnterTeam(0);
    EXPECT_EQ(counting.Harvest().Total(1, kDouble), kThreads);
    EXPECT_THAT(ComplaintsAsLines(), test::Says(message::kPapiKeepsThreads, testing::_));
  });
}

TEST(Papi, TheKernelIsCountedOnlyIfAsked) {
  for (const bool kernel : {false, true}) {
    OnItsOwn("skx", [kernel] {
      vpmu_set_privileged(1);
      Settings settings = Group("dp");
      settings.kernel = kernel;
      Counting counting(settings);
      counting.collector->EnterTeam(1);
      vpmu_retire(0, kInstructions, 5);
      vpmu_retire_kernel(0, kInstructions, 100);
      counting.collector->EnterTeam(0);
      EXPECT_EQ(counting.Harvest().Total(1, metric::kInstructions), kernel ? 105u : 5u);
    });
  }
}

// --- what presets mean ------------------------------------------------------------------------

TEST(Papi, AmdPresetsMixPrecisions) {
  OnItsOwn("zen3", [] {
    const Counting counting(Group("mix"));
    ASSERT_EQ(counting.error, "");
    EXPECT_EQ(counting.Offer(kMixed)->status, Status::kMixedPrecision);
    EXPECT_FALSE(counting.Gives(kDouble));
    EXPECT_FALSE(counting.Gives(kSingle));
  });
}

// PAPI_FP_OPS of Ice Lake is the sum of what the others count.
TEST(Papi, FlopsAreNotCountedTwice) {
  OnItsOwn("icx", [] {
    Counting counting(List("PAPI_DP_OPS,PAPI_TOT_INS,instructions"));
    ASSERT_EQ(counting.error, "");
    counting.collector->EnterTeam(1);
    vpmu_retire(0, k256Double, 10);
    vpmu_retire(0, kInstructions, 7);
    counting.collector->EnterTeam(0);
    Sums sums = counting.Harvest();
    EXPECT_EQ(sums.Total(1, kDouble), 40u);
    EXPECT_EQ(sums.Total(1, UserMetric(0)), 40u);
    EXPECT_EQ(sums.Total(1, metric::kInstructions), 7u);
    EXPECT_FALSE(counting.Gives(kMixed));
  });
}

TEST(Papi, MissingPresetsAreSaid) {
  OnItsOwn("spr", [] {
    const Counting counting(Group("dp"));  // cycles and instructions remain, or nothing does
    EXPECT_FALSE(counting.Gives(kDouble));
    EXPECT_THAT(counting.error + counting.Why(kDouble), HasSubstr("PAPI"));
  });
  OnItsOwn("emr", [] {
    const Counting counting;
    EXPECT_THAT(counting.error, HasSubstr("PAPI's component perf_event is disabled here"));
  });
}

// Nobody named the presets of a group: if all fail, for different reasons, each has its own.
TEST(Papi, AGroupOfWhichNothingCountsIsNamed) {
  OnItsOwn("zen3", [] {
    ASSERT_EQ(Counting(Group("dp")).error, "");  // PAPI is up, and has no PAPI_DP_OPS here
    ASSERT_EQ(vpmu_fault("open:*:EACCES"), 0);
    const Counting counting(Group("dp"));
    EXPECT_THAT(counting.error,
                testing::StartsWith("PAPI counts nothing of ROOFMARK_GROUP=dp (PAPI_DP_OPS: "));
    EXPECT_THAT(counting.error, HasSubstr("; PAPI_TOT_CYC, PAPI_TOT_INS: "));
    EXPECT_THAT(counting.error, HasSubstr("the operating system forbids it"));
    vpmu_fault(nullptr);
  });
}

// --- traps that others fell into --------------------------------------------------------------

// PAPI would want a CPU for it, and open it in every thread that counts.
TEST(PapiTraps, UncoreIsReadOncePerPackageWithoutNamingACpu) {
  OnItsOwn("skx", [] {
    vpmu_set_privileged(1);
    Counting counting(List("PAPI_TOT_INS,skx_unc_imc0::UNC_M_CAS_COUNT:RD"));
    ASSERT_EQ(counting.error, "");
    EXPECT_TRUE(counting.Gives(UserMetric(0)));
    ASSERT_TRUE(counting.Gives(UserMetric(1))) << counting.Why(UserMetric(1));
    EXPECT_EQ(counting.Offer(UserMetric(1))->scope, Scope::kPackage);
    EXPECT_EQ(counting.Offer(UserMetric(1))->origin, "perf_event");
    counting.collector->DefinePath(1, 0, "solve");
    counting.collector->EnterTeam(1);
    vpmu_device(0, "uncore_imc_0", 0x304, 7);
    vpmu_device(1, "uncore_imc_0", 0x304, 1000);
    counting.collector->EnterTeam(0);
    const auto parts = counting.Harvest().shared[{"solve", UserMetric(1)}];
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].first.sum, 7u);
  });
}

TEST(PapiTraps, UncoreWithoutRightsIsDeniedAndSaysSo) {
  OnItsOwn("skx", [] {
    vpmu_set_paranoid(2);
    Counting counting(List("PAPI_TOT_INS,skx_unc_imc0::UNC_M_CAS_COUNT:RD"));
    ASSERT_EQ(counting.error, "");
    EXPECT_TRUE(counting.Gives(UserMetric(0)));
    EXPECT_FALSE(counting.Gives(UserMetric(1)));
    EXPECT_THAT(counting.Why(UserMetric(1)), HasSubstr("perf_event_paranoid is 2"));
  });
}

TEST(PapiTraps, NothingIsSubstitutedSilently) {
  OnItsOwn("skx", [] {
    Counting counting(List("PAPI_DP_OPS,PAPI_DP_OPPS"));
    ASSERT_EQ(counting.error, "");
    EXPECT_THAT(counting.Why(UserMetric(1)), HasSubstr("did you mean PAPI_DP_OPS?"));
    EXPECT_THAT(counting.Why(UserMetric(1)), HasSubstr("PAPI 7."));
    counting.collector->EnterTeam(1);
    vpmu_retire(0, kScalarDouble, 3);
    counting.collector->EnterTeam(0);
    EXPECT_EQ(counting.Harvest().Total(1, UserMetric(1)), 0u);
    EXPECT_NE(Counting(List("PAPI_NO_SUCH")).error, "");
  });
}

// PAPI's tables say that they are there; opening them is what counts.
TEST(PapiTraps, CapabilitiesAreProbedByOpening) {
  OnItsOwn("skx", [] {
    vpmu_set_paranoid(3);
    const Counting counting(Group("dp"));
    EXPECT_THAT(counting.error, HasSubstr("paranoid=3"));
    EXPECT_THAT(counting.error, testing::Not(HasSubstr("PAPI_DP_OPS"))) << "all fail alike";
  });
  OnItsOwn("skx", [] {
    vpmu_reserve("cpu", 6);  // two of eight are left, PAPI_DP_OPS takes four
    const Counting counting(List("PAPI_TOT_INS,PAPI_DP_OPS"));
    ASSERT_EQ(counting.error, "");
    EXPECT_TRUE(counting.Gives(UserMetric(0)));
    EXPECT_FALSE(counting.Gives(UserMetric(1)));
    EXPECT_THAT(counting.Why(UserMetric(1)), HasSubstr("more counters"));
  });
}

TEST(PapiTraps, NamesThatPapiCannotHoldAreRefused) {
  OnItsOwn("skx", [] {
    const Counting counting(List("task-clock,PAPI_" + std::string(2000, 'X')));
    EXPECT_TRUE(counting.Gives(UserMetric(0)));
    EXPECT_THAT(counting.Why(UserMetric(1)), HasSubstr("longer than"));
  });
}

// --- more events than counters ----------------------------------------------------------------

constexpr char kTooMany[] = "PAPI_DP_OPS,PAPI_SP_OPS,PAPI_BR_INS,PAPI_L1_DCM,PAPI_TOT_INS";

TEST(PapiTurns, WithoutRotationTheRestIsRefused) {
  OnItsOwn("skx", [] {
    const Counting counting(List(kTooMany));
    ASSERT_EQ(counting.error, "");
    EXPECT_TRUE(counting.Gives(UserMetric(0)));
    EXPECT_FALSE(counting.Gives(UserMetric(2)));
    EXPECT_THAT(counting.Why(UserMetric(2)), HasSubstr("ROOFMARK_ROTATE=visits"));
  });
}

// PAPI clears a set when it starts it again: totals go on nevertheless. Its sets know no times but
// the wall's, so estimates are as good as visits are alike.
TEST(PapiTurns, SetsRotateByVisit) {
  OnItsOwn("skx", [] {
    Settings settings = List(kTooMany);
    settings.rotate = true;
    Counting counting(settings);
    ASSERT_EQ(counting.error, "");
    constexpr uint64_t kVisits = 200;
    for (uint64_t i = 0; i < kVisits; ++i) {
      counting.collector->EnterTeam(1);
      vpmu_retire(0, kScalarDouble, 1000);
      vpmu_retire(0, kInstructions, 5000);
      const uint64_t start = *ThreadCpuNs(ThisThread());
      while (*ThreadCpuNs(ThisThread()) - start < 300'000) continue;
      if (i == 0) usleep(100'000);  // no set counts while the thread waits
      counting.collector->EnterTeam(0);
      vpmu_retire(0, kScalarDouble, 1'000'000);
    }
    Sums sums = counting.Harvest();
    EXPECT_NEAR(static_cast<double>(sums.Total(1, kDouble)), 1000.0 * kVisits, 500.0 * kVisits);
    EXPECT_NEAR(static_cast<double>(sums.Total(1, UserMetric(4))), 5000.0 * kVisits,
                2500.0 * kVisits);
    EXPECT_EQ((sums.doubts[{1, kDouble}]), Status::kScaled);
    EXPECT_LT(std::stod(counting.collector->Facts().at("least_running_share")), 0.9);
  });
}

// --- beside the application's own PAPI --------------------------------------------------------

TEST(Papi, ItsReadsAreRightAlthoughRdpmcIsAllowed) {
  OnItsOwn("skx", [] {
    vpmu_set_user_read(1);
    const Counting counting(Group("dp"));
    ASSERT_EQ(counting.error, "");
    EXPECT_EQ(PAPI_get_component_info(PAPI_get_component_index("perf_event"))->fast_counter_read,
              0u);
  });
}

TEST(Papi, TheApplicationsOwnSettingsStay) {
  OnItsOwn("skx", [] {
    vpmu_set_user_read(1);
    if (vpmu_no_rdpmc() != nullptr) return;
    ASSERT_EQ(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
    const int core = PAPI_get_component_index("perf_event");
    ASSERT_EQ(PAPI_get_component_info(core)->fast_counter_read, 1u);
    const Counting counting(Group("dp"));
    EXPECT_THAT(counting.error, HasSubstr("the program has initialised PAPI"));
    EXPECT_EQ(PAPI_get_component_info(core)->fast_counter_read, 1u);
  });
}

TEST(Papi, TheApplicationMayCountWithPapiToo) {
  OnItsOwn("skx", [] {
    Counting counting(Group("sp"));
    ASSERT_EQ(counting.error, "");
    ASSERT_EQ(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
    int set = PAPI_NULL;
    ASSERT_EQ(PAPI_create_eventset(&set), PAPI_OK);
    ASSERT_EQ(PAPI_add_named_event(set, "PAPI_TOT_INS"), PAPI_OK);
    ASSERT_EQ(PAPI_start(set), PAPI_OK);
    counting.collector->EnterTeam(1);
    vpmu_retire(0, kInstructions, 12);
    counting.collector->EnterTeam(0);
    long long value = 0;
    ASSERT_EQ(PAPI_stop(set, &value), PAPI_OK);
    EXPECT_EQ(value, 12);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
    Sums sums = counting.Harvest();
    EXPECT_EQ(sums.Total(1, metric::kInstructions), 12u);
    EXPECT_TRUE(sums.doubts.empty());
  });
}

}  // namespace
}  // namespace roofmark::papi_test
