// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/found_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/whole.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr auto kOutside = static_cast<size_t>(WholeRow::kOutside);
constexpr auto kProgram = static_cast<size_t>(WholeRow::kProgram);
enum : uint32_t { kNowhere, kLoop, kOther };  // indices of the paths below

// `leads` has what the main thread executed.
ExecutedPart Part(uint64_t begin, uint32_t bytes, uint32_t path, uint64_t times, bool leads = true,
                  Layer layer = Layer::kWork) {
  return {begin, bytes, path, layer, leads, times};
}

class FoundTimesOf : public ::testing::Test {
 protected:
  FoundTimesOf() {
    SampledProcess process;
    process.rank = 3;
    process.ranks = 4;
    process.wall_ns = 100 * kMs;
    process.threads = {{0, SampleMethod::kPerfEvent, kMs, 100 * kMs, 90 * kMs, 80, 0, 5}};
    samples_.processes = {process};
    samples_.modules = {{"/app", "aa", {}}};
    executed_.modules = {{"/app", {}, {}, {}}};
    executed_.paths = {"", "main()/loop", "other/loop"};
  }
  void Sampled(uint64_t offset, uint64_t main_ms, uint64_t others_ms = 0) {
    samples_.modules[0].places.push_back(
        {offset, main_ms + others_ms, (main_ms + others_ms) * kMs, main_ms * kMs});
  }
  void Executes(const ExecutedPart& part) { executed_.modules[0].parts.push_back(part); }
  double MainMs(const std::string& path) {
    const FoundTimes times = EstimateTimes(samples_, executed_, plan_);
    const auto found = times.paths.find(path);
    return found == times.paths.end() ? -1 : found->second.main_ns / kMs;
  }

  Samples samples_;
  Executed executed_;
  NestPlan plan_;
};

TEST_F(FoundTimesOf, CodeOfOnePathIsThatPathsAndOfAllAroundIt) {
  Executes(Part(16, 8, kLoop, 10));
  Sampled(16, 30);
  Sampled(23, 12);
  EXPECT_DOUBLE_EQ(MainMs("main()/loop"), 42);
  EXPECT_DOUBLE_EQ(MainMs("main()"), 42);
  EXPECT_DOUBLE_EQ(MainMs(""), 42);
  EXPECT_EQ(MainMs("other"), -1);
}

TEST_F(FoundTimesOf, CodeOfSeveralPathsIsDividedByItsExecutions) {
  Executes(Part(16, 8, kLoop, 30));
  Executes(Part(16, 8, kOther, 10));
  Sampled(20, 40);
  EXPECT_DOUBLE_EQ(MainMs("main()/loop"), 30);
  EXPECT_DOUBLE_EQ(MainMs("other/loop"), 10);
}

TEST_F(FoundTimesOf, BlocksThatOverlapAddUp) {
  Executes(Part(16, 32, kLoop, 10));
  Executes(Part(40, 8, kOther, 30));
  Sampled(20, 8);  // in the first one alone
  Sampled(44, 8);  // in both
  EXPECT_DOUBLE_EQ(MainMs("main()/loop"), 8 + 2);
  EXPECT_DOUBLE_EQ(MainMs("other/loop"), 6);
}

TEST_F(FoundTimesOf, TheMainThreadsTimeIsDividedByTheMainThreadsExecutions) {
  Executes(Part(16, 8, kNowhere, 100, /*leads=*/false));
  Executes(Part(16, 8, kLoop, 1));
  Sampled(16, 10, 30);
  EXPECT_DOUBLE_EQ(MainMs("main()/loop"), 10);
  const FoundTimes times = EstimateTimes(samples_, executed_, plan_);
  EXPECT_DOUBLE_EQ(times.paths.at("main()/loop").all_ns / kMs, 10);
  EXPECT_DOUBLE_EQ(times.paths.at("").all_ns / kMs, 40);
}

TEST_F(FoundTimesOf, CodeThatOnlyAnotherThreadExecutedIsStillItsPaths) {
  Executes(Part(16, 8, kLoop, 5, /*leads=*/false));
  Sampled(16, 10);
  EXPECT_DOUBLE_EQ(MainMs("main()/loop"), 10);
}

TEST_F(FoundTimesOf, CodeThatWasChosenForAnotherCpuIsDividedAsItsModuleIs) {
  Executes(Part(16, 8, kLoop, 3));
  Executes(Part(64, 24, kOther, 3));
  Sampled(128, 8);
  EXPECT_DOUBLE_EQ(MainMs("main()/loop"), 2);
  EXPECT_DOUBLE_EQ(MainMs("other/loop"), 6);
  EXPECT_DOUBLE_EQ(EstimateTimes(samples_, executed_, plan_).main_other_ns / kMs, 8);
}

TEST_F(FoundTimesOf, ModulesThatNobodyExecutedAreUnknown) {
  Executes(Part(16, 8, kLoop, 5));
  Sampled(16, 10);
  Sampled(24, 7);
  samples_.modules.push_back({"/lib.so", "", {{0, 3, 3 * kMs, 3 * kMs}}});
  const FoundTimes times = EstimateTimes(samples_, executed_, plan_);
  EXPECT_DOUBLE_EQ(times.main_unknown_ns / kMs, 3);
  EXPECT_DOUBLE_EQ(times.main_other_ns / kMs, 7);
  EXPECT_DOUBLE_EQ(times.main_sampled_ns / kMs, 20);
  EXPECT_DOUBLE_EQ(times.main_cpu_ns / kMs, 90);
}

TEST_F(FoundTimesOf, SamplesThatWereLostLieWhereTheOthersDo) {
  samples_.processes[0].threads[0].lost = 20;  // of 100
  Executes(Part(16, 8, kLoop, 5));
  Sampled(16, 40);
  EXPECT_DOUBLE_EQ(MainMs("main()/loop"), 50);
}

// The engine waited in the loop, the program where the loop is not.
TEST_F(FoundTimesOf, TimedCallsOfMpiBelongToWhoMadeThem) {
  Executes(Part(16, 8, kLoop, 3));
  Executes(Part(32, 8, kLoop, 90, true, Layer::kMpi));
  Executes(Part(32, 8, kOther, 10, true, Layer::kMpi));
  Executes(Part(64, 8, kOther, 1));
  Sampled(16, 30);
  Sampled(32, 40, 7);
  samples_.processes[0].mpi_calls = {{{{"/app", 66}}, 5, 40 * kMs}};
  EXPECT_DOUBLE_EQ(MainMs("main()/loop"), 30);
  EXPECT_DOUBLE_EQ(MainMs("other/loop"), 40);
  const FoundTimes times = EstimateTimes(samples_, executed_, plan_);
  EXPECT_DOUBLE_EQ(times.paths.at("other/loop").main_mpi_ns / kMs, 40);
  EXPECT_DOUBLE_EQ(times.paths.at("").main_mpi_ns / kMs, 40);
  EXPECT_NEAR(times.paths.at("").all_ns / kMs, 30 + 40 + 7, 1e-9) << "others are sampled";
  EXPECT_DOUBLE_EQ(times.mpi_wall_ns / kMs, 40);
  EXPECT_DOUBLE_EQ(times.mpi_cpu_ns / kMs, 40);
}

TEST_F(FoundTimesOf, WhatMpiTakesOutsideOfTimedCallsIsSampled) {
  Executes(Part(16, 8, kLoop, 3, true, Layer::kMpi));
  Executes(Part(64, 8, kOther, 1));
  Sampled(16, 40);
  samples_.processes[0].mpi_calls = {{{{"/app", 66}}, 5, 10 * kMs}};
  EXPECT_DOUBLE_EQ(MainMs("main()/loop"), 30) << "MPI_Init, say";
  EXPECT_DOUBLE_EQ(MainMs("other/loop"), 10);
}

TEST_F(FoundTimesOf, TimeThatPassesInMpiCountsThoughTheThreadDoesNotRun) {
  Executes(Part(16, 8, kLoop, 3, true, Layer::kMpi));
  Executes(Part(64, 8, kOther, 1));
  Sampled(16, 5);
  samples_.processes[0].mpi_calls = {{{{"/app", 66}}, 5, 60 * kMs}, {{}, 1, 2 * kMs}};
  EXPECT_EQ(MainMs("main()/loop"), -1) << "or 0";
  EXPECT_DOUBLE_EQ(MainMs("other/loop"), 60);
  const FoundTimes times = EstimateTimes(samples_, executed_, plan_);
  EXPECT_DOUBLE_EQ(times.mpi_wall_ns / kMs, 62);
  EXPECT_DOUBLE_EQ(times.mpi_cpu_ns / kMs, 5);
}

class SettingFoundTimes : public FoundTimesOf {
 protected:
  SettingFoundTimes() : job_(roofmark::test::EmptyJob(4)) {
    AddPath(job_, "main()", RegionKind::kFound);
    AddPath(job_, "main()/loop", RegionKind::kFound);
    AddPath(job_, "marked");
    for (const MetricId id : {metric::kTimeNs, metric::kMpiNs, metric::kOutsideMpiNs}) {
      job_.sources[id] = {"timer", Status::kMeasured, ""};
    }
    job_.spreads.resize(job_.paths.size() * kSpreads);
    job_.whole = CellTable(kWholeRows);
    Executes(Part(16, 8, kLoop, 3));
    Executes(Part(32, 8, kLoop, 1, true, Layer::kMpi));
    Sampled(16, 30, 90);
    Sampled(32, 10);
  }
  static size_t AddPath(JobProfile& job, const std::string& path,
                        RegionKind kind = RegionKind::kTeam) {
    return roofmark::test::AddPath(job, path, kind);
  }
  const Cell& SetAndGet(size_t path, MetricId id) {
    SetFoundTimes({EstimateTimes(samples_, executed_, plan_)}, job_);
    return job_.At(path, id);
  }

  JobProfile job_;
};

TEST_F(SettingFoundTimes, EachProcessIsARankOfTheCell) {
  const Cell& time = SetAndGet(1, metric::kTimeNs);
  EXPECT_EQ(time.ranks, 1u);
  EXPECT_EQ(time.max_rank, 3u);
  EXPECT_EQ(time.status_bits, Bit(Status::kScaled));
  EXPECT_EQ(job_.At(0, metric::kTimeNs), time) << "all of it is in the loop";
  EXPECT_EQ(job_.At(1, metric::kMpiNs).max, 10 * kMs);
  EXPECT_EQ(job_.At(1, metric::kOutsideMpiNs).max, time.max - 10 * kMs);
  EXPECT_EQ(job_.SpreadAt(1, Drawn::kTime).lowest[0].value, time.max);
}

TEST_F(SettingFoundTimes, TimeIsTheMainThreadsOrTheMeanOfThoseThatWork) {
  EXPECT_EQ(SetAndGet(1, metric::kTimeNs).max, 40 * kMs) << "the others execute it elsewhere";
  Executes(Part(16, 8, kLoop, 9, /*leads=*/false));
  roofmark::test::Set(job_, 1, metric::kWorkers, {4});
  job_.At(1, metric::kTimeNs) = {};
  EXPECT_EQ(SetAndGet(1, metric::kTimeNs).max, 40 * kMs) << "130 ms of 4 threads";
  roofmark::test::Set(job_, 1, metric::kWorkers, {2});
  job_.At(1, metric::kTimeNs) = {};
  EXPECT_EQ(SetAndGet(1, metric::kTimeNs).max, 65 * kMs) << "130 ms of 2 threads";
}

TEST_F(SettingFoundTimes, MarkedRegionsKeepTheirs) {
  executed_.paths[kOther] = "marked";
  Executes(Part(64, 8, kOther, 1));
  Sampled(64, 5);
  Executes(Part(80, 8, kNowhere, 1, true, Layer::kMpi));
  Sampled(80, 6);
  for (const size_t row : {kOutside, kProgram}) {
    job_.whole.Set(row, metric::kSystemNs, Cell::Of(1, 0, Status::kMeasured));
  }
  EXPECT_EQ(SetAndGet(2, metric::kTimeNs).ranks, 0u);
  EXPECT_EQ(job_.whole.At(kOutside, metric::kMpiNs).max, 6 * kMs);
  const Cell& outside = job_.whole.At(static_cast<size_t>(WholeRow::kOutside), metric::kTimeNs);
  EXPECT_EQ(outside.max, (100 - 40 - 5) * kMs) << "nor does it belong to what is outside";
  EXPECT_EQ(job_.whole.At(kOutside, metric::kSystemNs).ranks, 0u) << "that was outside of markers";
  EXPECT_EQ(job_.whole.At(kProgram, metric::kSystemNs).ranks, 1u);
}

TEST_F(SettingFoundTimes, TimeInTheKernelIsThatOfWhoCalledIt) {
  job_.sources[metric::kSystemNs] = {"timer", Status::kMeasured, ""};
  samples_.modules[0].places[0].kernel_ns = 40 * kMs;  // of 120
  samples_.processes[0].threads[0].kernel.reset();
  EXPECT_EQ(SetAndGet(1, metric::kSystemNs).ranks, 0u) << "it is not known";
  samples_.processes[0].threads[0].kernel = 40;
  EXPECT_EQ(SetAndGet(1, metric::kSystemNs).max, 40 * kMs);
}

TEST_F(SettingFoundTimes, WithoutMpiNothingIsSaidOfTimeInIt) {
  job_.sources[metric::kMpiNs] = {"", Status::kUnsupported, "no MPI"};
  EXPECT_EQ(SetAndGet(1, metric::kTimeNs).max, 40 * kMs);
  EXPECT_EQ(job_.At(1, metric::kMpiNs).ranks, 0u);
  EXPECT_EQ(job_.At(1, metric::kOutsideMpiNs).ranks, 0u);
}

}  // namespace
}  // namespace roofmark
