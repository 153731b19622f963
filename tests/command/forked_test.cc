// SPDX-License-Identifier: BSD-3-Clause
#include "command/forked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/forked_facts.h"

namespace roofmark::cli {
namespace {

using testing::ElementsAre;

struct Life {
  int parent, process;
  double begin, end;
};

RooflineFile Child(const Life& life) {
  RooflineFile file;
  PassInfo pass;
  pass.command = {"./app"};
  pass.wall_s = life.end - life.begin;
  pass.facts = {{kForkedFromFact, std::to_string(life.parent)},
                {kForkedProcessFact, std::to_string(life.process)},
                {kForkedAtFact, std::to_string(life.begin)}};
  JobProfile& job = file.job;
  job.run.passes = {pass};
  job.run.hosts.resize(1);
  job.run.hosts[0].name = "node";
  job.run.hosts[0].ranks = 1;
  job.paths.resize(1);
  job.paths[0].path = "work";
  job.cells = CellTable(1);
  job.At(0, metric::kVisits) = Cell::Of(static_cast<uint64_t>(life.process), 0, Status::kMeasured);
  return file;
}

std::vector<RooflineFile> Children(const std::vector<Life>& lives) {
  std::vector<RooflineFile> files;
  for (const Life& life : lives) files.push_back(Child(life));
  return files;
}

std::vector<uint32_t> Ranks(const std::vector<RooflineFile>& files) {
  std::vector<uint32_t> ranks;
  for (const RooflineFile& file : files) {
    EXPECT_EQ(file.job.run.ranks, file.job.run.ranks_merged);
    ranks.push_back(file.job.run.ranks);
  }
  return ranks;
}

// In the order in which they were forked, whatever the order of their files.
TEST(Forked, ThoseSideBySideAreRanksOfOneProgram) {
  ForkedGroups groups;
  const auto joined = groups.Join(Children({{1, 9, 0.3, 4}, {1, 7, 0.1, 2}, {1, 8, 0.2, 3}}));
  ASSERT_THAT(Ranks(joined), ElementsAre(3u));
  const Cell& visits = joined[0].job.At(0, metric::kVisits);
  EXPECT_EQ(visits.Sum(), 24u);
  EXPECT_EQ(visits.min_rank, 0u);
  EXPECT_EQ(visits.max_rank, 2u);
  EXPECT_TRUE(IsForked(joined[0].job.run));
}

TEST(Forked, ThoseOneAfterAnotherAndThoseOfOtherParentsAreProgramsOfTheirOwn) {
  ForkedGroups groups;
  const auto joined = groups.Join(
      Children({{1, 2, 0, 1}, {1, 3, 2, 3}, {1, 4, 2.5, 5}, {1, 5, 4, 6}, {8, 9, 4, 6}}));
  EXPECT_THAT(Ranks(joined), ElementsAre(1u, 2u, 1u, 1u)) << "5 began after 3 had ended";
}

// The workers of a pool: when they ended is not known.
TEST(Forked, ThoseThatWereKilledRanUntilTheOthersEnded) {
  ForkedGroups groups;
  std::vector<RooflineFile> files = Children({{1, 2, 0, 1}, {1, 3, 2, 3}});
  for (RooflineFile& file : files) file.job.run.recovered_ranks = 1;
  EXPECT_THAT(Ranks(groups.Join(std::move(files))), ElementsAre(2u));
}

// Under the engine they are slower, and others run side by side.
TEST(Forked, TheFirstExecutionDecides) {
  ForkedGroups groups;
  EXPECT_THAT(Ranks(groups.Join(Children({{1, 2, 0, 1}, {1, 3, 2, 3}}))), ElementsAre(1u, 1u));
  EXPECT_THAT(Ranks(groups.Join(Children({{5, 6, 0, 9}, {5, 7, 2, 9}}))), ElementsAre(1u, 1u));
}

TEST(Forked, OtherProgramsStayAsTheyAre) {
  ForkedGroups groups;
  std::vector<RooflineFile> files = Children({{1, 2, 0, 1}});
  files.emplace_back();
  const auto joined = groups.Join(std::move(files));
  ASSERT_EQ(joined.size(), 2u);
  EXPECT_FALSE(IsForked(joined[0].job.run));
  EXPECT_TRUE(IsForked(joined[1].job.run));
}

}  // namespace
}  // namespace roofmark::cli
