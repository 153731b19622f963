// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/clock.h"
#include "lib/core/cpu_list.h"
#include "lib/core/status.h"
#include "tests/support/clocks.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

TEST(Status, NamesRoundTripAndWorstIsTheLeastTrustworthy) {
  for (int i = 0; i <= static_cast<int>(Status::kInvalid); ++i) {
    const auto status = static_cast<Status>(i);
    EXPECT_EQ(ParseStatus(StatusName(status)), status);
  }
  EXPECT_EQ(ParseStatus("fine"), std::nullopt);
  EXPECT_EQ(Worst(Bit(Status::kMeasured) | Bit(Status::kModelled)), Status::kModelled);
  EXPECT_EQ(Worst(0), Status::kUnsupported);
}

TEST(CpuList, RoundTripsAndUnites) {
  EXPECT_EQ(FormatCpuList(ParseCpuList("0-3,8,10-11")), "0-3,8,10-11");
  EXPECT_EQ(UniteCpuLists("0,2", "1,3-4"), "0-4");
  EXPECT_EQ(UniteCpuLists("", "5"), "5");
  EXPECT_EQ(CountCpus("0-3,8"), 5u);
  EXPECT_EQ(CountCpus("x,1-y,7"), 1u);
  EXPECT_GE(CountCpus(AffinityCpuList()), 1u);
  std::string often;
  for (int i = 0; i < 100'000; ++i) often += "0-1048575,";
  EXPECT_EQ(CountCpus(often), 1u << 20) << "each range alone takes a tenth of a second";
}

TEST(CpuList, CoresHaveOneOrSeveralCpus) {
  const test::TempDir directory;
  const auto siblings = [&](uint32_t cpu, const char* list) {
    directory.Write(
        "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list",
        list);
  };
  for (const uint32_t cpu : {0, 4}) siblings(cpu, "0,4\n");
  for (const uint32_t cpu : {1, 5}) siblings(cpu, "1,5\n");
  siblings(2, "2\n");
  EXPECT_EQ(CoresOf("0-2,4-5", directory.path()), "0-2");
  EXPECT_EQ(CoresOf("4", directory.path()), "0") << "its name is its first CPU, allowed or not";
  EXPECT_EQ(CoresOf("0,4", directory.path()), "0");
  EXPECT_EQ(CoresOf("", directory.path()), "");
  EXPECT_EQ(CoresOf("0-3", directory.path()), "") << "of CPU 3 nothing is known";
  siblings(2, "7\n");
  EXPECT_EQ(CoresOf("2", directory.path()), "") << "a CPU is its own sibling";
}

TEST(CpuList, CpusThatAreOnline) {
  const test::TempDir directory;
  EXPECT_EQ(OnlineCpuList(directory.path()), "");
  directory.Write("/sys/devices/system/cpu/online", "0-7\n");
  EXPECT_EQ(OnlineCpuList(directory.path()), "0-7");
}

TEST(Clock, TheCpusCounterServesWhereTheKernelUsesIt) {
  const test::TempDir directory;
  const auto source = [&](const char* said) {
    directory.Write("current", said);
    errno = EBUSY;
    const TickSource found = TickSourceBy(directory.File("current").c_str());
    EXPECT_EQ(errno, EBUSY);
    return found;
  };
  EXPECT_EQ(source("tsc\n"), TickSource::kCpuCounter);
#if defined(__x86_64__)
  for (const char* other :
       {"kvm-clock\n", "hpet\n", "tsc-early\n", "hyperv_clocksource_tsc_page\n"}) {
    EXPECT_EQ(source(other), TickSource::kKernel) << other;
  }
#endif
  EXPECT_EQ(source(""), TickSource::kCpuCounter) << "it does not say";
  EXPECT_EQ(TickSourceBy("/nonexistent"), TickSource::kCpuCounter);
}

TEST(Clock, ACounterThatWentBackMakesNoTime) {
  EXPECT_EQ(TicksBetween(5, 7), 2u);
  EXPECT_EQ(TicksBetween(7, 5), 0u);
}

TEST(Clock, TicksAgreeWithTheMonotonicClock) {
  if (!test::TicksAgree()) GTEST_SKIP() << test::kTicksDisagree;
  const ClockPair start = ReadClocks();
  const double ns_per_tick = NsPerTick(start);
  // Between an inner and an outer interval, however long a busy machine keeps this thread from
  // reading on.
  const uint64_t outer_begin = NowNs(), ticks_begin = Ticks(), inner_begin = NowNs();
  while (NowNs() - inner_begin < 20'000'000) {
  }
  const uint64_t inner_end = NowNs(), ticks_end = Ticks(), outer_end = NowNs();
  const double by_ticks = static_cast<double>(ticks_end - ticks_begin) * ns_per_tick;
  EXPECT_GE(by_ticks, 0.99 * static_cast<double>(inner_end - inner_begin));
  EXPECT_LE(by_ticks, 1.01 * static_cast<double>(outer_end - outer_begin));
}

}  // namespace
}  // namespace roofmark
