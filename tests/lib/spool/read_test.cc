// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/read.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <random>

#include "lib/core/limits.h"
#include "lib/profile/roofline_json.h"
#include "lib/spool/accumulator.h"
#include "lib/spool/fold_spool.h"
#include "lib/spool/layout.h"
#include "lib/spool/writer.h"
#include "tests/support/rounds.h"

namespace roofmark::spool {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Two nested regions on two threads; a copy as it would lie in a file.
class ReadTest : public testing::Test {
 protected:
  ReadTest() : writer_(Writer::Create({})) {
    JobProfile self;
    self.run.ranks = 4;
    self.run.first_rank = 3;
    self.run.passes.emplace_back();
    for (MetricSource& source : self.sources) source = {"perf_event", Status::kMeasured, ""};
    writer_->Append(Kind::kRun, 0, 0, RooflineToJson({self, {}}));
    writer_->AppendPath(1, {0, 1, RegionKind::kTeam, "a.c", 7, 2}, "a");
    writer_->AppendPath(2, {1, 2, RegionKind::kTeam, "b.c", 9, 2}, "b/c");
    for (uint32_t thread = 0; thread < 2; ++thread) {
      threads_[thread] = static_cast<Accumulator*>(
          writer_->Allocate(Kind::kAccumulators, thread, 0, kPathsPerBlock * sizeof(Accumulator)));
      for (uint32_t i = 0; i < 10 + thread; ++i) {
        threads_[thread][1].Commit(1, 100000);
        threads_[thread][2].Commit(1, 1000);
      }
    }
    threads_[0][1].active = 1;
    text_ = writer_->Freeze();
  }
  Result<Spool> Read() const { return ParseSpool(text_, "F.spool"); }
  // One visit, in a block that begins with `first`.
  void AddVisits(uint32_t thread, uint32_t first, uint32_t index) {
    auto* accumulators = static_cast<Accumulator*>(writer_->Allocate(
        Kind::kAccumulators, thread, first, kPathsPerBlock * sizeof(Accumulator)));
    accumulators[index].Commit(1, 5);
  }

  std::unique_ptr<Writer> writer_;
  Accumulator* threads_[2];
  std::string text_;
};

TEST_F(ReadTest, Whole) {
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, IsEmpty());
  EXPECT_GT(spool->frozen_unix_s, 1'000'000'000u);
  const JobProfile job = FoldSpool(*spool);
  EXPECT_EQ(job.run.first_rank, 3u);
  EXPECT_EQ(job.run.ranks, 4u);
  EXPECT_EQ(job.run.ranks_merged, 1u);
  EXPECT_EQ(job.run.recovered_ranks, 1u);
  ASSERT_EQ(job.paths.size(), 2u);
  EXPECT_EQ(job.paths[1].path, "a/b\\/c");
  EXPECT_EQ(job.paths[0].unfinished, 1u);
  EXPECT_EQ(job.paths[1].unfinished, 0u);
  EXPECT_EQ(job.paths[1].line, 9u);
  EXPECT_EQ(job.At(0, metric::kVisits).max, 21u);
  EXPECT_EQ(job.At(0, metric::kVisits).max_rank, 3u);
  // Time is the slowest thread's; a tick is what a tick of this machine is.
  const double ns_per_tick = NsPerTick(ReadClocks());
  EXPECT_NEAR(static_cast<double>(job.At(0, metric::kTimeNs).max), 1'100'000 * ns_per_tick,
              11'000 * ns_per_tick);
}

// The header's clocks stand where the process last took a slow way: long before its end.
TEST_F(ReadTest, TheRunLastedAtLeastAsLongAsItsRegionsOneAfterAnother) {
  writer_->AppendPath(3, {0, 3, RegionKind::kTeam, "c.c", 1, 2}, "other");
  for (int i = 0; i < 10; ++i) threads_[1][3].Commit(1, uint64_t{1} << 40);
  for (int i = 0; i < 10; ++i)
    threads_[1][2].Commit(1, uint64_t{1} << 40);  // "a" is open around it
  text_ = writer_->Freeze();
  const JobProfile job = FoldSpool(*Read());
  ASSERT_EQ(job.paths[2].path, "other");
  const double seconds =
      static_cast<double>(job.At(1, metric::kTimeNs).max + job.At(2, metric::kTimeNs).max) * 1e-9;
  ASSERT_EQ(job.run.passes.size(), 1u);
  EXPECT_GE(job.run.passes[0].wall_s, seconds * (1 - 1e-9));
  EXPECT_LE(job.run.passes[0].wall_s, seconds * 1.01);
}

TEST_F(ReadTest, CountsAreMissingWithTheReason) {
  const JobProfile job = FoldSpool(*Read());
  EXPECT_EQ(job.sources[metric::kInstructions].status, Status::kUnsupported);
  EXPECT_THAT(job.sources[metric::kInstructions].reason,
              HasSubstr("did not keep its counts in the spool"));
  EXPECT_EQ(job.At(0, metric::kInstructions).ranks, 0u);
  EXPECT_EQ(job.At(0, metric::kWorkerFlopsMax).ranks, 0u);
  EXPECT_EQ(job.At(0, metric::kWorkers).max, 2u);
}

TEST_F(ReadTest, ForeignFile) {
  EXPECT_EQ(ParseSpool("{}", "F").error(), "F is not a spool of roofmark");
  EXPECT_EQ(ParseSpool("", "F").error(), "F is not a spool of roofmark");
  EXPECT_EQ(ParseSpool(std::string(100000, '\0'), "F").error(), "F is not a spool of roofmark");
}

TEST_F(ReadTest, OtherVersionAndByteOrder) {
  const auto set = [this](size_t offset, uint32_t value) {
    std::memcpy(text_.data() + offset, &value, sizeof value);
  };
  set(offsetof(Header, version), kVersion + 1);
  EXPECT_THAT(Read().error(), HasSubstr(fmt::format("is of version {}; this roofmark reads {}",
                                                    kVersion + 1, kVersion)));
  set(offsetof(Header, byte_order), 0x04030201);
  EXPECT_THAT(Read().error(), HasSubstr("another byte order"));
}

TEST_F(ReadTest, DamagedHeader) {
  text_[offsetof(Header, born)] ^= 1;
  EXPECT_EQ(Read().error(), "F.spool: its header is damaged; all data of this process is lost");
  text_.resize(100);
  EXPECT_THAT(Read().error(), HasSubstr("is truncated within its header"));
}

TEST_F(ReadTest, CutAnywhere) {
  for (size_t length = text_.size() - 1; length > sizeof(Header); length -= 97) {
    const Result<Spool> spool = ParseSpool(std::string_view(text_).substr(0, length), "F.spool");
    if (!spool) {
      EXPECT_THAT(spool.error(), HasSubstr("F.spool"));
      continue;
    }
    EXPECT_THAT(spool->problems, Contains(HasSubstr("the file is truncated at byte")));
    for (const auto& thread : spool->input.threads) {
      for (size_t path = 0; path < thread.size(); ++path) EXPECT_LE(thread[path].visits, 11u);
    }
    if (length < 200) break;
  }
}

// The first thread's block is lost, the second's is not.
TEST_F(ReadTest, ADamagedBlockLeavesTheRest) {
  const size_t last_blocks = 2 * (sizeof(BlockHeader) + kPathsPerBlock * sizeof(Accumulator));
  text_[text_.size() - last_blocks + 8] ^= 4;  // its length
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, Contains(HasSubstr("are damaged and left out")));
  EXPECT_THAT(spool->problems, Each(HasSubstr("F.spool")));
  EXPECT_EQ(FoldSpool(*spool).At(0, metric::kVisits).max, 11u);
}

TEST_F(ReadTest, ADamagedAccumulatorIsNamedAndLeftOut) {
  const size_t last_block = kPathsPerBlock * sizeof(Accumulator);
  text_[text_.size() - last_block + sizeof(Accumulator) + offsetof(Accumulator, copies) + 2] ^= 4;
  text_[text_.size() - last_block + sizeof(Accumulator) + offsetof(Accumulator, copies) +
        sizeof(Totals) + 2] ^= 8;
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems,
              Contains(HasSubstr("the data of 1 thread in region \"a\" is damaged and left out")));
  const JobProfile job = FoldSpool(*spool);
  EXPECT_EQ(job.At(0, metric::kVisits).max, 10u);
  EXPECT_EQ(job.At(1, metric::kVisits).max, 21u);
  EXPECT_THAT(job.run.warnings, Contains(HasSubstr("is damaged and left out")));
}

TEST_F(ReadTest, ALostNameKeepsItsVisits) {
  const size_t name = text_.find("b/c");
  ASSERT_NE(name, std::string::npos);
  text_[name] = 'x';
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  const JobProfile job = FoldSpool(*spool);
  EXPECT_EQ(job.FindPath("a/x\\/c"), -1);
  const int row = job.FindPath("name lost (2)");
  ASSERT_GE(row, 0);
  EXPECT_EQ(job.At(static_cast<size_t>(row), metric::kVisits).max, 21u);
}

// Sound blocks whose numbers cannot be in so small a file.
TEST_F(ReadTest, HugeIdsInASmallFileTakeNoMemory) {
  for (uint32_t thread = 0; thread < 100; ++thread) {
    AddVisits((1 << 20) - 1 - thread * 7919, 65472, 63);
  }
  writer_->AppendPath(65535, {65534, 1, RegionKind::kTeam, "", 0, 1}, "far");
  text_ = writer_->Freeze();
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, Contains(HasSubstr("impossible content")));
  EXPECT_THAT(spool->problems, testing::SizeIs(testing::Le(101u))) << "each problem is told";
  EXPECT_EQ(spool->input.nodes.size(), 3u);
  EXPECT_EQ(spool->input.threads.size(), 2u);
}

TEST_F(ReadTest, TooManyThreadsTimesRegionsAreRefused) {
  for (uint32_t path = 3; path < 8192; ++path) {
    writer_->AppendPath(path, {0, path, RegionKind::kTeam, "", 0, 1}, std::to_string(path));
  }
  for (uint32_t thread = 2; thread < 600; ++thread) {
    AddVisits(thread, 8128, 63);
  }
  text_ = writer_->Freeze();
  EXPECT_THAT(Read().error(), HasSubstr("beyond the limit of 4194304"));
}

// Few rows, but as many as all threads times all regions once they are folded.
TEST_F(ReadTest, ManyThreadsOfFewRegionsCountWithAllRegions) {
  for (uint32_t path = 3; path < 8192; ++path) {
    writer_->AppendPath(path, {0, path, RegionKind::kTeam, "", 0, 1}, std::to_string(path));
  }
  for (uint32_t thread = 2; thread < 600; ++thread) AddVisits(thread, 0, 1);
  text_ = writer_->Freeze();
  EXPECT_THAT(Read().error(), HasSubstr("600 threads times 8191 regions are beyond the limit of"));
}

// What is beyond the limit is not taken into memory first.
TEST_F(ReadTest, TooManyRowsTakeNoMemory) {
#if ROOFMARK_TEST_TSAN
  GTEST_SKIP() << "ThreadSanitizer takes memory of its own for what is read";
#endif
  for (uint32_t path = 3; path < 8192; ++path) {
    writer_->AppendPath(path, {0, path, RegionKind::kTeam, "", 0, 1}, std::to_string(path));
  }
  for (uint32_t thread = 2; thread < 2500; ++thread) AddVisits(thread, 8128, 63);
  text_ = writer_->Freeze();
  const auto peak_mib = [] {
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
  };
  // All rows would be 2500 * 8192 * sizeof(ThreadPathTotals).
  constexpr size_t kAllMib = (size_t{2500} * 8192 * sizeof(ThreadPathTotals)) >> 20;
  ASSERT_EXIT(
      {
        const auto before = static_cast<size_t>(peak_mib());
        const bool refused = !Read();
        const size_t taken = static_cast<size_t>(peak_mib()) - before;
        std::fprintf(stderr, "%zu MiB of %zu\n", taken, kAllMib);
        _exit(refused && taken < kAllMib / 2 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(ReadTest, PathsBeyondTheLimitAreLeftOut) {
  for (uint32_t path = 3; path < 66'000; ++path) {
    writer_->AppendPath(path, {0, path, RegionKind::kTeam, "", 0, 1}, std::to_string(path));
  }
  AddVisits(1, 65'530, 63);
  text_ = writer_->Freeze();
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_EQ(spool->input.nodes.size(), limits::kPaths);
  EXPECT_THAT(spool->problems, Contains(HasSubstr("impossible content")));
}

// Sound checksums around what no process writes.
TEST_F(ReadTest, ImpossibleRecordsAreLeftOut) {
  PathRecord record = {1, 3, 0, 1, 1, 3, 0};
  const auto bytes = [&](std::string_view name) {
    return std::string(reinterpret_cast<const char*>(&record), sizeof record).append(name);
  };
  writer_->Append(Kind::kPath, 3, 0, bytes("abc").substr(0, sizeof record - 1));
  writer_->Append(Kind::kPath, 0, 0, bytes("abc"));
  record.name_bytes = 400;
  writer_->Append(Kind::kPath, 3, 0, bytes("abc"));
  record.name_bytes = 4;
  record.file_bytes = UINT32_MAX;  // their sum in 32 bits is right
  writer_->Append(Kind::kPath, 3, 0, bytes("abc"));
  record = {3, 3, 0, 1, 1, 3, 0};
  writer_->Append(Kind::kPath, 3, 0, bytes("its"));
  record.parent = 60;
  writer_->Append(Kind::kPath, 3, 0, bytes("far"));
  writer_->Append(Kind::kAccumulators, 0, 0, "short");
  writer_->Append(Kind::kWorks, 0, 0, "short");
  text_ = writer_->Freeze();
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, testing::SizeIs(8));
  EXPECT_THAT(spool->problems, Each(HasSubstr("a record has impossible content")));
  EXPECT_EQ(spool->input.nodes.size(), 3u);
  EXPECT_EQ(FoldSpool(*spool).At(0, metric::kVisits).max, 21u);
}

// Where the first path of a block plus an index begins at zero again.
TEST_F(ReadTest, PathsDoNotWrapAround) {
  AddVisits(1, UINT32_MAX - 1, 3);
  auto* works = static_cast<DeclaredWork*>(
      writer_->Allocate(Kind::kWorks, 1, UINT32_MAX - 1, kPathsPerBlock * sizeof(DeclaredWork)));
  works[3].flops = 7;
  text_ = writer_->Freeze();
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, Contains(HasSubstr("impossible content")));
  EXPECT_EQ(spool->input.threads[1][1].visits, 11u);
  EXPECT_EQ(spool->input.threads[1][1].declared_flops, 0u);
}

TEST_F(ReadTest, ThreadsAreNumberedInTheOrderOfTheirBlocks) {
  AddVisits(UINT32_MAX, 0, 1);
  text_ = writer_->Freeze();
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  ASSERT_EQ(spool->input.threads.size(), 3u);
  EXPECT_EQ(spool->input.threads[2][1].visits, 1u);
}

TEST_F(ReadTest, PathsThatAreTooLongStandApart) {
  constexpr uint32_t kDepth = 70;
  for (uint32_t path = 3; path < 3 + kDepth; ++path) {
    writer_->AppendPath(path, {path - 1, path, RegionKind::kTeam, "", 0, 1},
                        std::string(limits::kNameBytes, 'n'));
  }
  text_ = writer_->Freeze();
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, Contains(HasSubstr("it stands apart")));
  for (const PathInfo& info : FoldSpool(*spool).paths) EXPECT_EQ(WhyNoPath(info.path), "");
}

TEST_F(ReadTest, RegionsInsideTooManyOthersAndDuplicatesStandApart) {
  for (uint32_t path = 3; path < 400; ++path) {
    writer_->AppendPath(path, {path - 1, path, RegionKind::kTeam, "", 0, 1}, "deeper");
  }
  writer_->AppendPath(400, {0, 1, RegionKind::kTeam, "a.c", 7, 2}, "a");
  text_ = writer_->Freeze();
  const Result<Spool> spool = Read();
  ASSERT_TRUE(spool) << spool.error();
  const JobProfile job = FoldSpool(*spool);
  EXPECT_EQ(job.paths.size(), 400u);
  EXPECT_GE(job.FindPath("name lost (400)"), 0);
  for (const PathInfo& info : job.paths) EXPECT_EQ(WhyNoPath(info.path), "");
}

TEST_F(ReadTest, WithoutADescription) {
  auto empty = Writer::Create({});
  EXPECT_THAT(ParseSpool(empty->Freeze(), "F").error(),
              HasSubstr("before it wrote its description"));
}

TEST_F(ReadTest, HandedInProfileWins) {
  JobProfile whole;
  whole.run.first_rank = 3;
  whole.run.warnings = {"all of it"};
  writer_->Append(Kind::kProfile, 0, 0, RooflineToJson({whole, {}}));
  const Result<Spool> spool = ParseSpool(writer_->Freeze(), "F");
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(FoldSpool(*spool).run.warnings, Contains("all of it"));
}

// Whatever is wrong with a file: no crash, and nothing that was not counted.
TEST_F(ReadTest, RandomDamage) {
  std::mt19937 random(1);
  for (int round = 0; round < test::Rounds(3000); ++round) {
    std::string damaged = text_;
    const int flips = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < flips; ++i) {
      char& byte = damaged[random() % damaged.size()];
      byte = static_cast<char>(byte ^ (1 << (random() % 8)));
    }
    const Result<Spool> spool = ParseSpool(damaged, "F.spool");
    if (!spool) continue;
    EXPECT_THAT(spool->problems, Not(IsEmpty())) << "round " << round;
    FoldSpool(*spool);
    for (const auto& thread : spool->input.threads) {
      for (const ThreadPathTotals& record : thread)
        EXPECT_LE(record.visits, 11u) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace roofmark::spool
