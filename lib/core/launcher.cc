// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/launcher.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "lib/core/file.h"
#include "lib/core/limits.h"

namespace roofmark {
namespace {

std::string FirstText(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* text = std::getenv(name);
    if (text != nullptr && *text != '\0') return text;
  }
  return {};
}

constexpr std::array<std::string_view, 23> kLaunchersAndShells = {"mpirun",
                                                                  "mpirun.openmpi",
                                                                  "mpirun.mpich",
                                                                  "mpiexec",
                                                                  "mpiexec.openmpi",
                                                                  "mpiexec.mpich",
                                                                  "mpiexec.hydra",
                                                                  "hydra_pmi_proxy",
                                                                  "hydra_bstrap_proxy",
                                                                  "orterun",
                                                                  "orted",
                                                                  "prterun",
                                                                  "prte",
                                                                  "srun",
                                                                  "aprun",
                                                                  "sh",
                                                                  "dash",
                                                                  "bash",
                                                                  "env",
                                                                  "timeout",
                                                                  "time",
                                                                  "taskset",
                                                                  "numactl"};

}  // namespace

std::optional<uint32_t> LauncherNumber(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* text = std::getenv(name);
    if (text == nullptr) continue;
    uint32_t value = 0;
    const char* end = text + std::strlen(text);
    const auto parsed = std::from_chars(text, end, value);
    if (parsed.ec == std::errc() && parsed.ptr == end && end != text) return value;
  }
  return std::nullopt;
}

std::string NodeJobKey() {
  for (const char* name : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID"}) {
    const char* text = std::getenv(name);
    if (text != nullptr && *text != '\0') return text;
  }
  std::string hydra = HydraJobId();
  if (!hydra.empty()) return hydra;
  const char* job = std::getenv("SLURM_JOB_ID");
  const char* step = std::getenv("SLURM_STEP_ID");
  if (job != nullptr && step != nullptr) return fmt::format("slurm{}.{}", job, step);
  return {};
}

std::vector<std::string> CommandLine() {
  std::vector<std::string> arguments;
  const Result<std::string> text = ReadFile("/proc/self/cmdline");
  if (!text) return arguments;
  for (size_t at = 0; at < text->size();) {
    const size_t end = std::min(text->find('\0', at), text->size());
    arguments.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  return arguments;
}

std::string HydraJobId() {
  const std::optional<uint32_t> fd = LauncherNumber({"PMI_FD"});
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (!fd || getsockopt(static_cast<int>(*fd), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return {};
  return "hydra" + std::to_string(peer.pid);
}

bool IsLauncherOrShell() {
  const std::string path = ReadLink("/proc/self/exe");
  const std::string_view base = std::string_view(path).substr(path.rfind('/') + 1);
  return std::find(kLaunchersAndShells.begin(), kLaunchersAndShells.end(), base) !=
         kLaunchersAndShells.end();
}

namespace {

// What no job has is not the launcher's.
std::optional<uint32_t> Within(uint32_t least, uint32_t most, std::optional<uint32_t> number) {
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

// Who started this process: mpirun may itself have been started by srun, so srun is asked last.
std::string LauncherName() {
  if (!FirstText({"OMPI_COMM_WORLD_RANK"}).empty()) return "openmpi";
  if (!FirstText({"MPI_LOCALNRANKS"}).empty()) return "hydra";
  return FirstText({"SLURM_STEP_ID"}).empty() ? "" : "slurm";
}

}  // namespace

Launcher ReadLauncher() {
  Launcher launcher;
  launcher.rank =
      Within(0, limits::kRanks - 1,
             LauncherNumber({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}));
  launcher.ranks = Within(1, limits::kRanks,
                          LauncherNumber({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}));
  launcher.local_ranks = Within(
      1, limits::kRanks,
      LauncherNumber({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"}));
  launcher.local_rank =
      Within(0, limits::kRanks - 1,
             LauncherNumber({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}));
  launcher.job_id = FirstText({"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PMIX_NAMESPACE",
                               "OMPI_MCA_ess_base_jobid", "PMI_JOBID"});
  if (launcher.job_id.empty()) launcher.job_id = HydraJobId();
  if (launcher.job_id.empty()) launcher.job_id = std::to_string(getpid());
  launcher.name = LauncherName();
  return launcher;
}

}  // namespace roofmark
