// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/host.h"

#include <gtest/gtest.h>

#include "lib/profile/join.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using test::AddPath;
using test::EmptyJob;

TEST(OverHost, CombinesInAnyOrder) {
  const OverHost a = OverHost::Of(3), b = OverHost::Of(7), c = OverHost::Of(5), none;
  const OverHost all = {3, 3, 7, 15};
  EXPECT_EQ(Combine(Combine(a, b), c), all);
  EXPECT_EQ(Combine(c, Combine(b, a)), all);
  EXPECT_EQ(Combine(none, a), a);
  EXPECT_EQ(Combine(a, none), a);
  const OverHost most = OverHost::Of(OverHost::kOverflow - 4);
  EXPECT_EQ(Combine(Combine(most, b), a).sum, OverHost::kOverflow);
  EXPECT_EQ(Combine(most, Combine(a, b)).sum, OverHost::kOverflow) << "saturates in any order";
}

// In "a" and "b", but not again in "a/c".
TEST(HostWork, IsTheSumOverRegionsThatLieInNoOther) {
  JobProfile job = EmptyJob(1);
  job.run.hosts[0].rank_cpus = OverHost::Of(4);
  for (const char* path : {"a", "a/c", "b"}) {
    const size_t p = AddPath(job, path);
    test::Set(job, p, metric::kVisits, {2}, "timer");
    test::Set(job, p, metric::kTimeNs, {100 + p}, "timer");
    test::Set(job, p, metric::kFlops, {1000});
  }
  test::Set(job, 2, metric::kMpiNs, {50}, "timer");
  test::Set(job, 2, metric::kOutsideMpiNs, {52}, "timer");
  FillSpreads(job);
  const HostInfo& host = job.run.hosts[0];
  EXPECT_EQ(host.busy_ns, OverHost::Of(100 + 52)) << "of b what is outside MPI";
  EXPECT_EQ(host.visits, OverHost::Of(4));
  EXPECT_EQ(host.flops, OverHost::Of(2000));
  EXPECT_EQ(host.dram_bytes.ranks, 0u);
  EXPECT_EQ(host.rank_cpus, OverHost::Of(4));
  FillSpreads(job);
  EXPECT_EQ(job.run.hosts[0].flops, OverHost::Of(2000)) << "not added again";
}

TEST(HostWork, OfTheWorkPassGoesToTheSameHosts) {
  std::vector<HostInfo> time = {{"a", 2, "0-1", 2}, {"b", 1, "0", 1}, {"c", 1, "0", 1}};
  std::vector<HostInfo> work = time;
  for (HostInfo& host : work) host.flops = {host.ranks, 5, 5, 5 * host.ranks};
  work[1].ranks = 2;
  work[2].name = "d";
  TakeHostWork(work, time);
  EXPECT_EQ(time[0].flops.sum, 10u);
  EXPECT_EQ(time[1].flops.ranks, 0u) << "it had another number of ranks";
  EXPECT_EQ(time[2].flops.ranks, 0u) << "the work pass ran elsewhere";
}

}  // namespace
}  // namespace roofmark
