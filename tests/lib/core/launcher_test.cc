// SPDX-License-Identifier: BSD-3-Clause
//
// Environments of launchers, real and impossible ones.
#include "lib/core/launcher.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "lib/core/file.h"
#include "lib/core/launcher_table.h"
#include "lib/core/limits.h"

namespace roofmark {
namespace {

// Sets variables and takes all of launchers back at the end.
class LauncherTest : public testing::Test {
 protected:
  LauncherTest() { Clear(); }
  ~LauncherTest() override { Clear(); }
  static void Clear() {
    for (const LauncherInfo& row : LauncherTable()) {
      for (const char* name : {row.sign, row.rank, row.ranks, row.nodes, row.local_rank,
                               row.local_ranks, row.job, row.step}) {
        if (name != nullptr) unsetenv(name);
      }
    }
    for (const char* name :
         {"PBS_JOBID", "LSB_JOBID", "PMI_FD", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID",
          "SLURM_RESTART_COUNT", "PBS_ARRAY_INDEX", "LSB_JOBINDEX", "SGE_TASK_ID"})
      unsetenv(name);
  }
  static Launcher Read(const std::map<std::string, std::string>& environment) {
    Clear();
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    return ReadLauncher();
  }
};

TEST_F(LauncherTest, FirstOfItsNode) {
  EXPECT_EQ(Read({{"OMPI_COMM_WORLD_RANK", "4"},
                  {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
                  {"SLURM_STEP_ID", "0"},
                  {"SLURM_LOCALID", "3"}})
                .local_rank,
            0u);
  EXPECT_EQ(Read({{"MPI_LOCALNRANKS", "3"}, {"MPI_LOCALRANKID", "2"}}).local_rank, 2u);
  EXPECT_EQ(Read({{"SLURM_STEP_ID", "0"}, {"SLURM_LOCALID", "1"}}).local_rank, 1u);
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

TEST_F(LauncherTest, OfFlux) {
  std::map<std::string, std::string> environment = {
      {"FLUX_TASK_RANK", "5"},  {"FLUX_TASK_LOCAL_ID", "1"},
      {"FLUX_JOB_SIZE", "8"},   {"FLUX_JOB_NNODES", "2"},
      {"FLUX_JOB_ID", "f3ETx"}, {"FLUX_URI", "local:///run/flux/1"},
      {"PMI_RANK", "5"},        {"PMI_SIZE", "8"}};
  Launcher launcher = Read(environment);
  EXPECT_EQ(launcher.name, "flux");
  EXPECT_EQ(launcher.rank, 5u);
  EXPECT_EQ(launcher.ranks, 8u);
  EXPECT_EQ(launcher.local_rank, 1u);
  EXPECT_FALSE(launcher.local_ranks) << "unknown on two nodes";
  EXPECT_EQ(launcher.job_id, "f3ETx");
  const std::string key = NodeJobKey();
  environment["FLUX_JOB_NNODES"] = "1";
  EXPECT_EQ(Read(environment).local_ranks, 8u);
  environment["FLUX_URI"] = "local:///run/flux/2";
  Read(environment);
  EXPECT_NE(NodeJobKey(), key) << "another instance gives the same ids";
}

TEST_F(LauncherTest, OfLsf) {
  const Launcher launcher = Read({{"JSM_NAMESPACE_RANK", "7"},
                                  {"JSM_NAMESPACE_SIZE", "12"},
                                  {"JSM_NAMESPACE_LOCAL_RANK", "1"},
                                  {"JSM_NAMESPACE_LOCAL_SIZE", "6"},
                                  {"PMIX_NAMESPACE", "3"},
                                  {"PMIX_RANK", "7"},
                                  {"LSB_JOBID", "4711"}});
  EXPECT_EQ(launcher.name, "jsm");
  EXPECT_EQ(launcher.rank, 7u);
  EXPECT_EQ(launcher.ranks, 12u);
  EXPECT_EQ(launcher.local_rank, 1u);
  EXPECT_EQ(launcher.local_ranks, 6u);
  EXPECT_EQ(launcher.job_id, "4711");
  EXPECT_EQ(NodeJobKey(), "3");
}

TEST_F(LauncherTest, OfPals) {
  const Launcher launcher = Read({{"PALS_RANKID", "9"},
                                  {"PALS_LOCAL_RANKID", "1"},
                                  {"PALS_APID", "0b5e"},
                                  {"PMI_RANK", "9"},
                                  {"PMI_SIZE", "16"},
                                  {"PBS_JOBID", "12.pbs"}});
  EXPECT_EQ(launcher.name, "pals");
  EXPECT_EQ(launcher.rank, 9u);
  EXPECT_EQ(launcher.ranks, 16u);
  EXPECT_EQ(launcher.local_rank, 1u);
  EXPECT_FALSE(launcher.local_ranks);
  EXPECT_EQ(launcher.job_id, "12.pbs");
  EXPECT_EQ(NodeJobKey(), "0b5e");
}

TEST_F(LauncherTest, OfPrrte) {
  const Launcher launcher =
      Read({{"PRTE_LAUNCHED", "1"}, {"PMIX_RANK", "2"}, {"PMIX_NAMESPACE", "prterun-n1-77@1"}});
  EXPECT_EQ(launcher.name, "prrte");
  EXPECT_EQ(launcher.rank, 2u);
  EXPECT_FALSE(launcher.ranks);
  EXPECT_EQ(NodeJobKey(), "prterun-n1-77@1");
}

// What was asked for per node is no promise, but a step on one node has all its ranks there.
TEST_F(LauncherTest, OfSlurm) {
  std::map<std::string, std::string> environment = {
      {"SLURM_JOB_ID", "42"},        {"SLURM_STEP_ID", "1"},        {"SLURM_PROCID", "3"},
      {"SLURM_LOCALID", "0"},        {"SLURM_STEP_NUM_TASKS", "7"}, {"SLURM_STEP_NUM_NODES", "2"},
      {"SLURM_NTASKS_PER_NODE", "4"}};
  Launcher launcher = Read(environment);
  EXPECT_EQ(launcher.rank, 3u);
  EXPECT_EQ(launcher.ranks, 7u);
  EXPECT_EQ(launcher.local_ranks, 4u);
  EXPECT_TRUE(launcher.local_ranks_are_asked);
  EXPECT_EQ(NodeJobKey(), "slurm42.1");
  environment["SLURM_STEP_NUM_NODES"] = "1";
  launcher = Read(environment);
  EXPECT_EQ(launcher.local_ranks, 7u);
  EXPECT_FALSE(launcher.local_ranks_are_asked);
}

// A script of sbatch is one process, whatever the job has.
TEST_F(LauncherTest, NoRankInAScriptOfSlurm) {
  const Launcher launcher = Read({{"SLURM_JOB_ID", "42"}, {"SLURM_PROCID", "0"}});
  EXPECT_FALSE(launcher.rank || launcher.ranks);
  EXPECT_EQ(launcher.job_id, "42");
  EXPECT_EQ(NodeJobKey(), "");
}

// Words with one blank between them, whatever stood there.
std::string Words(const std::string& text) {
  std::istringstream in(text);
  std::string words;
  for (std::string word; in >> word;) words += word + " ";
  return words;
}

// As docs/mpi.md has it.
std::string InWords(const LauncherInfo& row) {
  const auto cell = [](const char* name) {
    return name == nullptr ? "–" : fmt::format("`{}`", name);
  };
  const bool by_nodes = row.local_ranks == nullptr && row.nodes != nullptr;
  return fmt::format(
      "- **{}** (known by {}): rank {} of {}; on the node {} of {}; job {}{}. Source: {}. ",
      row.name, cell(row.sign), cell(row.rank), cell(row.ranks), cell(row.local_rank),
      by_nodes ? fmt::format("{}, if {} is 1", cell(row.ranks), cell(row.nodes))
               : cell(row.local_ranks),
      cell(row.job), row.step == nullptr ? "" : fmt::format(" with {}", cell(row.step)),
      row.source);
}

TEST_F(LauncherTest, TheDocumentShowsTheTable) {
  const Result<std::string> document = ReadFile(SOURCE_DIR "/docs/mpi.md");
  ASSERT_TRUE(document) << document.error();
  for (const LauncherInfo& row : LauncherTable()) {
    EXPECT_THAT(Words(*document), testing::HasSubstr(InWords(row)));
  }
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

TEST_F(LauncherTest, TasksOfArraysAndRequeuedJobsAreToldApart) {
  const std::map<std::string, std::string> task = {{"SLURM_JOB_ID", "19"},
                                                   {"SLURM_ARRAY_JOB_ID", "16"},
                                                   {"SLURM_ARRAY_TASK_ID", "3"},
                                                   {"SLURM_STEP_ID", "2"}};
  EXPECT_EQ(Read(task).job_id, "16_3");
  EXPECT_EQ(ReadArrayTask().array, "16");
  EXPECT_EQ(ReadArrayTask().task, "3");
  EXPECT_EQ(JobStep(), "2");
  EXPECT_EQ(Read({{"SLURM_JOB_ID", "16"}, {"SLURM_RESTART_COUNT", "0"}}).job_id, "16");
  EXPECT_EQ(Read({{"SLURM_JOB_ID", "16"}, {"SLURM_RESTART_COUNT", "2"}}).job_id, "16r2");
  EXPECT_EQ(ReadArrayTask().array, "16");
  EXPECT_EQ(ReadArrayTask().task, "0");
  EXPECT_EQ(JobStep(), "0");
  EXPECT_EQ(Read({{"PBS_JOBID", "16[3].pbs"}, {"PBS_ARRAY_INDEX", "3"}}).job_id, "16[3].pbs");
  EXPECT_EQ(ReadArrayTask().array, "16");
  EXPECT_EQ(ReadArrayTask().task, "3");
  EXPECT_EQ(Read({{"LSB_JOBID", "16"}, {"LSB_JOBINDEX", "0"}}).job_id, "16");
  EXPECT_EQ(Read({{"LSB_JOBID", "16"}, {"LSB_JOBINDEX", "3"}}).job_id, "16_3");
  Read({{"SGE_TASK_ID", "undefined"}});
  EXPECT_EQ(ReadArrayTask().task, "0");
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
