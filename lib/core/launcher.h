// SPDX-License-Identifier: BSD-3-Clause
//
// What the launcher's environment tells before MPI is initialised. Hints only: after MPI_Init the
// hooks know better.
#ifndef ROOFMARK_LIB_CORE_LAUNCHER_H_
#define ROOFMARK_LIB_CORE_LAUNCHER_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace roofmark {

struct Launcher {
  std::optional<uint32_t> rank;         // in the job
  std::optional<uint32_t> ranks;        // of the job
  std::optional<uint32_t> local_ranks;  // on this node
  std::optional<uint32_t> local_rank;   // among them
  std::string job_id;                   // scheduler's or launcher's; the process id without one
  std::string name;  // "openmpi", "hydra", "slurm" (srun); empty for others, and without a launcher
};

// Knows Open MPI, MPICH (hydra), PMIx, Slurm, PBS, LSF.
Launcher ReadLauncher();

// MPICH's hydra names no job, but all its processes on a node talk to one proxy: "hydra<pid>" of
// that, or empty under other launchers.
std::string HydraJobId();

// Unique among the jobs on a node and the same in all processes of one; empty if no launcher that
// names its jobs started this process.
std::string NodeJobKey();

// The first of these variables that holds a number.
std::optional<uint32_t> LauncherNumber(std::initializer_list<const char*> names);

// This process's arguments, the program first; empty if /proc cannot be read.
std::vector<std::string> CommandLine();

// True if this process is a launcher or a shell: it starts the programs that are meant, and merely
// inherited LD_PRELOAD and the settings.
bool IsLauncherOrShell();

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_LAUNCHER_H_
