// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/launcher_table.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace roofmark {
namespace {

// Those that start ranks inside an allocation of another one stand before it.
constexpr std::array kLaunchers = {
    LauncherInfo{.name = "jsm",
                 .sign = "JSM_NAMESPACE_RANK",
                 .rank = "JSM_NAMESPACE_RANK",
                 .ranks = "JSM_NAMESPACE_SIZE",
                 .local_rank = "JSM_NAMESPACE_LOCAL_RANK",
                 .local_ranks = "JSM_NAMESPACE_LOCAL_SIZE",
                 .job = "PMIX_NAMESPACE",
                 .binding = "jsrun -c # -b packed:#",
                 .source = "as HPCToolkit and the tests of Open MPI read them on LSF"},
    LauncherInfo{.name = "openmpi",
                 .sign = "OMPI_COMM_WORLD_RANK",
                 .rank = "OMPI_COMM_WORLD_RANK",
                 .ranks = "OMPI_COMM_WORLD_SIZE",
                 .local_rank = "OMPI_COMM_WORLD_LOCAL_RANK",
                 .local_ranks = "OMPI_COMM_WORLD_LOCAL_SIZE",
                 .job = "PMIX_NAMESPACE",
                 .binding = "mpirun --map-by slot:PE=#, or mpirun --bind-to none",
                 .on_host = "mpirun --host @ -n 1 --bind-to none",
                 .source = "Open MPI 5 manual, 11.1; executed with 4.1"},
    LauncherInfo{.name = "hydra",
                 .sign = "MPI_LOCALNRANKS",
                 .rank = "PMI_RANK",
                 .ranks = "PMI_SIZE",
                 .local_rank = "MPI_LOCALRANKID",
                 .local_ranks = "MPI_LOCALNRANKS",
                 // .job: the proxy behind PMI_FD
                 .binding = "mpiexec -bind-to core:#",
                 .on_host = "mpiexec -hosts @ -n 1",
                 .source = "MPICH 4.0, executed"},
    LauncherInfo{.name = "prrte",
                 .sign = "PRTE_LAUNCHED",
                 .rank = "PMIX_RANK",
                 .job = "PMIX_NAMESPACE",
                 .binding = "prterun --map-by slot:PE=#",
                 .on_host = "prterun --host @ -n 1 --bind-to none",
                 .source = "PRRTE, schizo components; PMIx standard 4, 5.1"},
    LauncherInfo{.name = "flux",
                 .sign = "FLUX_TASK_RANK",
                 .rank = "FLUX_TASK_RANK",
                 .ranks = "FLUX_JOB_SIZE",
                 .nodes = "FLUX_JOB_NNODES",
                 .local_rank = "FLUX_TASK_LOCAL_ID",
                 .job = "FLUX_JOB_ID",
                 .step = "FLUX_URI",  // ids are unique within an instance
                 .binding = "flux run --cores-per-task=#",
                 .on_host = "flux run --requires=host:@ -n 1 --cores-per-task=#",
                 .source = "flux-environment(7)"},
    LauncherInfo{.name = "pals",
                 .sign = "PALS_RANKID",
                 .rank = "PALS_RANKID",
                 .ranks = "PMI_SIZE",
                 .local_rank = "PALS_LOCAL_RANKID",
                 .local_ranks = "PALS_LOCAL_SIZE",
                 .job = "PALS_APID",
                 .binding = "mpiexec --depth=# --cpu-bind depth",
                 .on_host = "mpiexec --hosts @ -n 1 --depth=#",
                 .source = "as programs on HPE Cray EX read them"},
    LauncherInfo{.name = "slurm",
                 .sign = "SLURM_STEP_ID",
                 .rank = "SLURM_PROCID",
                 .ranks = "SLURM_STEP_NUM_TASKS",
                 .nodes = "SLURM_STEP_NUM_NODES",
                 .local_rank = "SLURM_LOCALID",
                 .local_ranks = "SLURM_NTASKS_PER_NODE",
                 .local_ranks_are_asked = true,
                 .job = "SLURM_JOB_ID",
                 .step = "SLURM_STEP_ID",
                 .binding = "srun -c # --cpu-bind=cores",
                 .on_host = "srun -w @ -N1 -n1 --cpus-per-task=#",
                 .source = "srun(1); executed with Slurm 22.05"},
    // Launchers that have no row above.
    LauncherInfo{.name = "pmix",
                 .sign = "PMIX_RANK",
                 .rank = "PMIX_RANK",
                 .job = "PMIX_NAMESPACE",
                 .source = "PMIx standard 4, 5.1"},
    LauncherInfo{.name = "pmi",
                 .sign = "PMI_RANK",
                 .rank = "PMI_RANK",
                 .ranks = "PMI_SIZE",
                 .job = "PMI_JOBID",
                 .source = "MPICH, PMI-1 wire protocol"}};

}  // namespace

std::span<const LauncherInfo> LauncherTable() { return kLaunchers; }

const LauncherInfo* FindLauncher(std::string_view name) {
  const auto* found = std::find_if(kLaunchers.begin(), kLaunchers.end(),
                                   [&](const LauncherInfo& row) { return row.name == name; });
  return found == kLaunchers.end() ? nullptr : found;
}

std::string Filled(std::string_view command, std::string_view host, uint32_t cpus) {
  std::istringstream words{std::string(command)};
  std::string filled;
  for (std::string word; words >> word;) {
    if (cpus == 0 && word.find('#') != std::string::npos) continue;
    if (!filled.empty()) filled += ' ';
    for (const char c : word) {
      if (c == '@') {
        filled += host;
      } else {
        filled += c == '#' ? std::to_string(cpus) : std::string(1, c);
      }
    }
  }
  return filled;
}

}  // namespace roofmark
