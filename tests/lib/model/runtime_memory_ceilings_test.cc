// SPDX-License-Identifier: BSD-3-Clause
//
// Known answers, memory ceilings and intensity walls: every figure follows by hand from
// model_machine.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/model/runtime_ceilings.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::AnalyzedSlow;
using test::CountedJob;
using test::ExpectCeiling;
using test::First;
using test::JobOf;
using test::kGiga;
using test::ModelMachine;
using test::Of;
using test::Set;
using test::Spread;
using test::SpreadFlops;
using test::SpreadReads;

TEST(RuntimeMemoryCeilings, MemoryTrafficOfOneCore) {
  JobProfile job = CountedJob(1, 2);
  SpreadFlops(job, Width::k256, FlopKind::kFma, kGiga);
  SpreadReads(job, 30 * kGiga);
  Set(job, 0, metric::kWorkerBytesMax, {30 * kGiga});
  const PathAnalysis path = AnalyzedSlow(job);
  EXPECT_EQ(path.runtime.binding, "DRAM");
  ExpectCeiling(path, Shortfall::kConcurrency, 20, 1.5);
  EXPECT_NEAR(*Of(path, Shortfall::kConcurrency).extent, 0.5, 1e-9);
  EXPECT_EQ(First(path), "concurrency");  // the FLOPs are balanced
  // One thread does all: then that is the cause.
  Set(job, 0, metric::kWorkerFlopsMax, {kGiga});
  EXPECT_EQ(First(AnalyzedSlow(job)), "thread_imbalance");
}

TEST(RuntimeMemoryCeilings, StoresThatFetchWhatTheyOverwrite) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 2 * kGiga, 16 * kGiga);  // loaded
  Spread(job, metric::kDramReadBytes, 24 * kGiga);
  Spread(job, metric::kDramWriteBytes, 8 * kGiga);
  Spread(job, metric::kStoreBytes, 8 * kGiga);
  Spread(job, metric::kStoreFillBytes, 8 * kGiga);
  const PathAnalysis path = AnalyzedSlow(job);
  ExpectCeiling(path, Shortfall::kWriteAllocate, 2.0 / 32, 32.0 / 24);
  EXPECT_EQ(First(path), "write_allocate");
  // Lines that were loaded before they were stored to had to be fetched.
  Spread(job, metric::kStoreFillBytes, 0);
  EXPECT_EQ(First(AnalyzedSlow(job)), "");
}

// Two thirds of what is fetched for stores stay in the caches, or may be read from L3.
TEST(RuntimeMemoryCeilings, WhatIsReadSoonIsNotStoredPastTheCaches) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 2 * kGiga, 16 * kGiga);
  Spread(job, metric::kDramReadBytes, 24 * kGiga);
  Spread(job, metric::kStoreBytes, 8 * kGiga);
  Spread(job, metric::kStoreFillBytes, 8 * kGiga);
  Spread(job, metric::kDramWriteBytes, 2 * kGiga);
  Spread(job, metric::kDramDirtyBytes, 6 * kGiga);
  ExpectCeiling(AnalyzedSlow(job), Shortfall::kWriteAllocate, 2.0 / 32, 32.0 / 30);
  Spread(job, metric::kDramWriteBytes, 8 * kGiga);
  Spread(job, metric::kDramDirtyBytes, 0);
  Spread(job, metric::kL2ReadBytes, 30 * kGiga);
  const Ceiling ceiling = Of(AnalyzedSlow(job), Shortfall::kWriteAllocate);
  EXPECT_NEAR(*ceiling.gain.least, 32.0 / 30, 1e-9);
  EXPECT_NEAR(ceiling.gain.most, 32.0 / 24, 1e-9);
}

TEST(RuntimeMemoryCeilings, NonTemporalStoresSaveForSureWhereTheMachinesTriadGains) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 2 * kGiga, 16 * kGiga);
  Spread(job, metric::kStoreBytes, 8 * kGiga);
  Machine machine = ModelMachine();
  const auto unproven = [&] {
    return Of(AnalyzedSlow(job, machine), Shortfall::kWriteAllocate).may_give_nothing;
  };
  EXPECT_TRUE(unproven()) << "not measured";
  machine.ceilings.push_back(test::MakeCeiling("bandwidth.DRAM.triad", "triad", 12, 4.0 / 3));
  machine.ceilings.push_back(test::MakeCeiling("bandwidth.DRAM.triad_nt", "triad", 12));
  EXPECT_TRUE(unproven()) << "no faster";
  machine.ceilings.back() = test::MakeCeiling("bandwidth.DRAM.triad_nt", "triad", 15);
  EXPECT_FALSE(unproven());
}

TEST(RuntimeMemoryCeilings, WithoutFetchesOfStoresWriteAllocateIsAnInterval) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 2 * kGiga,
                         20 * kGiga);  // 4 of the 24 read cannot have been loaded
  Spread(job, metric::kDramReadBytes, 24 * kGiga);
  Spread(job, metric::kDramWriteBytes, 8 * kGiga);
  Spread(job, metric::kStoreBytes, 8 * kGiga);
  job.At(0, metric::kStoreFillBytes) = Cell();
  job.sources[metric::kStoreFillBytes] = {"", Status::kUnsupported, "not counted"};
  const PathAnalysis path = AnalyzedSlow(job);
  const Interval& gain = Of(path, Shortfall::kWriteAllocate).gain;
  EXPECT_NEAR(*gain.least, 32.0 / 28, 1e-9);
  EXPECT_NEAR(gain.most, 32.0 / 24, 1e-9);
}

// Controllers moved twice what the model says: its share of fetches for stores is that of theirs.
TEST(RuntimeMemoryCeilings, WhatTheModelTellsIsAShareOfWhatControllersMoved) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 2 * kGiga, 16 * kGiga);
  Spread(job, metric::kDramReadBytes, 24 * kGiga);
  Spread(job, metric::kDramWriteBytes, 8 * kGiga);
  Spread(job, metric::kStoreBytes, 8 * kGiga);
  Spread(job, metric::kStoreFillBytes, 8 * kGiga);
  const Interval modelled = Of(AnalyzedSlow(job), Shortfall::kWriteAllocate).gain;
  Spread(job, metric::kPackageDramReadBytes, 48 * kGiga);
  Spread(job, metric::kPackageDramWriteBytes, 16 * kGiga);
  const PathAnalysis path = AnalyzedSlow(job);
  EXPECT_NEAR(*path.traffic_bytes[static_cast<size_t>(MemoryLevel::kDram)], 64e9, 1);
  const Interval gain = Of(path, Shortfall::kWriteAllocate).gain;
  EXPECT_NEAR(*gain.least, 32.0 / 24, 1e-9);
  EXPECT_NEAR(*gain.least, *modelled.least, 1e-9);
}

TEST(RuntimeMemoryCeilings, MissesByCause) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 3 * kGiga, 30 * kGiga);
  Spread(job, metric::kMissesCompulsory, 10 * kGiga / 64);
  Spread(job, metric::kMissesConflict, 20 * kGiga / 64);
  PathAnalysis path = AnalyzedSlow(job);
  ExpectCeiling(path, Shortfall::kWriteAllocate, 0.3, 1);  // compulsory traffic only: 10 GB
  ExpectCeiling(path, Shortfall::kCapacity, 0.3, 1);
  ExpectCeiling(path, Shortfall::kConflict, 0.1, 3);
  EXPECT_EQ(First(path), "conflict");
  std::swap(job.At(0, metric::kMissesConflict), job.At(0, metric::kMissesCapacity));
  path = AnalyzedSlow(job);
  ExpectCeiling(path, Shortfall::kCapacity, 0.1, 3);
  EXPECT_EQ(First(path), "capacity");
}

// Padding is a small change, reuse over sweeps an algorithm.
TEST(RuntimeMemoryCeilings, EqualGainsAreOrderedByEase) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 3 * kGiga, 30 * kGiga);
  Spread(job, metric::kMissesCapacity, 10 * kGiga / 64);
  Spread(job, metric::kMissesCompulsory, 10 * kGiga / 64);
  Spread(job, metric::kMissesConflict, 10 * kGiga / 64);
  const PathAnalysis path = AnalyzedSlow(job);
  EXPECT_EQ(First(path), "conflict");
  EXPECT_EQ(Of(path, Shortfall::kCapacity).rank, 2);
}

// Package counters of a two-node machine: all pages lie on one node.
TEST(RuntimeMemoryCeilings, PagesOnOneNodeOfTwo) {
  Machine machine = ModelMachine();
  machine.packages = 2;
  machine.package_cpus = {"0", "1"};
  machine.ceilings.push_back(test::MakeCeiling("bandwidth.DRAM.read_far", "far", 7.5));
  for (CeilingCurve& ceiling : machine.ceilings) ceiling.curve[1].packages = 2;
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 3 * kGiga, 30 * kGiga);
  Set(job, 0, metric::kPackageDramReadBytes, {30 * kGiga, 0}, "perf_event");
  Set(job, 0, metric::kPackageDramWriteBytes, {0, 0}, "perf_event");
  Set(job, 0, metric::kPackageControllers, {4, 4}, "perf_event");
  Set(job, 0, metric::kPackageControllerBytesMax, {7'500'000'000, 0}, "perf_event");
  PathAnalysis path = AnalyzedSlow(job, machine);
  EXPECT_EQ(First(path), "affinity");
  ExpectCeiling(path, Shortfall::kAffinity, 15, 2);
  EXPECT_NEAR(*Of(path, Shortfall::kAffinity).extent, 0.5, 1e-9);
  ExpectCeiling(path, Shortfall::kControllers, 15, 1);
  // Spread over both, but each package's busiest controller has half of its traffic.
  Set(job, 0, metric::kPackageDramReadBytes, {15 * kGiga, 15 * kGiga}, "perf_event");
  Set(job, 0, metric::kPackageControllerBytesMax, {7'500'000'000, 7'500'000'000}, "perf_event");
  path = AnalyzedSlow(job, machine);
  EXPECT_EQ(First(path), "controllers");
  ExpectCeiling(path, Shortfall::kControllers, 15, 2);
}

TEST(RuntimeMemoryCeilings, UnknownTrafficLeavesComputeGains) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::kScalar, FlopKind::kAdd, 4 * kGiga);
  for (MetricId m = metric::kDramReadBytes; m <= metric::kDramDirtyBytes; ++m) {
    job.sources[m] = {"", Status::kDenied, "not permitted"};
    job.At(0, m) = Cell();
  }
  const PathAnalysis path = AnalyzedSlow(job);
  EXPECT_EQ(path.runtime.attainable.reason, Why(Reason::kRecorded, "not permitted"));
  EXPECT_NEAR(*Of(path, Shortfall::kSimd).gain.least, 4, 1e-9);
  EXPECT_EQ(path.runtime.note, RuntimeNote::kDramUnknown);
}

}  // namespace
}  // namespace roofmark
