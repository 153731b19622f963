// SPDX-License-Identifier: BSD-3-Clause
//
// Everything a report says about a job, derived once: per path what it did, what it could attain
// and what binds it. Attainable performance is the bound of the roofline model (Williams, Waterman,
// Patterson 2008, section 3), taken over all memory levels whose traffic is known.
#ifndef ROOFMARK_LIB_MODEL_ANALYSIS_H_
#define ROOFMARK_LIB_MODEL_ANALYSIS_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lib/model/machine.h"
#include "lib/model/roofs.h"
#include "lib/model/runtime_ceilings.h"
#include "lib/model/time_split.h"
#include "lib/model/value.h"
#include "lib/model/verdict.h"
#include "lib/model/waiting.h"
#include "lib/model/work.h"
#include "lib/profile/profile.h"

namespace roofmark {

struct Bound {
  Value attainable_gflops;
  std::string binding;  // "compute", "L1" ... "DRAM"; empty where nothing is attainable
};

struct PathAnalysis {
  Value visits;
  Value time_s;      // of the slowest rank
  Value time_share;  // of the run's wall time; nested regions are within their parents'
  std::array<Value, kPrecisions> flops;
  Value total_flops;  // measured, else declared
  Value gflops;       // total FLOPs over the time of the slowest rank
  std::array<Value, kMemoryLevels> traffic_bytes;
  std::array<Value, kMemoryLevels> intensity;  // FLOPs per byte
  Value miss_bytes;                            // an estimate by last-level misses; see work.h
  Value roof_intensity;                        // of DRAM traffic, else of declared work
  Ceiling ceiling;                             // of its mix
  Bound bound;
  Value efficiency;  // gflops / attainable
  Value time_imbalance, flop_imbalance, worker_imbalance;
  Value mpi_share;         // of its ranks' time
  Value openmp_share;      // the same: all threads of a team wait in OpenMP
  Value kernel_share;      // the same: the kernel works for it
  Value page_faults;       // of all its ranks and threads
  Value openmp_waits;      // of the threads' time in parallel regions
  Value thread_imbalance;  // of time
  Value operations;        // declared, of the program's own kind
  Value operation_rate;    // 1e9 a second
  RuntimeModel runtime;    // without ceilings where there is no machine
  Verdict verdict;
  Waiting waiting;
  TimeSplit split;
  Limit limit;
};

struct JobAnalysis {
  std::optional<JobRoofs> roofs;    // empty without a machine
  double machine_ghz = 0;           // clock of its cores, the lowest with any number of them
  uint32_t machine_cpus = 0;        // hardware threads of one node; 0 without a machine
  std::string machine_cpu;          // what its CPU calls itself; empty where that is not known
  std::vector<PathAnalysis> paths;  // as in the profile
  std::vector<PathAnalysis> whole;  // of the paths of WholeOf() the profile
};

// min(F, min over levels of B_l * I_l). Needs F and the DRAM level (or a declared intensity in its
// place); other levels take part where both their traffic and their bandwidth are known.
Bound Attainable(const JobRoofs& roofs, const Value& ceiling_gflops,
                 const std::array<Value, kMemoryLevels>& intensity);

// `machine` may be null: then nothing is attainable, for that reason.
JobAnalysis Analyze(const JobProfile& job, const Machine* machine);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_ANALYSIS_H_
