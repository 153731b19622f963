// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/moved_visits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/join.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using test::AddPath;
using test::Set;
using testing::ElementsAre;
using testing::HasSubstr;

struct Visited {
  const char* path;
  std::vector<uint64_t> visits, flops;  // of each rank
  uint32_t line = 1;
};

JobProfile Job(const std::vector<Visited>& rows) {
  JobProfile job = test::EmptyJob(static_cast<uint32_t>(rows.at(0).visits.size()));
  for (const Visited& row : rows) {
    const size_t path = AddPath(job, row.path, RegionKind::kThread);
    job.paths[path].line = row.line;
    Set(job, path, metric::kVisits, row.visits, "timer");
    Set(job, path, metric::kFlops, row.flops);
  }
  return job;
}

uint64_t Flops(const JobProfile& job, const std::string& path) {
  const int at = job.FindPath(path);
  return at < 0 ? 0 : static_cast<uint64_t>(job.At(static_cast<size_t>(at), metric::kFlops).Sum());
}

uint32_t StatusOf(const JobProfile& job, const std::string& path) {
  return job.At(static_cast<size_t>(job.FindPath(path)), metric::kFlops).status_bits;
}

std::vector<std::string> PathsOf(const JobProfile& job) {
  std::vector<std::string> paths;
  for (const PathInfo& info : job.paths) paths.push_back(info.path);
  return paths;
}

// What a waiting thread took up in one execution it did not in the other.
TEST(MovedVisits, TasksThatRanElsewhereGoWhereTheTimePassHasThem) {
  const JobProfile time =
      Job({{"all", {1}, {0}}, {"all/out", {64}, {0}}, {"all/out/in", {256}, {0}}});
  const JobProfile work = Job({{"all", {1}, {3'968'000}},
                               {"all/in", {3}, {30'000}},
                               {"all/out", {64}, {3'938'000}},
                               {"all/out/in", {253}, {2'530'000}}});
  const JobProfile joined = JoinPasses(time, work);
  EXPECT_THAT(PathsOf(joined), ElementsAre("all", "all/out", "all/out/in"));
  EXPECT_EQ(Flops(joined, "all"), 3'968'000u);
  EXPECT_EQ(Flops(joined, "all/out"), 3'968'000u);
  EXPECT_EQ(Flops(joined, "all/out/in"), 2'560'000u);
  EXPECT_EQ(StatusOf(joined, "all"), Bit(Status::kMeasured)) << "as much in all as was counted";
  EXPECT_EQ(StatusOf(joined, "all/out/in"), Bit(Status::kMeasured) | Bit(Status::kScaled));
  EXPECT_THAT(joined.run.warnings, ElementsAre(HasSubstr("around \"in\" in the work pass")));
}

TEST(MovedVisits, APathThatTheWorkPassLacksHasTheMeanVisit) {
  const JobProfile time = Job({{"all", {1}, {0}},
                               {"all/in", {2}, {0}},
                               {"all/in/sub", {4}, {0}},
                               {"all/out", {8}, {0}},
                               {"all/out/in", {6}, {0}},
                               {"all/out/in/sub", {12}, {0}}});
  JobProfile work = Job({{"all", {1}, {1000}},
                         {"all/out", {8}, {1000}},
                         {"all/out/in", {8}, {800}},
                         {"all/out/in/sub", {16}, {160}}});
  Set(work, 2, metric::kWorkers, {2});
  Set(work, 2, metric::kWorkerFlopsMax, {600});
  const std::optional<MovedWork> moved = MoveVisits(time, work);
  ASSERT_TRUE(moved);
  EXPECT_THAT(moved->names, ElementsAre("in", "sub"));
  EXPECT_EQ(PathsOf(moved->work), PathsOf(time));
  EXPECT_EQ(Flops(moved->work, "all/in/sub"), 40u);
  EXPECT_EQ(Flops(moved->work, "all/in"), 200u) << "160 outside of sub";
  EXPECT_EQ(Flops(moved->work, "all/out/in/sub"), 120u);
  EXPECT_EQ(Flops(moved->work, "all/out/in"), 600u);
  EXPECT_EQ(Flops(moved->work, "all/out"), 800u);
  EXPECT_EQ(Flops(moved->work, "all"), 1000u);
  EXPECT_EQ(moved->work.At(1, metric::kWorkers).max, 2u);
  EXPECT_EQ(moved->work.At(1, metric::kWorkerFlopsMax).max, 150u);
  EXPECT_EQ(moved->work.At(4, metric::kWorkerFlopsMax).max, 450u);
}

TEST(MovedVisits, OfSeveralRanksMoveTogether) {
  const JobProfile time =
      Job({{"a", {5, 5}, {0, 0}}, {"a/t", {10, 30}, {0, 0}}, {"t", {30, 10}, {0, 0}}});
  const JobProfile work =
      Job({{"a", {5, 5}, {400, 400}}, {"a/t", {40, 40}, {400, 400}}, {"t", {0, 0}, {0, 0}}});
  const std::optional<MovedWork> moved = MoveVisits(time, work);
  ASSERT_TRUE(moved);
  EXPECT_EQ(Flops(moved->work, "a/t"), 400u);
  EXPECT_EQ(Flops(moved->work, "a"), 400u);
  EXPECT_EQ(moved->work.At(1, metric::kVisits), time.At(1, metric::kVisits));
  EXPECT_EQ(moved->work.At(0, metric::kFlops).min, 200u);
}

// Chance does not explain these: they stay as they are, and are said as differences.
TEST(MovedVisits, OtherWorkIsNotMoved) {
  const std::vector<std::pair<JobProfile, JobProfile>> pairs = {
      // One more.
      {Job({{"a", {2}, {0}}, {"a/t", {5}, {0}}, {"t", {5}, {0}}}),
       Job({{"a", {2}, {6}}, {"a/t", {6}, {6}}, {"t", {5}, {5}}})},
      // The second execution restarts.
      {Job({{"main", {1}, {0}}, {"main/init", {1}, {0}}, {"main/init/read", {5}, {0}}}),
       Job({{"main", {1}, {5}}, {"main/restart", {1}, {5}}, {"main/restart/read", {5}, {5}}})},
      // Another region of this name.
      {Job({{"a", {2}, {0}}, {"a/t", {4}, {0}, 1}, {"t", {6}, {0}, 2}}),
       Job({{"a", {2}, {6}}, {"a/t", {6}, {6}, 1}, {"t", {4}, {4}, 2}})},
      // Nothing differs.
      {Job({{"a", {2}, {0}}, {"a/t", {4}, {0}}, {"t", {6}, {0}}}),
       Job({{"a", {2}, {4}}, {"a/t", {4}, {4}}, {"t", {6}, {6}}})}};
  for (const auto& [time, work] : pairs) {
    EXPECT_FALSE(MoveVisits(time, work)) << work.paths.back().path;
    const JobProfile joined = JoinPasses(time, work);
    EXPECT_THAT(joined.run.warnings, testing::Not(testing::Contains(HasSubstr("around"))));
  }
}

}  // namespace
}  // namespace roofmark
