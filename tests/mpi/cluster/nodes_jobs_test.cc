// SPDX-License-Identifier: BSD-3-Clause
//
// Jobs on three nodes under the launchers of every MPI that was found: one file where all processes
// record, parts and a reason where one does not, and nothing hangs.
#include "lib/core/messages/command.h"
#include "lib/core/node_identity.h"
#include "lib/model/machine_json.h"
#include "tests/mpi/cluster/cluster_job.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Environment;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class NodesJobs : public test::ClusterJob {
 protected:
  Environment Variables() const { return ClusterJob::Variables(directory_.File("run.json")); }

  // Of a launch line: `each` ranks on every node, one node after the other.
  Words Launcher(int each = 2, int nodes = 3) const {
    std::string hosts;
    for (int node = 1; node <= nodes; ++node) {
      if (node > 1) hosts += ',';
      hosts += "n" + std::to_string(node) + ":" + std::to_string(each);
    }
    return {GetParam().launcher, IsOpenMpi() ? "--host" : "-hosts", hosts};
  }
  // Open MPI takes no variables to other nodes that it is not told of.
  Words Forward(const Environment& environment) const {
    Words words;
    if (!IsOpenMpi()) return words;
    for (const auto& [name, value] : environment) words = words + Words{"-x", name};
    return words;
  }
  Ended Launch(const Words& launcher, const Words& programs, const Environment& environment,
               const Words& cluster = {"3"}) {
    return OnNodes("nodes", cluster + launcher + programs, environment);
  }
  // The same program everywhere, with the library preloaded.
  Words Preloaded(int ranks, const std::string& does = "common") const {
    return {"-n", std::to_string(ranks), "env", "LD_PRELOAD=" LIBRARY, Program("member"), does};
  }
  Words Plain(int ranks) const { return {"-n", std::to_string(ranks), Program("member")}; }
  Words With(int each = 2) const { return Launcher(each) + Forward(Variables()); }
};

// What MPI's own doings are nothing to is on one of them.
class NodesJobsOnOpenMpi : public NodesJobs {};
class NodesJobsOnMpich : public NodesJobs {};

TEST_P(NodesJobs, Linked) {
  const Ended ended = Launch(With(), {"-n", "6", Program("job")}, Variables());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 6, 3);
}

TEST_P(NodesJobs, Preloaded) {
  const Ended ended = Launch(With(), Preloaded(6), Variables());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 6, 3);
}

TEST_P(NodesJobs, SeveralProgramsThatAllRecord) {
  const Ended ended =
      Launch(With(), Preloaded(4) + Words{":"} + Forward(Variables()) + Preloaded(2), Variables());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 6, 3);
}

TEST_P(NodesJobs, OneProgramOfTwoRecords) {
  const Ended ended = Launch(With(), Preloaded(4) + Words{":"} + Plain(2), Variables());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectParts(ended, {0, 1, 2, 3}, DoesNotRecord(4));
}

TEST_P(NodesJobs, OnlyTheFirstRankIsPreloaded) {
  const Ended ended = Launch(With(), Preloaded(1) + Words{":"} + Plain(5), Variables());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectParts(ended, {0}, DoesNotRecord(1));
}

TEST_P(NodesJobs, OnlyTheLastRankIsNot) {
  const Ended ended = Launch(With(), Preloaded(5) + Words{":"} + Plain(1), Variables());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectParts(ended, {0, 1, 2, 3, 4}, DoesNotRecord(5));
}

TEST_P(NodesJobs, ARankThatComesLate) {
  for (const char* when : {"late", "last"}) {
    const Ended ended = Launch(With(), Preloaded(6, when), Variables());
    ROOFMARK_SKIP_WITHOUT_NODES(ended);
    ExpectMerged(ended, 6, 3);
    std::remove(directory_.File("run.json").c_str());
  }
}

TEST_P(NodesJobs, ARankThatIsKilledLetsNobodyHang) {
  for (const char* when : {"dies", "dies_at_the_end"}) {
    const Ended ended = Launch(With(), Preloaded(6, when), Variables());
    ROOFMARK_SKIP_WITHOUT_NODES(ended);
    EXPECT_NE(ended.status, 0);
    EXPECT_THAT(ended.err, Not(HasSubstr("time limit")));
  }
}

// As after `scancel`: what each node had in memory is gone, but for the snapshots.
TEST_P(NodesJobsOnMpich, RecoverFindsTheSnapshotsOfAllNodes) {
  Environment environment = Variables();
  environment["ROOFMARK_SNAPSHOT"] = "1s";
  environment["PBS_JOBID"] = "77.cluster";
  const Ended ended =
      Launch(Launcher() + Forward(environment), Preloaded(6, "dies_asleep"), environment);
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  EXPECT_NE(ended.status, 0);
  const Ended recovered = test::Run({ROOFMARK, "recover", "-o", "recovered.json"},
                                    {{"PBS_JOBID", "77.cluster"}}, directory_.path());
  EXPECT_THAT(recovered.err, test::Says(message::kRecovered, 6, 6, "recovered.json"));
  const JobProfile job = test::ReadRoofline(directory_.File("recovered.json")).job;
  const int path = job.FindPath("common");
  ASSERT_GE(path, 0);
  EXPECT_EQ(job.At(static_cast<size_t>(path), metric::kVisits).SumAsDouble(), 21);
}

// `roofmark run` tells Open MPI of its variables, whichever way the user tells it of others.
TEST_P(NodesJobs, RunReachesAllNodes) {
  for (const bool option : {false, true}) {
    if (option && !IsOpenMpi()) continue;
    Words command = {"3", ROOFMARK, "run", "--collector", "timer", "--no-machine", "--no-report"};
    command = command + Words{"--force", "-o", "run.json", "--"} + Launcher();
    if (option) command = command + Words{"-x", "HOME"};
    const Ended ended = OnNodes("nodes", command + Words{"-n", "6", Program("job")}, {});
    ROOFMARK_SKIP_WITHOUT_NODES(ended);
    ExpectMerged(ended, 6, 3);
  }
}

// Node n2 has another CPU: it shows the file of its kind, and the job has a roof with both files
// only.
TEST_P(NodesJobsOnOpenMpi, NodesOfSeveralKinds) {
  std::string line =
      "sed 's/^model name.*/model name : Other CPU/' /proc/cpuinfo "
      ">/run/cluster/n2/cpuinfo && exec";
  for (const std::string& word : With() + Words{"-n", "6", Program("job")})
    line += " '" + word + "'";
  const Ended ended = OnNodes("nodes", {"3", "bash", "-c", line}, Variables());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 6, 3);
  const std::vector<HostInfo> hosts = test::ReadRoofline(directory_.File("run.json")).job.run.hosts;
  ASSERT_EQ(hosts.size(), 3u);
  EXPECT_EQ(hosts[0].kind.size(), 16u);
  EXPECT_EQ(hosts[0].kind, hosts[2].kind);
  EXPECT_NE(hosts[0].kind, hosts[1].kind);
  for (const HostInfo& host : hosts) {
    EXPECT_EQ(host.rank_cpus.ranks, 2u) << host.name;
    EXPECT_EQ(host.busy_ns.ranks, 2u) << host.name;
  }
  NodeIdentity other = ReadNodeIdentity();
  other.cpu_model = "Other CPU";
  EXPECT_EQ(hosts[1].kind, KindOf(other));
  const auto measure = [this](const NodeIdentity& node, double gbs) {
    Machine machine;
    static_cast<NodeIdentity&>(machine) = node;
    CeilingCurve ceiling;
    ceiling.id = "bandwidth.DRAM.read";
    ceiling.unit = "GB/s";
    ceiling.curve.emplace_back().value = gbs;
    machine.ceilings = {ceiling};
    directory_.Write("machine-" + KindOf(node) + ".json", MachineToJson(machine));
  };
  const auto report = [this] {
    return test::Run({ROOFMARK, "report", "run.json"}, {{"XDG_CACHE_HOME", directory_.path()}},
                     directory_.path());
  };
  measure(ReadNodeIdentity(), 10);
  const Ended without = report();
  EXPECT_THAT(without.out, HasSubstr("n2: no machine file"));
  EXPECT_THAT(without.out, HasSubstr("1 of 3 nodes have no machine file (n2)"));
  EXPECT_THAT(without.err, HasSubstr("n2: no machine file of this kind of node was found; `"));
  EXPECT_THAT(without.err, HasSubstr("roofmark machine -o machine-" + KindOf(other) + ".json"));
  measure(other, 20);
  const Ended with = report();
  EXPECT_THAT(with.out, HasSubstr("roofs: the sum of 2 kinds of nodes")) << with.err;
  EXPECT_THAT(with.out, HasSubstr("n2: Other CPU"));
  EXPECT_THAT(with.out, Not(HasSubstr("no machine file")));
}

TEST_P(NodesJobsOnMpich, ASlowNodeIsNamed) {
  const Ended ended = Launch(With(), Preloaded(6, "works"), Variables());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 6, 3);
  const Ended report = test::Run({ROOFMARK, "report", "--json", "-", "run.json"},
                                 {{"XDG_CACHE_HOME", directory_.path()}}, directory_.path());
  EXPECT_THAT(report.out, HasSubstr("n2 is slow: its ranks take ")) << report.err;
  EXPECT_THAT(report.out, HasSubstr("most of all in work (if they do the same work, "));
}

TEST_P(NodesJobs, MergesOnRequest) {
  const Ended ended = Launch(With(), {"-n", "6", Program("reduce"), "world"}, Variables());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  EXPECT_EQ(ended.status, 0) << ended.err;
  ASSERT_THAT(test::ListFiles(directory_.path()),
              UnorderedElementsAre("run.json", "run.reduce1.json", "run.reduce2.json"));
  for (const auto& [file, times] : {std::pair("run.reduce1.json", 1), {"run.reduce2.json", 2}}) {
    const JobProfile job = test::ReadRoofline(directory_.File(file)).job;
    EXPECT_EQ(job.run.ranks_merged, 6u) << file;
    EXPECT_EQ(job.run.hosts.size(), 3u) << file;
    EXPECT_EQ(job.At(static_cast<size_t>(job.FindPath("common")), metric::kVisits).SumAsDouble(),
              21 * times)
        << file;
  }
}

// The folder of the output is one of node n1's own.
TEST_P(NodesJobsOnOpenMpi, TheOutputIsOnOneNodeOnly) {
  const Environment environment = ClusterJob::Variables("/run/cluster/disk/run.json");
  const std::string keep = "; cp /run/cluster/disk/*.json " + directory_.path();
  std::string line = "exec 2>&1; { ";
  for (const std::string& word : Launcher() + Forward(environment) + Preloaded(6)) {
    line += "'" + word + "' ";
  }
  const Ended ended =
      OnNodes("nodes", {"3", "bash", "-c", line + "; } 2>/dev/null" + keep}, environment);
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 6, 3);
}

// Processes of other nodes do not know that they are to record.
TEST_P(NodesJobs, VariablesReachTheFirstNodeOnly) {
  if (!IsOpenMpi()) GTEST_SKIP() << "hydra takes all variables to all nodes";
  const Words here = {"env", "LD_PRELOAD=" LIBRARY};
  const Ended ended = Launch(here + Launcher(), Plain(6), Variables());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectParts(ended, {0, 1}, DoesNotRecord(2));
}

TEST_P(NodesJobsOnOpenMpi, NodesWithDifferentNumbersOfRanks) {
  Words launcher = With();
  launcher[2] = "n1:1,n2:3,n3:2";
  const Ended ended = Launch(launcher, Preloaded(6), Variables());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 6, 3);
}

TEST_P(NodesJobsOnMpich, ASlowNetwork) {
  const Ended ended = Launch(With(), Preloaded(6), Variables(), {"3", "-d", "2ms"});
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 6, 3);
}

// Of the application, at MPI_Finalize.
TEST_P(NodesJobs, AReceiveThatTakesAllIsPending) {
  Environment on = Variables();
  on["UCX_LOG_LEVEL"] = "fatal";  // MPICH's UCX warns of the receive
  Environment off = on;
  off["ROOFMARK"] = "off";
  const Ended without = Launch(Launcher() + Forward(off), Preloaded(6, "pending"), off);
  ROOFMARK_SKIP_WITHOUT_NODES(without);
  if (without.status != 0) GTEST_SKIP() << "this MPI does not let it pass: " << without.err;
  ExpectMerged(Launch(Launcher() + Forward(on), Preloaded(6, "pending"), on), 6, 3);
}

// On two cores: each message wakes a rank that spins.
TEST_P(NodesJobs, SixtyFourRanksOnEightNodes) {
  const Ended ended =
      Launch(Launcher(8, 8) + Forward(Variables()), Preloaded(64), Variables(), {"8"});
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 64, 8);
}

TEST_P(NodesJobs, NeverWritesParts) {
  Environment environment = Variables();
  environment["ROOFMARK_MERGE"] = "never";
  const Ended ended = Launch(Launcher() + Forward(environment), Preloaded(6), environment);
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectParts(ended, {0, 1, 2, 3, 4, 5}, InWords(message::kNeverMerged));
}

INSTANTIATE_TEST_SUITE_P(Mpi, NodesJobs, testing::ValuesIn(test::kMpis),
                         [](const auto& given) { return given.param.name; });
INSTANTIATE_TEST_SUITE_P(Mpi, NodesJobsOnOpenMpi, testing::ValuesIn(test::OneMpi("openmpi")),
                         [](const auto& given) { return given.param.name; });
INSTANTIATE_TEST_SUITE_P(Mpi, NodesJobsOnMpich, testing::ValuesIn(test::OneMpi("mpich")),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace roofmark
