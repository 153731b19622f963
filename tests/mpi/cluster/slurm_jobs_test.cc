// SPDX-License-Identifier: BSD-3-Clause
//
// Jobs under a real Slurm: Open MPI with PMIx, MPICH with PMI.
#include "lib/core/messages/command.h"
#include "tests/mpi/cluster/cluster_job.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;

class SlurmJobs : public test::ClusterJob {
 protected:
  std::string Srun(int nodes, int ranks) const {
    return std::string("srun --mpi=") + (IsOpenMpi() ? "pmix" : "pmi2") + " -N" +
           std::to_string(nodes) + " -n" + std::to_string(ranks) + " ";
  }
  std::string Preloaded() const { return "env LD_PRELOAD=" LIBRARY " " + Program("member"); }
  // A line of bash on three nodes of two CPUs.
  Ended Execute(const std::string& line) {
    return OnNodes("slurm", {"3", "bash", "-c", line}, Variables(directory_.File("run.json")));
  }
};

TEST_P(SlurmJobs, OneNode) {
  const Ended ended = Execute(Srun(1, 2) + Preloaded());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 2, 1);
}

// The nodes of this cluster share a host name.
TEST_P(SlurmJobs, ThreeNodes) {
  const Ended ended = Execute(Srun(3, 6) + Preloaded());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 6, 1);
}

TEST_P(SlurmJobs, SeveralProgramsOfWhichOneDoesNotRecord) {
  directory_.Write("programs", "0-3 " + Preloaded() + "\n4-5 " + Program("member") + "\n");
  const std::string file = directory_.File("programs");
  const Ended ended = Execute(Srun(3, 6) + "--multi-prog " + file + "; rm " + file);
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectParts(ended, {0, 1, 2, 3}, DoesNotRecord(4));
}

// mpirun inside an allocation starts its ranks with its own launcher.
TEST_P(SlurmJobs, LauncherInABatchJob) {
  const std::string script = directory_.File("job.sh"), out = directory_.File("out");
  directory_.Write(
      "job.sh", std::string("#!/bin/bash\n") + GetParam().launcher + " -n 2 " + Preloaded() + "\n");
  const Ended ended =
      Execute("sbatch -N1 -n2 -W -o " + out + " " + script + " >/dev/null; s=$?; grep -h done " +
              out + "; cat " + out + " >&2; rm " + out + " " + script + "; exit $s");
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 2, 1);
}

TEST_P(SlurmJobs, StepInAnAllocation) {
  const Ended ended = Execute("salloc -Q -N3 -n6 " + Srun(3, 6) + Preloaded());
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  ExpectMerged(ended, 6, 1);
}

// The nodes of this cluster share their memory, so no snapshots are needed.
TEST_P(SlurmJobs, RecoverAfterAStepWasCancelled) {
  const std::string out = directory_.File("out");
  const Ended ended = Execute("timeout -s KILL 240 " + Srun(3, 6) + Preloaded() + " sleeps >" +
                              out + " & while kill -0 $! && ! grep -qs asleep " + out +
                              "; do sleep 0.2; done; scancel -u $(id -un); wait; rm " + out +
                              "; " ROOFMARK " recover --remove -o recovered.json; exit 0");
  ROOFMARK_SKIP_WITHOUT_NODES(ended);
  EXPECT_THAT(ended.err, test::Says(message::kRecovered, 6, 6, "recovered.json"));
  const JobProfile job = test::ReadRoofline(directory_.File("recovered.json")).job;
  const int path = job.FindPath("common");
  ASSERT_GE(path, 0);
  EXPECT_EQ(job.At(static_cast<size_t>(path), metric::kVisits).SumAsDouble(), 21);
}

INSTANTIATE_TEST_SUITE_P(Mpi, SlurmJobs, testing::ValuesIn(test::kMpis),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace roofmark
