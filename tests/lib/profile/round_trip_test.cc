// SPDX-License-Identifier: BSD-3-Clause
//
// What roofmark writes it can read: random names, counts and statuses, as a file, as a spool, and
// after a merge.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "lib/core/limits.h"
#include "lib/profile/roofline_json.h"
#include "lib/profile/totals.h"
#include "lib/profile/whole.h"
#include "lib/spool/accumulator.h"
#include "lib/spool/fold_spool.h"
#include "lib/spool/read.h"
#include "lib/spool/writer.h"
#include "tests/lib/profile/any_text.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/support/rounds.h"

namespace roofmark {
namespace {

using test::AnyText;
using test::Rounds;
using Random = std::mt19937_64;

uint64_t AnyCount(Random& random) {
  switch (random() % 4) {
    case 0:
      return 0;
    case 1:
      return UINT64_MAX;
    default:
      return random() >> random() % 64;
  }
}

// Names of regions by the path that they make.
std::map<std::string, std::string> AnyPaths(Random& random) {
  std::map<std::string, std::string> paths;
  for (size_t left = random() % 6; left > 0; --left) {
    const std::string name = RegionName(AnyText(random));
    std::string path = EscapeRegionName(name);
    if (!paths.empty() && random() % 2) path = JoinPath(paths.begin()->first, name);
    if (WhyNoPath(path).empty()) paths.emplace(path, name);
  }
  return paths;
}

JobProfile AnyRank(Random& random, uint32_t rank, uint32_t ranks) {
  JobProfile job = test::EmptyJob(ranks);
  job.run.ranks_merged = 1;
  job.run.first_rank = rank;
  job.run.job_id = AnyText(random);
  job.run.hosts[0].name = AnyText(random);
  job.run.hosts[0].cpuset = AnyText(random);
  job.run.hosts[0].kind = AnyText(random);
  job.run.hosts[0].clock_khz = OverHost::Of(AnyCount(random));
  job.run.warnings = {AnyText(random), AnyText(random)};
  job.run.background = {{AnyText(random), 1, AnyCount(random), 0.5}};
  test::AddPass(job, "timer", 0.5);
  job.run.passes[0].command.push_back(AnyText(random));
  job.run.passes[0].facts[AnyText(random)] = AnyText(random);
  for (const auto& [path, name] : AnyPaths(random)) {
    job.paths.push_back({path, AnyText(random), 3, RegionKind::kThread, AnyText(random)});
  }
  job.cells = CellTable(job.paths.size());
  for (MetricId m = 0; m < kMetrics; ++m) {
    const auto status = static_cast<Status>(random() % 8);
    job.sources[m] = {AnyText(random), status, AnyText(random)};
    if (IsUser(m)) job.sources[m].label = AnyText(random);
    for (size_t path = 0; HasValue(status) && path < job.paths.size(); ++path) {
      if (random() % 3) job.At(path, m) = Cell::Of(AnyCount(random), rank, status);
    }
  }
  FillTotals(job);
  FillSpreads(job);
  if (random() % 2) {
    job.whole = CellTable(kWholeRows);
    for (size_t row = 0; row < kWholeRows; ++row) {
      for (MetricId m = 0; m < kMetrics; ++m) {
        if (random() % 3)
          job.whole.At(row, m) = Cell::Of(AnyCount(random), rank, Status::kMeasured);
      }
    }
  }
  return job;
}

// Reads what was written, and expects the same text and the same paths.
void ExpectComesBack(const JobProfile& job) {
  const std::string text = RooflineToJson({job, {}});
  const Result<RooflineFile> read = RooflineFromJson(text, "F");
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->job.paths.size(), job.paths.size());
  for (size_t row = 0; row < job.paths.size(); ++row) {
    ASSERT_EQ(read->job.paths[row].path, job.paths[row].path);
    for (MetricId m = 0; m < kMetrics; ++m) {
      const Cell &a = job.At(row, m), &b = read->job.At(row, m);
      ASSERT_EQ(a.ranks, b.ranks);
      ASSERT_EQ(a.status_bits, b.status_bits);
      ASSERT_TRUE(a.Sum() == b.Sum() && a.min == b.min && a.max == b.max);
    }
  }
  ASSERT_EQ(read->job.whole.rows(), job.whole.rows());
  for (size_t row = 0; row < job.whole.rows(); ++row) {
    for (MetricId m = 0; m < kMetrics; ++m) {
      const Cell &a = job.whole.At(row, m), &b = std::as_const(read->job.whole).At(row, m);
      ASSERT_TRUE(a.ranks == b.ranks && a.Sum() == b.Sum() && a.max == b.max);
    }
  }
  const Result<RooflineFile> again = RooflineFromJson(RooflineToJson(*read), "F");
  ASSERT_TRUE(again) << again.error();
}

TEST(RoundTripTest, FilesOfAnyRank) {
  Random random(1);
  for (int round = 0; round < Rounds(300); ++round) ExpectComesBack(AnyRank(random, 0, 1));
}

TEST(RoundTripTest, FilesOfMergedRanks) {
  Random random(2);
  for (int round = 0; round < Rounds(60); ++round) {
    const uint32_t ranks = 2 + static_cast<uint32_t>(random() % 20);
    JobProfile merged = AnyRank(random, 0, ranks);
    for (uint32_t rank = 1; rank < ranks; ++rank) {
      // As `roofmark merge` has them: out of files.
      const auto part = RooflineFromJson(RooflineToJson({AnyRank(random, rank, ranks), {}}), "F");
      ASSERT_TRUE(part) << part.error();
      MergeProfiles(merged, part->job);
    }
    ExpectComesBack(merged);
  }
}

// More regions than a file may have: the file has those that fit, and says so.
TEST(RoundTripTest, AFileOfTooManyRegionsCanBeRead) {
  JobProfile job = test::EmptyJob(1);
  for (uint32_t i = 0; i < limits::kPaths + 10; ++i) {
    job.paths.push_back({fmt::format("{:06}", i), "", 0});
  }
  job.cells = CellTable(job.paths.size());
  const Result<RooflineFile> read = RooflineFromJson(RooflineToJson({job, {}}), "F");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->job.paths.size(), limits::kPaths);
  EXPECT_EQ(read->job.paths.back().path, "065535");
  ASSERT_EQ(read->job.run.warnings.size(), 1u);
  EXPECT_EQ(read->job.run.warnings[0].rfind("10 of 65546 regions were left out", 0), 0u);
}

TEST(RoundTripTest, FilesOfSpools) {
  Random random(3);
  for (int round = 0; round < Rounds(300); ++round) {
    const auto writer = spool::Writer::Create({});
    JobProfile self = AnyRank(random, 3, 4);
    self.paths.clear();
    self.cells = {};
    self.spreads.clear();
    writer->Append(spool::Kind::kRun, 0, 0, RooflineToJson({self, {}}));
    auto* accumulators = static_cast<spool::Accumulator*>(writer->Allocate(
        spool::Kind::kAccumulators, 0, 0, spool::kPathsPerBlock * sizeof(spool::Accumulator)));
    const auto paths = static_cast<uint32_t>(random() % 20);
    for (uint32_t path = 1; path <= paths; ++path) {
      const auto parent = static_cast<uint32_t>(random() % path);
      writer->AppendPath(path, {parent, path, RegionKind::kTeam, AnyText(random), 1, 1},
                         AnyText(random));
      accumulators[path].Commit(1, random() >> 30);
    }
    const Result<spool::Spool> read = spool::ParseSpool(writer->Freeze(), "F");
    ASSERT_TRUE(read) << read.error();
    const JobProfile job = spool::FoldSpool(*read);
    ASSERT_EQ(job.paths.size(), paths);
    ExpectComesBack(job);
  }
}

}  // namespace
}  // namespace roofmark
