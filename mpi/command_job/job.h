// SPDX-License-Identifier: BSD-3-Clause
//
// The MPI job in which the command was started. The program is not linked with any MPI: the
// launcher's library is loaded at run time, and only where a launcher started several processes.
#ifndef ROOFMARK_MPI_COMMAND_JOB_JOB_H_
#define ROOFMARK_MPI_COMMAND_JOB_JOB_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/core/result.h"
#include "mpi/comm.h"
#include "mpi/plugin.h"

namespace roofmark::mpi {

// What the launcher's environment says before MPI is loaded.
struct Launch {
  uint32_t rank = 0;
  std::optional<uint32_t> ranks;      // not every launcher says
  std::vector<std::string> families;  // of MPI it may belong to, the most likely first
};

// Nothing if no launcher started this process, or only this one. A batch script that runs in an
// allocation of many tasks is no job of many ranks: only what a launcher gives its processes
// counts.
std::optional<Launch> ReadLaunch();

class Job {
 public:
  // Collective over the processes that the launcher started: loads MPI and initialises it. Error:
  // no library, no plug-in, or a library that does not belong to the launcher; MPI is not
  // initialised then, or finalised.
  static Result<std::unique_ptr<Job>> Join(const Launch& launch);
  // Finalises MPI; collective.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  Comm& comm() { return *comm_; }

 private:
  Job(const Plugin* plugin, int (*finalize)()) : plugin_(plugin), finalize_(finalize) {}

  const Plugin* plugin_;
  int (*finalize_)();
  Comm* comm_ = nullptr;  // from plugin_->open
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_COMMAND_JOB_JOB_H_
