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
  std::optional<uint32_t> local_rank;   // on this node
  std::optional<uint32_t> local_ranks;  // on this node
  bool local_ranks_are_asked = false;   // as somebody asked for; the node may have fewer
  // The scheduler's, of an array with the task's number ("16_3"), of a job that was started anew
  // with how often ("16r1"); or the launcher's; or the process id.
  std::string job_id;
  std::string name;  // of the row in launcher_table.h; empty without a launcher
};

// Knows the launchers of launcher_table.h.
Launcher ReadLauncher();

// MPICH's hydra names no job, but all its processes on a node talk to one proxy: "hydra<pid>" of
// that, or empty under other launchers.
inline constexpr std::string_view kHydraJob = "hydra";  // and a number of the node
std::string HydraJobId();

// A task of a job array: the number that the user knows the array by, and the task's own. Of a job
// that is none: the job's, and 0.
struct ArrayTask {
  std::string array, task;
};
ArrayTask ReadArrayTask();
// The step that the process belongs to, as the scheduler names it; 0 where it names none.
std::string JobStep();

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
