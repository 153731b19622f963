// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/balance.h"

#include <gtest/gtest.h>

#include "lib/model/work.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using test::AddPass;
using test::AddPath;
using test::EmptyJob;
using test::Set;

// Rank 1 waits for rank 0: their times are equal, what they do is not.
TEST(Imbalance, WaitingIsNotWork) {
  JobProfile job = EmptyJob(2, 2);
  AddPass(job, "timer", 10.0);
  AddPath(job, "solve");
  Set(job, 0, metric::kTimeNs, {4000, 4000}, "timer");
  EXPECT_DOUBLE_EQ(*TimeImbalance(job, 0), 1);
  EXPECT_FALSE(BusyImbalance(job, 0));
  EXPECT_FALSE(MpiShare(job, 0));
  Set(job, 0, metric::kMpiNs, {0, 2000}, "mpi_wait");
  Set(job, 0, metric::kOutsideMpiNs, {4000, 2000}, "mpi_wait");
  EXPECT_DOUBLE_EQ(*BusyImbalance(job, 0), 4 / 3.0);
  EXPECT_DOUBLE_EQ(*TimeImbalance(job, 0), 4 / 3.0);
  EXPECT_DOUBLE_EQ(*MpiShare(job, 0), 0.25);
}

// Two threads for 3 s of 4: one works all the time, the other one a third of it.
TEST(Imbalance, OfThreadsInTime) {
  JobProfile job = EmptyJob(1, 2);
  AddPass(job, "timer", 10.0);
  AddPath(job, "solve");
  EXPECT_FALSE(ThreadTimeImbalance(job, 0));
  EXPECT_FALSE(OpenMpWaitShare(job, 0));
  Set(job, 0, metric::kTimeNs, {4000}, "timer");
  Set(job, 0, metric::kParallelNs, {3000}, "openmp_wait");
  Set(job, 0, metric::kOpenMpBusyNs, {4000}, "openmp_wait");
  Set(job, 0, metric::kOpenMpBusiestNs, {2900}, "openmp_wait");
  Set(job, 0, metric::kOpenMpWaitNs, {2000}, "openmp_wait");
  EXPECT_DOUBLE_EQ(*OpenMpWaitShare(job, 0), 1 / 3.0);
  EXPECT_DOUBLE_EQ(*OpenMpShare(job, 0), 100 / 4000.0);
  EXPECT_DOUBLE_EQ(*ThreadTimeImbalance(job, 0), 2 * 3900 / 5000.0) << "one works for 1 s alone";
  Set(job, 0, metric::kOutsideMpiNs, {3000}, "mpi_wait");
  EXPECT_DOUBLE_EQ(*ThreadTimeImbalance(job, 0), 2 * 2900 / 4000.0) << "that was inside MPI";
}

// Threads with the same FLOPs, one of which takes twice as long.
TEST(Imbalance, OfTimeBeforeThatOfFlops) {
  JobProfile job = EmptyJob(1, 2);
  AddPass(job, "timer", 10.0);
  AddPath(job, "solve");
  const MetricId add = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);
  Set(job, 0, add, {1000}, "counting");
  Set(job, 0, metric::kFlops, {1000}, "counting");
  Set(job, 0, metric::kWorkers, {2}, "counting");
  Set(job, 0, metric::kWorkerFlopsMax, {500}, "counting");
  EXPECT_DOUBLE_EQ(*WorkBalance(job, 0).even_ranks, 1);
  Set(job, 0, metric::kTimeNs, {2000}, "timer");
  Set(job, 0, metric::kParallelNs, {2000}, "openmp_wait");
  Set(job, 0, metric::kOpenMpBusyNs, {3000}, "openmp_wait");
  Set(job, 0, metric::kOpenMpBusiestNs, {2000}, "openmp_wait");
  Set(job, 0, metric::kOpenMpWaitNs, {1000}, "openmp_wait");
  EXPECT_DOUBLE_EQ(*WorkBalance(job, 0).even_ranks, 4 / 3.0);
  EXPECT_DOUBLE_EQ(*WorkBalance(job, 0).as_is, 4 / 3.0);
}

TEST(Imbalance, ARankThatNeverEnteredCountsAsZero) {
  JobProfile job = EmptyJob(4, 2);
  AddPass(job, "timer", 1.0);
  AddPath(job, "root_only");
  Set(job, 0, metric::kTimeNs, {500}, "timer");
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, 0, m, {0});
  Set(job, 0, test::kDpScalarAdd, {100});
  Set(job, 0, metric::kFlops, {100});
  Set(job, 0, metric::kWorkers, {2});
  Set(job, 0, metric::kWorkerFlopsMax, {100});
  EXPECT_DOUBLE_EQ(*TimeImbalance(job, 0), 4);
  EXPECT_DOUBLE_EQ(*FlopImbalance(job, 0), 4);
  EXPECT_DOUBLE_EQ(*WorkerImbalance(job, 0), 8);  // one of 4 x 2 threads did it all
}

// The classes cannot tell: their maxima are of different ranks.
TEST(Imbalance, IsOfTheRanksTotals) {
  JobProfile job = EmptyJob(2);
  AddPath(job, "solve");
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, 0, m, {0, 0});
  Set(job, 0, test::kDpScalarAdd, {100, 0});
  Set(job, 0, test::kDp256Fma, {0, 300});
  EXPECT_FALSE(FlopImbalance(job, 0));
  EXPECT_EQ(FlopImbalance(job, 0).reason, Reason::kNoRankTotals);
  Set(job, 0, metric::kFlops, {100, 300});
  EXPECT_DOUBLE_EQ(*FlopImbalance(job, 0), 1.5);
}

// An older roofmark stored no totals, but the ranks that stand out.
// All that was counted was executed by one of two threads, in no parallel region.
TEST(Imbalance, ARegionOfOneOfTwoThreadsIsSerial) {
  JobProfile job = EmptyJob(2, 2);
  AddPath(job, "solve");
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, 0, m, {0, 0});
  Set(job, 0, test::kDpScalarAdd, {100, 300});
  Set(job, 0, metric::kWorkers, {2, 2});
  Set(job, 0, metric::kWorkerFlopsMax, {100, 300});
  EXPECT_EQ(ThreadsBesideSerial(job, 0), 2u);
  Set(job, 0, metric::kWorkerFlopsMax, {60, 300});
  EXPECT_EQ(ThreadsBesideSerial(job, 0), 0u);
  Set(job, 0, metric::kWorkerFlopsMax, {100, 300});
  Set(job, 0, metric::kParallelNs, {10, 0}, "timer");
  EXPECT_EQ(ThreadsBesideSerial(job, 0), 0u) << "the others may have had other work";
  Set(job, 0, metric::kWorkers, {1, 1});
  EXPECT_EQ(ThreadsBesideSerial(job, 0), 2u);
  job.run.threads_max = 1;
  EXPECT_EQ(ThreadsBesideSerial(job, 0), 0u);
}

// Ranks 0 and 1 are of a program with two threads, ranks 2 and 3 of one with eight.
TEST(Imbalance, ASerialRegionIsBesideTheThreadsOfItsOwnRanks) {
  const auto on = [](uint32_t first, uint64_t value) {
    return Combine(Cell::Of(value, first, Status::kMeasured),
                   Cell::Of(value, first + 1, Status::kMeasured));
  };
  JobProfile job = EmptyJob(4, 8);
  for (const char* path : {"few", "few_serial", "many", "many_serial"}) AddPath(job, path);
  job.At(0, metric::kWorkers) = on(0, 2);
  job.At(1, metric::kWorkers) = on(0, 1);
  job.At(2, metric::kWorkers) = on(2, 8);
  job.At(3, metric::kWorkers) = on(2, 1);
  EXPECT_EQ(ThreadsBesideSerial(job, 1), 2u);
  EXPECT_EQ(ThreadsBesideSerial(job, 3), 8u);
  job.At(0, metric::kWorkers) = on(0, 1);
  EXPECT_EQ(ThreadsBesideSerial(job, 1), 0u) << "its ranks have no other threads";
}

TEST(Imbalance, OfAnOlderFileIsReadFromTheRanksThatStandOut) {
  JobProfile job = EmptyJob(2);
  AddPath(job, "solve");
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, 0, m, {0, 0});
  Set(job, 0, test::kDpScalarAdd, {100, 0});
  Set(job, 0, test::kDp256Fma, {0, 300});
  job.spreads.resize(kSpreads);
  Spread& flops = job.spreads[static_cast<size_t>(Drawn::kFlops)];
  flops = Spread::Of(100, 0, Bit(Status::kMeasured));
  Combine(flops, Spread::Of(300, 1, Bit(Status::kMeasured)));
  EXPECT_DOUBLE_EQ(*FlopImbalance(job, 0), 1.5);
}

}  // namespace
}  // namespace roofmark
