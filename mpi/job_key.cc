// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/job_key.h"

#include <sys/socket.h>

#include <cstdlib>

#include "lib/core/file.h"

namespace roofmark::mpi {
namespace {

std::string Variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

// Field 22 of /proc/PID/stat: when the process began, in clock ticks since boot. With it a process
// id is unique until the next boot.
std::string StartTime(pid_t pid) {
  const Result<std::string> stat = ReadFile("/proc/" + std::to_string(pid) + "/stat");
  if (!stat) return {};
  size_t at = stat->rfind(')');  // the name before it may hold anything
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = stat->find(' ', at + 1);
  if (at == std::string::npos) return {};
  return stat->substr(at + 1, stat->find(' ', at + 1) - at - 1);
}

// Hydra names no job in the environment, but each process holds one end of a socket pair that its
// proxy made, and the kernel tells who that was.
std::string ProxyOfPmiSocket() {
  const std::string number = Variable("PMI_FD");
  if (number.empty()) return {};
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (getsockopt(std::atoi(number.c_str()), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
      peer.pid <= 0) {
    return {};
  }
  const std::string start = StartTime(peer.pid);
  return start.empty() ? "" : "pmi:" + std::to_string(peer.pid) + ":" + start;
}

}  // namespace

std::string NodeJobKey() {
  // Open MPI 4 numbers its namespaces; the random key for its transports makes them unique.
  if (const std::string name = Variable("PMIX_NAMESPACE"); !name.empty()) {
    return "pmix:" + name + ":" + Variable("OMPI_MCA_orte_precondition_transports");
  }
  if (const std::string proxy = ProxyOfPmiSocket(); !proxy.empty()) return proxy;
  const std::string job = Variable("SLURM_JOB_ID"), step = Variable("SLURM_STEP_ID");
  if (!job.empty() && !step.empty()) return "slurm:" + job + ":" + step;
  return {};
}

}  // namespace roofmark::mpi
