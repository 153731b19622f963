// SPDX-License-Identifier: BSD-3-Clause
//
// Environments of launchers, real and impossible ones.
#include "lib/core/launcher.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "lib/core/limits.h"

namespace roofmark {
namespace {

// Sets variables and takes all of launchers back at the end.
class LauncherTest : public testing::Test {
 protected:
  LauncherTest() { Clear(); }
  ~LauncherTest() override { Clear(); }
  static void Clear() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK",
                             "PMIX_RANK",
                             "PMI_RANK",
                             "SLURM_PROCID",
                             "OMPI_COMM_WORLD_SIZE",
                             "PMI_SIZE",
                             "SLURM_NTASKS",
                             "OMPI_COMM_WORLD_LOCAL_SIZE",
                             "MPI_LOCALNRANKS",
                             "SLURM_NTASKS_PER_NODE",
                             "SLURM_JOB_ID",
                             "PBS_JOBID",
                             "LSB_JOBID",
                             "PMIX_NAMESPACE",
                             "OMPI_MCA_ess_base_jobid",
                             "PMI_JOBID",
                             "PMI_FD",
                             "SLURM_STEP_ID",
                             "OMPI_COMM_WORLD_LOCAL_RANK",
                             "MPI_LOCALRANKID",
                             "SLURM_LOCALID"}) {
      unsetenv(name);
    }
  }
  static Launcher Read(const std::map<std::string, std::string>& environment) {
    Clear();
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    return ReadLauncher();
  }
};

TEST_F(LauncherTest, FirstOfItsNode) {
  EXPECT_EQ(Read({{"OMPI_COMM_WORLD_LOCAL_RANK", "0"}, {"SLURM_LOCALID", "3"}}).local_rank, 0u);
  EXPECT_EQ(Read({{"MPI_LOCALRANKID", "2"}}).local_rank, 2u);
  EXPECT_EQ(Read({{"SLURM_LOCALID", "1"}}).local_rank, 1u);
  EXPECT_FALSE(Read({}).local_rank);
}

TEST_F(LauncherTest, OfOpenMpi) {
  const Launcher launcher = Read({{"OMPI_COMM_WORLD_RANK", "3"},
                                  {"OMPI_COMM_WORLD_SIZE", "8"},
                                  {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}});
  EXPECT_EQ(launcher.rank, 3u);
  EXPECT_EQ(launcher.ranks, 8u);
  EXPECT_EQ(launcher.local_ranks, 4u);
  EXPECT_EQ(launcher.name, "openmpi");
}

// mpirun inside an allocation is started by srun, and is the one to tell how to bind.
TEST_F(LauncherTest, TheInnermostLauncherHasTheName) {
  EXPECT_EQ(Read({{"OMPI_COMM_WORLD_RANK", "3"}, {"SLURM_STEP_ID", "0"}}).name, "openmpi");
  EXPECT_EQ(Read({{"MPI_LOCALNRANKS", "2"}, {"SLURM_STEP_ID", "0"}}).name, "hydra");
  EXPECT_EQ(Read({{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "1"}}).name, "slurm");
  EXPECT_EQ(Read({}).name, "");
}

TEST_F(LauncherTest, WithoutOne) {
  const Launcher launcher = Read({});
  EXPECT_FALSE(launcher.rank || launcher.ranks || launcher.local_ranks);
  EXPECT_FALSE(launcher.job_id.empty());
}

TEST_F(LauncherTest, TheLargestJobThatCanBe) {
  const Launcher launcher = Read({{"PMI_RANK", std::to_string(limits::kRanks - 1)},
                                  {"PMI_SIZE", std::to_string(limits::kRanks)},
                                  {"MPI_LOCALNRANKS", std::to_string(limits::kRanks)}});
  EXPECT_EQ(launcher.rank, limits::kRanks - 1);
  EXPECT_EQ(launcher.ranks, limits::kRanks);
  EXPECT_EQ(launcher.local_ranks, limits::kRanks);
}

TEST_F(LauncherTest, NumbersThatNoJobHasAreNone) {
  for (const std::string number :
       {"4294967295", "4294967296", "18446744073709551616", "-1", "", " 3", "3 ", "0x3", "three"}) {
    const Launcher launcher =
        Read({{"PMI_RANK", number}, {"PMI_SIZE", number}, {"MPI_LOCALNRANKS", number}});
    EXPECT_FALSE(launcher.rank || launcher.ranks || launcher.local_ranks) << number;
  }
  const std::string first_beyond = std::to_string(limits::kRanks);
  EXPECT_FALSE(Read({{"PMI_RANK", first_beyond}}).rank);
  for (const std::string& ranks : {std::string("0"), std::to_string(limits::kRanks + 1)}) {
    EXPECT_FALSE(Read({{"PMI_SIZE", ranks}}).ranks) << ranks;
    EXPECT_FALSE(Read({{"MPI_LOCALNRANKS", ranks}}).local_ranks) << ranks;
  }
}

}  // namespace
}  // namespace roofmark
