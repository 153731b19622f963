// SPDX-License-Identifier: BSD-3-Clause
//
// Counts in a spool: what is believed, and what is said of the rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "lib/core/limits.h"
#include "lib/counts/kept_row.h"
#include "lib/profile/roofline_json.h"
#include "lib/spool/accumulator.h"
#include "lib/spool/count_store.h"
#include "lib/spool/fold_spool.h"
#include "lib/spool/read.h"
#include "tests/support/rounds.h"

namespace roofmark::spool {
namespace {

using counts::Covers;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint32_t kRows = 8;

// "a" with "b" in it, one thread record with `visits` of both, two workers.
class CountsTest : public testing::Test {
 protected:
  explicit CountsTest(Covers covers = Covers::kFinishedVisits)
      : writer_(Writer::Create({})), store_(*writer_) {
    JobProfile self;
    self.run.passes.emplace_back();
    for (MetricSource& source : self.sources) source = {"perf_event", Status::kMeasured, ""};
    writer_->Append(Kind::kRun, 0, 0, RooflineToJson({self, {}}));
    writer_->AppendPath(1, {0, 1, RegionKind::kTeam, "a.c", 7, 1}, "a");
    writer_->AppendPath(2, {1, 2, RegionKind::kTeam, "b.c", 9, 1}, "b");
    plan_.covers = covers;
    if (covers == Covers::kFinishedVisits) plan_.groups = {2};
    plan_.events = 2;
    plan_.rules = {{metric::kInstructions, {{0, 1}}}, {metric::kCycles, {{1, 3}}}};
    EXPECT_TRUE(store_.Describe(plan_));
    accumulators_ = static_cast<Accumulator*>(
        writer_->Allocate(Kind::kAccumulators, 5, 0, kPathsPerBlock * sizeof(Accumulator)));
    rows_ = store_.Rows(kRows, plan_.Columns());
  }

  void Visits(uint32_t path, uint64_t visits) {
    for (uint64_t i = 0; i < visits; ++i) accumulators_[path].Commit(1, 1000);
  }
  // The next update of a row: `value` instructions and half as many of the other event.
  void Count(uint32_t number, uint32_t worker, uint32_t path, uint64_t visits, uint64_t value,
             uint64_t running_ns = 10) {
    roof_kept_row* row = roof_kept_at(rows_, plan_.Columns(), number);
    row->worker = worker;
    row->path = path;
    roof_kept_copy* copy = roof_kept_begin(row, plan_.Columns());
    uint64_t* word = roof_kept_words(copy);
    if (!plan_.groups.empty()) {
      *word++ = 10;
      *word++ = running_ns;
      *word++ = 0;
    }
    *word++ = value;
    *word++ = value / 2;
    roof_kept_commit(row, copy, 5, visits);
  }
  Result<Spool> Read() const { return ParseSpool(writer_->Freeze(), "F.spool"); }
  // As the file of a process that was killed, which has both copies of each row.
  std::string File() const {
    std::string text = writer_->Freeze();
    char* rows = text.data() + text.size() - Padded(kRows * roof_kept_row_bytes(plan_.Columns()));
    std::memcpy(rows, rows_, kRows * roof_kept_row_bytes(plan_.Columns()));
    uint64_t sum = HashOf(std::string_view(text).substr(offsetof(Header, end)));
    Header header{};
    std::memcpy(static_cast<void*>(&header), text.data(), sizeof header);
    header.frozen_sum = sum;
    header.checksum = header.Checksum();
    std::memcpy(text.data(), static_cast<const void*>(&header), sizeof header);
    return text;
  }
  static uint64_t Sum(const JobProfile& job, size_t row, MetricId id) {
    return static_cast<uint64_t>(job.At(row, id).Sum());
  }

  std::unique_ptr<Writer> writer_;
  CountBlocks store_;
  counts::KeptPlan plan_;
  Accumulator* accumulators_;
  void* rows_;
};

// As where the CPUs' counters disagree, and the process was on another one than this is.
TEST_F(CountsTest, TimesAreOfTheCountersRateNotOfItsOffset) {
  Visits(1, 1000);
  Spool spool = *Read();
  const double rate = NsPerTick(ReadClocks());
  for (const uint64_t away : {0ull, 1'000'000'000ull, ~0ull - 1'000'000'000ull + 1}) {
    Spool other = spool;
    other.born.ticks += away;
    const JobProfile job = FoldSpool(other);
    EXPECT_NEAR(static_cast<double>(job.At(0, metric::kTimeNs).max), 1e6 * rate, 2e3 * rate);
    EXPECT_THAT(job.run.warnings, IsEmpty());
  }
  spool.ticks_are_ns = true;
  EXPECT_EQ(FoldSpool(spool).At(0, metric::kTimeNs).max, 1'000'000u);
}

TEST_F(CountsTest, WorkersOfFinishedVisits) {
  Visits(1, 2);
  Visits(2, 4);
  Count(0, 0, 1, 1, 100);
  Count(0, 0, 1, 2, 200);
  Count(1, 0, 2, 4, 120);
  Count(2, 1, 1, 2, 50);
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, IsEmpty());
  EXPECT_THAT(spool->notes, IsEmpty());
  const JobProfile job = FoldSpool(*spool);
  // The part of "b" is in that of "a" already.
  EXPECT_EQ(Sum(job, 0, metric::kInstructions), 250u);
  EXPECT_EQ(Sum(job, 0, metric::kCycles), 3u * 125);
  EXPECT_EQ(Sum(job, 1, metric::kInstructions), 120u);
  EXPECT_EQ(Sum(job, 0, metric::kWorkers), 2u);
  EXPECT_EQ(job.sources[metric::kInstructions].origin, "perf_event");
  // What the plan has no rule for.
  EXPECT_EQ(job.sources[metric::kLoadBytes].status, Status::kUnsupported);
  EXPECT_EQ(job.sources[metric::kPackageDramBytes].status, Status::kUnsupported);
}

TEST_F(CountsTest, AnEventThatTookTurnsIsScaledOnce) {
  Visits(1, 1);
  Count(0, 0, 1, 1, 100, /*running_ns=*/5);
  const JobProfile job = FoldSpool(*Read());
  EXPECT_EQ(Sum(job, 0, metric::kInstructions), 200u);
  EXPECT_EQ(Worst(job.At(0, metric::kInstructions).status_bits), Status::kScaled);
}

// The process was killed after it wrote the row, and before it counted the visit.
TEST_F(CountsTest, ARowThatIsAheadOfItsVisitsIsTakenFromBefore) {
  Visits(1, 2);
  Count(0, 0, 1, 2, 200);
  Count(0, 0, 1, 3, 300);
  const Result<Spool> spool = ParseSpool(File(), "F.spool");
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, IsEmpty());
  EXPECT_EQ(Sum(FoldSpool(*spool), 0, metric::kInstructions), 200u);
}

TEST_F(CountsTest, ACopyOfALivingProcessSaysThatItIsAhead) {
  Visits(1, 2);
  Count(0, 0, 1, 7, 700);
  Count(0, 0, 1, 8, 800);
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->notes, Contains(HasSubstr("counts were copied while the process went on")));
  EXPECT_EQ(Sum(FoldSpool(*spool), 0, metric::kInstructions), 800u);
}

TEST_F(CountsTest, ADamagedRowLeavesItsRegionWithoutCounts) {
  Visits(1, 2);
  Visits(2, 2);
  Count(0, 0, 1, 2, 200);
  Count(1, 0, 2, 2, 100);
  roof_kept_row* row = roof_kept_at(rows_, plan_.Columns(), 1);
  roof_kept_copy_of(row, plan_.Columns(), 1)->begin = 9;
  const Result<Spool> spool = ParseSpool(File(), "F.spool");
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems,
              Contains(HasSubstr("counts of a thread in region \"b\" are damaged")));
  const JobProfile job = FoldSpool(*spool);
  EXPECT_EQ(Worst(job.At(1, metric::kInstructions).status_bits), Status::kInvalid);
  EXPECT_EQ(Worst(job.At(0, metric::kInstructions).status_bits), Status::kInvalid) << "around it";
}

// Nobody knows whether counts were in it.
TEST_F(CountsTest, WithALostPartThereAreNoCounts) {
  Visits(1, 2);
  Count(0, 0, 1, 2, 200);
  const std::string file = File();
  const Result<Spool> spool =
      ParseSpool(std::string_view(file).substr(0, file.size() - 64), "F.spool");
  ASSERT_TRUE(spool) << spool.error();
  const JobProfile job = FoldSpool(*spool);
  EXPECT_EQ(job.At(0, metric::kInstructions).ranks, 0u);
  EXPECT_THAT(job.sources[metric::kInstructions].reason, HasSubstr("a part of the spool is lost"));
  EXPECT_EQ(Sum(job, 0, metric::kVisits), 2u);
}

TEST_F(CountsTest, WhatTheProcessKnewToBeMissing) {
  Visits(1, 2);
  Count(0, 0, 1, 2, 200);
  store_.Lacks(counts::Lack::kRoom);
  const JobProfile job = FoldSpool(*Read());
  EXPECT_EQ(job.At(0, metric::kInstructions).ranks, 0u);
  EXPECT_THAT(job.sources[metric::kInstructions].reason, HasSubstr("no room for some"));
}

TEST_F(CountsTest, ManyThreadsAreRefusedAtTheLimit) {
  for (uint32_t path = 3; path < 4096; ++path) {
    writer_->AppendPath(path, {0, path, RegionKind::kTeam, "", 0, 1}, std::to_string(path));
  }
  for (uint32_t block = 0; block < 10; ++block) {
    rows_ = store_.Rows(kRows, plan_.Columns());
    for (uint32_t i = 0; i < kRows; ++i) Count(i, block * kRows + i, 4095, 0, 1);
  }
  const JobProfile job = FoldSpool(*Read());
  EXPECT_THAT(job.sources[metric::kInstructions].reason,
              HasSubstr("beyond the limit of " + std::to_string(limits::kSpoolCountRows)));
}

TEST_F(CountsTest, AnUnknownRegionIsNamed) {
  Visits(1, 2);
  Count(0, 0, 1000, 2, 200);
  EXPECT_THAT(Read()->problems, Contains(HasSubstr("counts of an unknown region (1000)")));
}

// Whatever stands in the rows: no crash, and a profile that is readable.
TEST_F(CountsTest, RandomRows) {
  Visits(1, 2);
  Visits(2, 4);
  for (uint32_t i = 0; i < 4; ++i) {
    Count(i, i % 2, 1 + i / 2, 1, 100);
    Count(i, i % 2, 1 + i / 2, 2, 200);
  }
  std::mt19937 random(1);
  const size_t bytes = kRows * roof_kept_row_bytes(plan_.Columns());
  const std::string sound(static_cast<const char*>(rows_), bytes);
  for (int round = 0; round < test::Rounds(3000); ++round) {
    std::string damaged = sound;
    for (int i = 0; i < 3; ++i) {
      char& byte = damaged[random() % bytes];
      byte = static_cast<char>(byte ^ (1 << (random() % 8)));
    }
    std::memcpy(rows_, damaged.data(), bytes);
    const Result<Spool> spool = ParseSpool(File(), "F.spool");
    ASSERT_TRUE(spool) << spool.error();
    const std::string text = RooflineToJson({FoldSpool(*spool), {}});
    ASSERT_TRUE(RooflineFromJson(text, "F")) << "round " << round;
  }
}

class HandedOverTest : public CountsTest {
 protected:
  HandedOverTest() : CountsTest(Covers::kUpToHandOver) {}
};

TEST_F(HandedOverTest, TheLastCompleteHandOverCounts) {
  Visits(1, 2);
  Visits(2, 4);
  Count(0, 0, 0, 1, 0);  // the first hand-over is complete
  Count(1, 1, 1, 1, 10);
  Count(2, 1, 2, 1, 100);
  Count(1, 1, 1, 2, 30);  // the second is not
  const Result<Spool> spool = ParseSpool(File(), "F.spool");
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, IsEmpty());
  const JobProfile job = FoldSpool(*spool);
  EXPECT_EQ(Sum(job, 0, metric::kInstructions), 110u) << "with what is in the region";
  EXPECT_EQ(Sum(job, 1, metric::kInstructions), 100u);
  EXPECT_THAT(job.run.warnings, Contains(HasSubstr("counts end at the last time")));
}

TEST_F(HandedOverTest, WithoutAHandOverThereAreNoCounts) {
  Visits(1, 2);
  Count(1, 1, 1, 1, 10);
  const JobProfile job = FoldSpool(*Read());
  EXPECT_EQ(job.At(0, metric::kInstructions).ranks, 0u);
  EXPECT_THAT(job.sources[metric::kInstructions].reason,
              HasSubstr("before the counting engine had handed over"));
}

}  // namespace
}  // namespace roofmark::spool
