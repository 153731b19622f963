// SPDX-License-Identifier: BSD-3-Clause
//
// Times of regions that no marker opened. Nobody measures them where they begin and end: the
// samples of one execution say at which code time was spent, and another one, under a counting
// engine, says which path executed that code how often. The time of each instruction is divided
// among the paths as its executions are. Libraries choose other code for the CPU that the engine
// shows them: time at code that it did not execute is divided as the executed bytes of the same
// module are. How long a process waits in MPI is another matter under the engine: where calls of
// MPI were timed, their time belongs to the paths from which they were called. Pure.
#ifndef ROOFMARK_LIB_FOUND_FOUND_TIMES_H_
#define ROOFMARK_LIB_FOUND_FOUND_TIMES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lib/found/executed.h"
#include "lib/found/nest_plan.h"
#include "lib/profile/profile.h"
#include "lib/samples/samples.h"

namespace roofmark {

// CPU time, or where calls of MPI were timed the time that passed in them; children of the path
// included.
struct PathTime {
  double main_ns = 0;      // of the main thread,
  double main_mpi_ns = 0;  // of this, inside MPI
  double all_ns = 0;       // of all threads,
  double kernel_ns = 0;    // of this, in the kernel
};

// Of one process.
struct FoundTimes {
  uint32_t rank = 0;
  uint64_t wall_ns = 0;                   // of the recording
  bool knows_kernel = false;              // the samples say which were in the kernel
  std::map<std::string, PathTime> paths;  // by full name; "" has everything that has a path
  // Of the main thread: its CPU time; what of it was sampled; of that, what lies at code that the
  // engine did not execute, and what lies in modules of which it executed nothing.
  double main_cpu_ns = 0, main_sampled_ns = 0, main_other_ns = 0, main_unknown_ns = 0;
  // The time that passed in its timed calls of MPI, and its CPU time there.
  double mpi_wall_ns = 0, mpi_cpu_ns = 0;
};

// `samples` has one process; `executed` is of the same rank, with the regions of `plan`.
FoundTimes EstimateTimes(const Samples& samples, const Executed& executed, const NestPlan& plan);

// Gives the regions of `job` that were found their time, time inside MPI and time outside of it,
// scaled (lib/core/status.h), of all processes that have any. Time is that of the main thread, or
// the mean of the threads that work in the region, whichever is more: other threads than the main
// one may do the work. What lies outside of all regions has the time that is left of the program.
void SetFoundTimes(const std::vector<FoundTimes>& processes, JobProfile& job);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOUND_FOUND_TIMES_H_
