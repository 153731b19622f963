// SPDX-License-Identifier: BSD-3-Clause
//
// Page faults by region, of programs that know how many they have: one for each page that they
// touch for the first time.
#include "markers/kernel_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/whole.h"
#include "tests/support/clocks.h"
#include "tests/support/recording.h"
#include "tests/support/sanitizers.h"

namespace roofmark::test {
namespace {

constexpr uint64_t kPages = 8192;  // that touches.c touches at a time
// Of code, stacks, and of roofmark; a sanitizer has shadows of all pages.
constexpr uint64_t kFew = ROOFMARK_TEST_SANITIZED ? 1'000'000 : 400;

// Visits are looked at by their lengths.
class KernelWatchTest : public Recording {
 protected:
  void SetUp() override {
    if (!TicksAgree()) GTEST_SKIP() << kTicksDisagree;
  }
  JobProfile Record(const std::string& what, Environment environment = {}) {
    environment.try_emplace("ROOFMARK_COLLECTOR", "timer");
    return RunAndRead({TOUCHES, what}, environment);
  }
  void ExpectFaults(const JobProfile& job, const std::string& path, uint64_t expected) {
    const uint64_t found = Value(job, path, metric::kPageFaults);
    EXPECT_GE(found, expected) << path;
    EXPECT_LE(found, expected + kFew) << path;
  }
};

TEST_F(KernelWatchTest, EachRegionHasItsOwnFaultsAndThoseInside) {
  const JobProfile job = Record("nested");
  ExpectFaults(job, "outer/touches", 4 * kPages);
  ExpectFaults(job, "outer/spins", 0);
  ExpectFaults(job, "outer", 8 * kPages);
  EXPECT_EQ(job.sources[metric::kPageFaults].origin, "kernel");
  EXPECT_EQ(job.sources[metric::kPageFaults].status, Status::kMeasured);
  // Of a thread that runs, clock ticks of the kernel are all that is known of its time there.
  const uint64_t in_kernel = Value(job, "outer", metric::kSystemNs);
  EXPECT_GT(in_kernel, 0u);
  EXPECT_LE(in_kernel, Value(job, "outer", metric::kTimeNs) + 20'000'000);
}

TEST_F(KernelWatchTest, ATeamHasTheFaultsOfAllItsThreads) {
  ExpectFaults(Record("team", {{"OMP_NUM_THREADS", "2"}}), "team", kPages);
}

TEST_F(KernelWatchTest, WhatAThreadHasInItsOwnRegionsIsNotCountedTwice) {
  const JobProfile job = Record("threads");
  ExpectFaults(job, "main/worker/inside", kPages);
  ExpectFaults(job, "main/worker", 2 * kPages);
  ExpectFaults(job, "main", 2 * kPages);
}

// Of three long visits in a row, the first one comes after a short one and is not watched.
TEST_F(KernelWatchTest, VisitsAfterALongOneAreWatched) {
#ifdef TOUCHES_HELD
  const JobProfile job = RunAndRead({TOUCHES_HELD, "changes"}, {{"ROOFMARK_COLLECTOR", "timer"}});
  ExpectFaults(job, "changes", 6 * kPages);
#else
  GTEST_SKIP() << "markers read no held clock on this architecture";
#endif
}

// Of four visits the third one spins for 20 ms. The clock of the spin and that of the markers
// differ a little.
TEST_F(KernelWatchTest, TheLongestVisitIsKnownWhereThereAreLongOnes) {
  const JobProfile job = Record("lengths");
  const uint64_t longest = Value(job, "spins", metric::kLongestVisitNs);
  EXPECT_GE(longest, 19'990'000u);
  EXPECT_LE(longest, Value(job, "spins", metric::kTimeNs));
  EXPECT_EQ(Value(job, "spins", metric::kVisits), 4u);
  EXPECT_GT(Value(job, "spins", metric::kTimeNs), longest + 10'000'000);
}

TEST_F(KernelWatchTest, TheProgramHasAllAndOutsideTheRest) {
  const JobProfile job = Record("outside");
  const auto whole = [&job](WholeRow row) {
    return job.whole.At(static_cast<size_t>(row), metric::kPageFaults).Sum();
  };
  EXPECT_GE(static_cast<uint64_t>(whole(WholeRow::kOutside)), kPages);
  EXPECT_EQ(whole(WholeRow::kProgram), whole(WholeRow::kOutside));
  EXPECT_EQ(static_cast<uint64_t>(whole(WholeRow::kProgram)), job.run.kernel.page_faults.max);
}

TEST_F(KernelWatchTest, SampledVisitsAreScaled) {
  const JobProfile job = Record("nested", {{"ROOFMARK_VISITS", "first:2"}});
  EXPECT_EQ(job.sources[metric::kPageFaults].status, Status::kScaled);
  const uint64_t found = Value(job, "outer/touches", metric::kPageFaults);
  EXPECT_GE(found, 4 * kPages);
  EXPECT_LE(found, 4 * kPages + 2 * kFew);
}

TEST(KernelWatch, LooksAtLongVisitsOnly) {
  markers::SharedKernelCounts threads;
  markers::KernelWatch watch;
  EXPECT_GE(watch.long_visit(), uint64_t{1} << 63) << "no visit is so long";
  EXPECT_FALSE(watch.Begin(KernelCountsOf::kThread, threads)) << "not started";
  watch.Start();
  const uint64_t ticks = watch.long_visit();
  EXPECT_GT(ticks, 1000u);
  EXPECT_LT(ticks, 1'000'000'000u);
}

TEST(KernelWatch, TheSumOfThreadsIsNoTeams) {
  markers::SharedKernelCounts threads;
  markers::KernelWatch watch;
  watch.Start();
  ASSERT_TRUE(watch.Begin(KernelCountsOf::kProcess, threads));
  // As if threads of the process had had all of this in regions of their own.
  threads.Add({1'000'000, 3'600'000'000'000, 1'000'000});
  const KernelCounts own = watch.End(threads);
  EXPECT_EQ(own.page_faults, 0u);
  EXPECT_EQ(own.system_ns, 0u);
  EXPECT_EQ(own.preemptions, 0u);
}

TEST(KernelWatch, TooManyOpenVisitsAreLeftToTheOnesAround) {
  markers::SharedKernelCounts threads;
  markers::KernelWatch watch;
  watch.Start();
  int open = 0;
  while (watch.Begin(KernelCountsOf::kThread, threads)) ASSERT_LT(++open, 1000);
  EXPECT_GE(open, 8);
  while (open-- > 0) watch.End(threads);
  EXPECT_TRUE(watch.Begin(KernelCountsOf::kThread, threads));
}

}  // namespace
}  // namespace roofmark::test
