// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/launcher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "lib/core/file.h"
#include "lib/core/file_name.h"
#include "lib/core/launcher_table.h"
#include "lib/core/limits.h"

namespace roofmark {
namespace {

// Of a variable; empty if it is not set, or there is none.
std::string TextOf(const char* name) {
  const char* text = name == nullptr ? nullptr : std::getenv(name);
  return text == nullptr ? "" : text;
}

// Empty if it cannot be read. The counting engine opens the command line for a process as a copy of
// one descriptor, whose position all forked processes share: it is neither used nor changed.
std::string ReadAtOffsets(const char* path) {
  std::string text;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  constexpr size_t kPiece = 4096;
  ssize_t got = 0;
  do {
    const size_t at = text.size();
    text.resize(at + kPiece);
    do {
      got = pread(fd, text.data() + at, kPiece, static_cast<off_t>(at));
    } while (got < 0 && errno == EINTR);
    text.resize(at + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  } while (got > 0 && text.size() < limits::kSystemBytes);
  close(fd);
  return text;
}

std::string FirstText(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::string text = TextOf(name);
    if (!text.empty()) return text;
  }
  return {};
}

// Who started this process, or nullptr.
const LauncherInfo* OwnLauncher() {
  const std::span<const LauncherInfo> table = LauncherTable();
  const auto found = std::find_if(table.begin(), table.end(), [](const LauncherInfo& row) {
    return !TextOf(row.sign).empty();
  });
  return found == table.end() ? nullptr : &*found;
}

// What starts a program, in its own place or beside itself.
constexpr std::string_view kLaunchersAndShells[] = {"mpirun",
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
                                                    "prted",
                                                    "prun",
                                                    "flux",
                                                    "flux-shell",
                                                    "jsrun",
                                                    "srun",
                                                    "aprun",
                                                    "sh",
                                                    "dash",
                                                    "bash",
                                                    "env",
                                                    "timeout",
                                                    "time",
                                                    "taskset",
                                                    "numactl",
                                                    "rsh",
                                                    "ssh",
                                                    "zsh",
                                                    "ksh",
                                                    "csh",
                                                    "tcsh",
                                                    "fish",
                                                    "chrt",
                                                    "ctest",
                                                    "gmake",
                                                    "ionice",
                                                    "make",
                                                    "nice",
                                                    "nohup",
                                                    "setsid",
                                                    "stdbuf",
                                                    "xargs"};

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
  const LauncherInfo* launcher = OwnLauncher();
  if (launcher == nullptr) return {};
  const std::string job = TextOf(launcher->job), step = TextOf(launcher->step);
  if (job.empty()) return HydraJobId();
  return step.empty() ? job : fmt::format("{}{}.{}", launcher->name, job, step);
}

std::vector<std::string> CommandLine() {
  std::vector<std::string> arguments;
  std::string text = ReadAtOffsets("/proc/self/cmdline");
  // It is empty when the main thread has ended. The counting engine answers for the one above only.
  if (text.empty()) text = ReadAtOffsets("/proc/thread-self/cmdline");
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\0', at), text.size());
    arguments.push_back(text.substr(at, end - at));
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
  return fmt::format("{}{}", kHydraJob, peer.pid);
}

bool IsLauncherOrShell() {
  const std::string path = Executable();
  return std::find(std::begin(kLaunchersAndShells), std::end(kLaunchersAndShells),
                   FileName(path)) != std::end(kLaunchersAndShells);
}

namespace {

// What no job has is not the launcher's.
std::optional<uint32_t> Within(uint32_t least, uint32_t most, std::optional<uint32_t> number) {
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

constexpr std::initializer_list<const char*> kJobIds = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID",
                                                        "FLUX_JOB_ID"};

// Empty: the job is no array. LSF says 0 then, Grid Engine "undefined".
std::string TaskOfArray() {
  const std::string task =
      FirstText({"SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "LSB_JOBINDEX", "SGE_TASK_ID"});
  const bool is_none = task == "undefined" || (task == "0" && !FirstText({"LSB_JOBID"}).empty());
  return is_none ? "" : task;
}

// Each task of an array and each start of a job is a job of its own. PBS's id names the task.
std::string SchedulersJob() {
  std::string job = FirstText(kJobIds);
  if (job.empty()) return job;
  const std::string task = TaskOfArray();
  if (!task.empty() && job.find('[') == std::string::npos) {
    const std::string array = FirstText({"SLURM_ARRAY_JOB_ID"});
    job = fmt::format("{}_{}", array.empty() ? job : array, task);
  }
  const std::string restarts = FirstText({"SLURM_RESTART_COUNT"});
  return restarts.empty() || restarts == "0" ? job : fmt::format("{}r{}", job, restarts);
}

std::optional<uint32_t> NumberOf(const char* name, uint32_t least, uint32_t most) {
  return name == nullptr ? std::nullopt : Within(least, most, LauncherNumber({name}));
}

}  // namespace

ArrayTask ReadArrayTask() {
  const std::string task = TaskOfArray();
  std::string array = FirstText({"SLURM_ARRAY_JOB_ID"});
  if (array.empty()) array = FirstText(kJobIds);
  // PBS: "16[3].server" is task 3 of "16[].server".
  if (const size_t bracket = array.find('['); bracket != std::string::npos) array.resize(bracket);
  return {array.empty() ? std::to_string(getpid()) : array, task.empty() ? "0" : task};
}

std::string JobStep() {
  const std::string step = FirstText({"SLURM_STEP_ID"});
  return step.empty() ? "0" : step;
}

Launcher ReadLauncher() {
  Launcher launcher;
  if (const LauncherInfo* row = OwnLauncher()) {
    launcher.name = row->name;
    launcher.rank = NumberOf(row->rank, 0, limits::kRanks - 1);
    launcher.ranks = NumberOf(row->ranks, 1, limits::kRanks);
    launcher.local_rank = NumberOf(row->local_rank, 0, limits::kRanks - 1);
    launcher.local_ranks = NumberOf(row->local_ranks, 1, limits::kRanks);
    launcher.local_ranks_are_asked = row->local_ranks_are_asked;
    if (launcher.ranks && NumberOf(row->nodes, 1, limits::kRanks) == 1u) {
      launcher.local_ranks = launcher.ranks;
      launcher.local_ranks_are_asked = false;
    }
  }
  launcher.job_id = SchedulersJob();
  if (launcher.job_id.empty()) launcher.job_id = NodeJobKey();
  if (launcher.job_id.empty()) launcher.job_id = std::to_string(getpid());
  return launcher;
}

}  // namespace roofmark
