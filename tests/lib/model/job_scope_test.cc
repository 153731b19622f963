// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/job_scope.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/lib/model/model_machine.h"

namespace roofmark {
namespace {

// One rank with so many threads on CPUs 0 to 3, which are those of two cores.
RunInfo TwoCores(uint32_t threads) {
  RunInfo run;
  run.threads_max = threads;
  HostInfo host;
  host.name = "node1";
  host.ranks = 1;
  host.cpuset = "0-3";
  host.cpus = 4;
  host.cores = "0-1";
  run.hosts = {host};
  return run;
}

double CoresOf(const RunInfo& run) { return ActiveHosts(test::ModelMachine(), run)[0].cores; }

TEST(JobScope, HyperthreadsOfACoreAreOneCore) {
  EXPECT_EQ(CoresOf(TwoCores(1)), 1);
  EXPECT_EQ(CoresOf(TwoCores(2)), 2);
  EXPECT_EQ(CoresOf(TwoCores(4)), 2);
  RunInfo unknown = TwoCores(4);
  unknown.hosts[0].cores.clear();
  EXPECT_EQ(CoresOf(unknown), 4) << "files of before do not tell cores";
}

TEST(JobScope, AQuotaIsTheTimeOfSoManyCores) {
  RunInfo run = TwoCores(4);
  run.hosts[0].quota_mcpus = OverHost::Of(1500);
  EXPECT_EQ(CoresOf(run), 1.5);
  EXPECT_EQ(*QuotaOf(run.hosts[0]), 1.5);
  run.hosts[0].quota_mcpus = OverHost::Of(2500);
  EXPECT_EQ(CoresOf(run), 2) << "the cores are fewer";
  run.hosts[0].quota_mcpus = OverHost::Of(8000);
  EXPECT_FALSE(QuotaOf(run.hosts[0])) << "it limits nothing";
  run.hosts[0].quota_mcpus = {};
  EXPECT_FALSE(QuotaOf(run.hosts[0]));
}

TEST(JobScope, WhereNothingIsKnownThreadsCount) {
  RunInfo run = TwoCores(3);
  run.hosts[0].cpus = 0;
  run.hosts[0].cores.clear();
  EXPECT_EQ(CoresOf(run), 3);
  EXPECT_FALSE(UsableCores(run.hosts[0]));
  run.hosts[0].quota_mcpus = OverHost::Of(2000);
  EXPECT_EQ(CoresOf(run), 2);
}

TEST(JobScope, LessThanACoreHasItsShareOfIt) {
  CeilingCurve ceiling;
  for (const auto& [cores, value] : {std::pair{1u, 10.0}, {2u, 16.0}}) {
    MachinePoint point;
    point.cores = cores;
    point.value = value;
    ceiling.curve.push_back(point);
  }
  EXPECT_DOUBLE_EQ(JobValue(ceiling, {{.cores = 0.5}}), 5);
  EXPECT_DOUBLE_EQ(JobValue(ceiling, {{.cores = 1.5}}), 13);
  EXPECT_DOUBLE_EQ(JobValue(ceiling, {{.cores = 2}}, 0.25), 5);
}

}  // namespace
}  // namespace roofmark
