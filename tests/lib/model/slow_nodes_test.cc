// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/slow_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/model/health.h"
#include "lib/report/health_words.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::kGiga;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// What one rank does in "step" and, inside it, "solve"; seconds.
struct Rank {
  double solve_s = 1;
  uint64_t flops = 0;
  double mpi_s = 0;
  uint64_t visits = 10;
};

// Merged from ranks, two to a node: n0 has the first two.
JobProfile JobOf(const std::vector<Rank>& ranks, uint32_t each = 2) {
  JobProfile job;
  for (uint32_t r = 0; r < ranks.size(); ++r) {
    JobProfile part = test::EmptyJob(static_cast<uint32_t>(ranks.size()));
    part.run.ranks_merged = 1;
    part.run.first_rank = r;
    part.run.mpi = "Open MPI";
    HostInfo host = {"n" + std::to_string(r / each), 1, std::to_string(r % each), 1};
    host.rank_cpus = OverHost::Of(1);
    host.clock_khz = OverHost::Of(3'000'000);
    host.kind = "aa";
    part.run.hosts = {host};
    test::AddPass(part, "timer", 12);
    const Rank& rank = ranks[r];
    for (const auto& [path, extra] : {std::pair{"step", 0.1}, {"step/solve", 0.0}}) {
      const size_t p = test::AddPath(part, path);
      const auto set = [&](MetricId metric, uint64_t value) {
        part.sources[metric] = {"timer", Status::kMeasured, ""};
        part.At(p, metric) = Cell::Of(value, r, Status::kMeasured);
      };
      const auto ns = [](double s) { return static_cast<uint64_t>(s * 1e9); };
      set(metric::kVisits, rank.visits);
      set(metric::kTimeNs, ns(rank.solve_s + rank.mpi_s + extra));
      if (rank.mpi_s > 0) {
        set(metric::kMpiNs, ns(rank.mpi_s));
        set(metric::kOutsideMpiNs, ns(rank.solve_s + extra));
      }
      if (rank.flops > 0) set(metric::kFlops, rank.flops);
    }
    FillSpreads(part);
    if (r == 0) {
      job = part;
    } else {
      MergeProfiles(job, part);
    }
  }
  return job;
}

// Three nodes, of which the last one takes so long.
std::vector<Rank> Nodes(double last_s, uint64_t flops = 0, uint64_t last_flops = 0) {
  std::vector<Rank> ranks(6, Rank{1, flops, 0, 10});
  for (size_t r = 4; r < 6; ++r) ranks[r] = {last_s, last_flops == 0 ? flops : last_flops, 0, 10};
  return ranks;
}

TEST(SlowNodes, TheNodeWhoseRanksTakeLongerForTheSameWork) {
  const JobProfile job = JobOf(Nodes(2.1, kGiga));
  const SlowNodes slow = SlowNodesOf(job);
  ASSERT_THAT(slow.nodes, SizeIs(1));
  EXPECT_EQ(job.run.hosts[slow.nodes[0].host].name, "n2");
  EXPECT_NEAR(slow.nodes[0].ratio, 2.2 / 1.1, 1e-6);
  EXPECT_NEAR(slow.nodes[0].seconds, 1.1, 1e-6);
  EXPECT_TRUE(slow.same_work_known);
  ASSERT_TRUE(slow.nodes[0].path);
  EXPECT_EQ(job.paths[*slow.nodes[0].path].path, "step/solve") << "the innermost";
  EXPECT_THAT(SlowNodesOf(JobOf(Nodes(1.05, kGiga))).nodes, IsEmpty());
  EXPECT_THAT(SlowNodesOf(JobOf(Nodes(0.5, kGiga))).nodes, IsEmpty());
}

// No middle lies between them: the faster one shows what the other could be.
TEST(SlowNodes, OneOfTwo) {
  const Rank usual = {1, kGiga, 0, 10}, slow = {2.1, kGiga, 0, 10};
  const JobProfile job = JobOf({slow, slow, usual, usual});
  const SlowNodes found = SlowNodesOf(job);
  ASSERT_THAT(found.nodes, SizeIs(1));
  EXPECT_EQ(job.run.hosts[found.nodes[0].host].name, "n0");
  EXPECT_NEAR(found.nodes[0].ratio, 2.2 / 1.1, 1e-6);
}

TEST(SlowNodes, MoreWorkIsNoSlowness) {
  EXPECT_THAT(SlowNodesOf(JobOf(Nodes(2, kGiga, 2 * kGiga))).nodes, IsEmpty());
  EXPECT_THAT(SlowNodesOf(JobOf(Nodes(3, kGiga, 2 * kGiga))).nodes, SizeIs(1)) << "not so much";
  std::vector<Rank> more_visits = Nodes(2);
  more_visits[4].visits = more_visits[5].visits = 20;
  EXPECT_THAT(SlowNodesOf(JobOf(more_visits)).nodes, IsEmpty());
}

TEST(SlowNodes, OneSlowRankIsNoSlowNode) {
  std::vector<Rank> ranks = Nodes(1, kGiga);
  ranks[5].solve_s = 3;
  EXPECT_THAT(SlowNodesOf(JobOf(ranks)).nodes, IsEmpty());
}

TEST(SlowNodes, NodesThatAllDifferAreUneven) {
  std::vector<Rank> ranks;
  for (const double s : {1.0, 1.2, 1.4, 1.6, 1.8}) ranks.insert(ranks.end(), 2, Rank{s, 0, 0, 10});
  EXPECT_THAT(SlowNodesOf(JobOf(ranks)).nodes, IsEmpty());
}

// All leave the region at the same time: the others wait inside MPI.
TEST(SlowNodes, WhoWaitsForThemIsNot) {
  std::vector<Rank> ranks = Nodes(2, kGiga);
  for (size_t r = 0; r < 6; ++r) ranks[r].mpi_s = r < 4 ? 1.25 : 0.25;
  const JobProfile job = JobOf(ranks);
  const SlowNodes slow = SlowNodesOf(job);
  ASSERT_THAT(slow.nodes, SizeIs(1));
  EXPECT_EQ(slow.nodes[0].host, 2u);
  EXPECT_TRUE(slow.mpi_left_out);
  EXPECT_FALSE(slow.nodes[0].path) << "no region's time shows it";
}

// Of many nodes a little is enough where all others agree.
TEST(SlowNodes, ManyNodesShowSmallDifferences) {
  std::vector<Rank> ranks(20, Rank{10, kGiga, 0, 10});
  for (size_t r = 0; r < 20; ++r) ranks[r].solve_s += 0.001 * static_cast<double>(r % 3);
  ranks[6].solve_s = ranks[7].solve_s = 10.6;
  ASSERT_THAT(SlowNodesOf(JobOf(ranks)).nodes, SizeIs(1));
  EXPECT_EQ(JobOf(ranks).run.hosts[SlowNodesOf(JobOf(ranks)).nodes[0].host].name, "n3");
}

std::string Sentence(const JobProfile& job) {
  const ReportJob report = {"F", job, Analyze(job, nullptr)};
  for (const HealthIssue& issue : HealthOf(job, report.analysis)) {
    if (issue.id == HealthId::kSlowNodes) return HealthSentence(issue, report);
  }
  return "";
}

TEST(SlowNodes, SentencesNameNodeRegionCostAndCause) {
  JobProfile job = JobOf(Nodes(2.1, kGiga));
  EXPECT_THAT(Sentence(job),
              HasSubstr("n2 is slow: its ranks take 2.00x as long as those of other nodes for the "
                        "same work, most of all in solve; the others may wait for them up to "
                        "1.10 s; nothing that was recorded explains it"));
  EXPECT_THAT(Sentence(job), HasSubstr("time inside MPI was not measured"));
  job.run.hosts[2].clock_khz = {2, 1'500'000, 1'500'000, 3'000'000};
  EXPECT_THAT(Sentence(job), HasSubstr("its clock was 1.50 GHz, theirs 3.00 GHz"));
  job.run.hosts[2].kind = "bb";
  job.run.hosts[2].cpu = "Old CPU";
  EXPECT_THAT(Sentence(job), HasSubstr("it is of another kind (Old CPU); its clock"));
  job.run.hosts[0].rank_cpus = job.run.hosts[1].rank_cpus = {2, 4, 4, 8};
  EXPECT_THAT(Sentence(job), HasSubstr("its ranks may use 1 CPUs each, theirs 4"));
  EXPECT_THAT(Sentence(JobOf(Nodes(2.1))), HasSubstr("(if they do the same work, which nobody"));
  EXPECT_EQ(Sentence(JobOf(Nodes(1, kGiga))), "");
}

TEST(SlowNodes, OldFilesKnowNothingOfThem) {
  JobProfile job = JobOf(Nodes(2.1, kGiga));
  for (HostInfo& host : job.run.hosts) host = {host.name, host.ranks, host.cpuset, host.cpus};
  EXPECT_THAT(SlowNodesOf(job).nodes, IsEmpty());
}

}  // namespace
}  // namespace roofmark
