// SPDX-License-Identifier: BSD-3-Clause
//
// `mpirun -n N roofmark machine`: one rank of each node measures with the CPUs of all its ranks
// while the others sleep, and rank 0 makes one machine of each kind of node.
#ifndef ROOFMARK_COMMAND_MACHINE_JOB_H_
#define ROOFMARK_COMMAND_MACHINE_JOB_H_

#include <functional>
#include <string>
#include <vector>

#include "lib/core/result.h"
#include "lib/model/machine.h"
#include "mpi/comm.h"
#include "mpi/command_job/nodes.h"

namespace roofmark::cli {

struct JobSteps {
  // On rank 0 before anything is measured, with the keys of the kinds, its own first. False (said
  // why already) stops the job.
  std::function<bool(const std::vector<std::string>& kinds)> may_begin;
  // On one rank of each node, with the CPUs of all its ranks.
  std::function<Result<Machine>(const std::string& cpus)> measure;
  // On rank 0, with one machine per kind of node, its own first; not empty. The job's status.
  std::function<int(const std::vector<Machine>& kinds)> finish;
  // Has the job been asked to end? Rank 0 then waits no longer for other nodes.
  std::function<bool()> interrupted;
};

// Collective; `mine.kind` is this node's KindOf. Returns the same exit status on every rank; 1
// if nothing of some kind of node was measured. What went wrong is said on rank 0.
int MeasureInJob(mpi::Comm& comm, const mpi::Member& mine, const JobSteps& steps);

// Widens this process to `cpus`, whatever its launcher bound it to, and calls `measure`; where that
// is refused, the machine has a warning.
Result<Machine> MeasureOnCpus(const std::string& cpus,
                              const std::function<Result<Machine>()>& measure);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_MACHINE_JOB_H_
