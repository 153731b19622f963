// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_EVENTS: what each event of a user's list becomes, by perf_event and by papi, on virtual
// machines and, for software events, on this one.
#include <sys/mman.h>

#include <thread>

#include "collectors/hardware/perf/explain.h"
#include "collectors/hardware/perf/group.h"
#include "tests/collectors/papi/on_its_own.h"

namespace roofmark::papi_test {
namespace {

using testing::HasSubstr;
using testing::Values;

using Make = std::unique_ptr<Collector> (*)();

class EitherCollector : public testing::TestWithParam<Make> {
 protected:
  static std::unique_ptr<Collector> Make() { return GetParam()(); }
};

TEST_P(EitherCollector, ListsOfKernelAndLibpfmNamesAreExact) {
  OnItsOwn("skx", [] {
    Counting counting(
        List("cpu/event=0xc7,umask=0x10/, skx::INST_RETIRED:ANY_P,instructions,task-clock"),
        Make());
    ASSERT_EQ(counting.error, "");
    counting.collector->EnterTeam(1);
    vpmu_retire(0, k256Double, 31);
    vpmu_retire(0, kInstructions, 1000);
    std::thread([] { vpmu_retire(0, k256Double, 7); }).join();
    counting.collector->EnterTeam(0);
    Sums sums = counting.Harvest();
    EXPECT_THAT(sums.Of(1, UserMetric(0)), testing::ElementsAre(31, 7));
    EXPECT_EQ(sums.Total(1, UserMetric(1)), 1000u);
    EXPECT_EQ(sums.Total(1, UserMetric(2)), 1000u);
    EXPECT_EQ(sums.Total(1, metric::kInstructions), 1000u);
    EXPECT_GT(sums.Total(1, UserMetric(3)), 0u);
    EXPECT_TRUE(sums.doubts.empty());
    EXPECT_EQ(counting.Offer(UserMetric(0))->label, "cpu/event=0xc7,umask=0x10/");
    EXPECT_EQ(counting.Offer(UserMetric(0))->unit, "count");
    EXPECT_EQ(counting.Offer(UserMetric(3))->unit, "ns");
  });
}

// Without counters of their own kind nothing can be asked of the kernel at all (a container, say).
std::string WhyNoSoftwareEvents() {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  threads::OpenFailure failure;
  const auto group = perf::Group::Open({attr}, 0, -1, false, &failure);
  return group ? "" : perf::ExplainOpen(failure.error, false).reason;
}

// The list needs no table of the CPU: here it is this machine's own, whatever that is. If PAPI
// cannot be initialised here its collector says so.
TEST_P(EitherCollector, SoftwareEventsReallyCountOnThisMachine) {
  if (const std::string why = WhyNoSoftwareEvents(); !why.empty()) GTEST_SKIP() << why;
  OnItsOwn("", [] {
    Counting counting(List("task-clock,page-faults"), Make());
    if (counting.error.starts_with("PAPI")) return;
    ASSERT_EQ(counting.error, "");
    constexpr size_t kPages = 100, kPage = 4096;
    counting.collector->EnterTeam(1);
    void* memory =
        mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    madvise(memory, kPages * kPage, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < kPages; ++i) static_cast<volatile char*>(memory)[i * kPage] = 1;
    counting.collector->EnterTeam(0);
    munmap(memory, kPages * kPage);
    Sums sums = counting.Harvest();
    EXPECT_GT(sums.Total(1, UserMetric(0)), 1000u) << "ns";
    EXPECT_GE(sums.Total(1, UserMetric(1)), kPages);
    EXPECT_LT(sums.Total(1, UserMetric(1)), 3 * kPages);
  });
}

TEST_P(EitherCollector, SwitchesHappenInTheKernelAndAreCountedThere) {
  if (const std::string why = WhyNoSoftwareEvents(); !why.empty()) GTEST_SKIP() << why;
  OnItsOwn("", [] {
    Counting counting(List("context-switches"), Make());
    if (counting.error.starts_with("PAPI")) return;
    if (!counting.error.empty()) {
      EXPECT_THAT(counting.error, HasSubstr("happens in the operating system"));
      return;
    }
    counting.collector->EnterTeam(1);
    for (int i = 0; i < 20; ++i) usleep(1000);
    counting.collector->EnterTeam(0);
    EXPECT_GE(counting.Harvest().Total(1, UserMetric(0)), 20u);
  });
}

TEST_P(EitherCollector, MistakesNameTheVariableAndTheCure) {
  OnItsOwn("skx", [] {
    EXPECT_THAT(Counting(List(" , "), Make()).error,
                HasSubstr("ROOFMARK_EVENTS=\" , \" names no event"));
    EXPECT_THAT(Counting(List("cycles,task-clock,cycles"), Make()).error,
                HasSubstr("ROOFMARK_EVENTS names cycles twice"));
    std::string many = "cpu/event=0/";
    for (int i = 1; i < 17; ++i) many += ",cpu/event=" + std::to_string(i) + "/";
    EXPECT_THAT(Counting(List(many), Make()).error,
                HasSubstr("ROOFMARK_EVENTS names 17 events, but at most 16"));
    EXPECT_THAT(Counting(List("task-clok"), Make()).error, HasSubstr("did you mean task-clock?"));
    EXPECT_THAT(Counting(List("INST_RETIERD:ANY"), Make()).error,
                HasSubstr("did you mean skx::INST_RETIRED?"));
    EXPECT_THAT(Counting(List("powercap:::ENERGY_PKG:ZONE0"), Make()).error,
                HasSubstr("powercap is a component of PAPI"));
    const Counting some(List("task-clock,cpu/event=0x100/"), Make());
    EXPECT_TRUE(some.Gives(UserMetric(0)));
    EXPECT_THAT(some.Why(UserMetric(1)), HasSubstr("event"));
  });
}

INSTANTIATE_TEST_SUITE_P(Collectors, EitherCollector,
                         Values(&MakePerfEventCollector, &MakePapiCollector), [](const auto& test) {
                           return std::string(test.param == &MakePapiCollector ? "papi"
                                                                               : "perf_event");
                         });

// The list of the guide: presets and everything else beside each other.
TEST(MixedList, PapiCountsItsPresetsAndTheKernelTheRest) {
  OnItsOwn("skx", [] {
    Counting counting(
        List("PAPI_DP_OPS,task-clock,cpu/event=0xc7,umask=0x01/,skx::INST_RETIRED:ANY_P"));
    ASSERT_EQ(counting.error, "");
    counting.collector->EnterTeam(1);
    vpmu_retire(0, k256Double, 10);
    vpmu_retire(0, kScalarDouble, 3);
    vpmu_retire(0, kInstructions, 50);
    counting.collector->EnterTeam(0);
    Sums sums = counting.Harvest();
    EXPECT_EQ(sums.Total(1, UserMetric(0)), 43u);
    EXPECT_EQ(sums.Total(1, kDouble), 43u);
    EXPECT_EQ(sums.Total(1, UserMetric(2)), 3u);
    EXPECT_EQ(sums.Total(1, UserMetric(3)), 50u);
    EXPECT_EQ(counting.Offer(kDouble)->origin, "");
    EXPECT_EQ(counting.Offer(UserMetric(2))->origin, "perf_event");
    EXPECT_TRUE(sums.doubts.empty());
  });
}

TEST(MixedList, PerfEventSaysWhoCountsPresets) {
  OnItsOwn("skx", [] {
    const Counting counting(List("task-clock,PAPI_DP_OPS"), MakePerfEventCollector());
    EXPECT_TRUE(counting.Gives(UserMetric(0)));
    EXPECT_THAT(counting.Why(UserMetric(1)), HasSubstr("ROOFMARK_COLLECTOR=papi"));
  });
}

TEST(UnknownCpu, SoftwareEventsNeedNoTable) {
  OnItsOwn("emr", [] {
    Counting counting(List("task-clock"), MakePerfEventCollector());
    ASSERT_EQ(counting.error, "");
    counting.collector->EnterTeam(1);
    counting.collector->EnterTeam(0);
    EXPECT_GT(counting.Harvest().Total(1, UserMetric(0)), 0u);
  });
}

}  // namespace
}  // namespace roofmark::papi_test
