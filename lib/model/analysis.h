// SPDX-License-Identifier: BSD-3-Clause
//
// Everything a report says about a job, derived once: per path what it did, what it could attain
// and what binds it. Attainable performance is the bound of the roofline model (Williams, Waterman,
// Patterson 2008, section 3), taken over all memory levels whose traffic is known.
#ifndef ROOFMARK_LIB_MODEL_ANALYSIS_H_
#define ROOFMARK_LIB_MODEL_ANALYSIS_H_

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/model/device_roofs.h"
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
  Roof roof = {};       // behind that (RoofBehind)
};

struct PathAnalysis {
  Value visits;
  Value time_s;                 // of the slowest rank
  double time_uncertainty = 0;  // TimeUncertainty(), where there is a machine
  Value time_share;             // of the run's wall time; nested regions are within their parents'
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
  // How many times above what was measured a bound of the model is: of its work's least time, or of
  // its performance; 0 where none is by more than is uncertain. Nothing rests on such a bound.
  double above_bound = 0;
  // Of a region of phases (Limit::IsOfPhases): the same of its own code, outside of inner regions.
  std::shared_ptr<const PathAnalysis> own;

  // What advice about the region rests on: inner regions have their own.
  const PathAnalysis& Advised() const { return own ? *own : *this; }
};

// Nodes of one kind, and what their machine file says of them.
struct AnalyzedKind {
  std::string key, cpu;       // of the nodes, as NodeKind has them
  std::vector<size_t> hosts;  // likewise
  bool measured = false;      // there is a machine file for them; else nothing below is known
  std::string machine;        // which, for people
  std::string machine_key, machine_cpu;  // of the node that was measured
  uint32_t machine_cpus = 0;             // its hardware threads
  double machine_ghz = 0;  // clock of its cores, the lowest with any number of them; 0: not known
  double cores = 0;        // of all these nodes that the job keeps busy
  std::vector<std::string> contradictions;  // of the machine file
};

struct JobAnalysis {
  std::optional<JobRoofs> roofs;     // empty unless all nodes have a machine
  std::vector<AnalyzedKind> kinds;   // at least one
  std::vector<PathAnalysis> paths;   // as in the profile
  std::vector<PathAnalysis> whole;   // of the paths of WholeOf() the profile
  std::vector<DeviceRoofs> devices;  // of the devices of the profile's run
};

// min(F, min over levels of B_l * I_l). Needs F and the DRAM level (or a declared intensity in its
// place); other levels take part where both their traffic and their bandwidth are known.
Bound Attainable(const JobRoofs& roofs, const Value& ceiling_gflops,
                 const std::array<Value, kMemoryLevels>& intensity);

// Each node is held against the machine of its kind (AssignMachines). If one has none, nothing is
// attainable, for that reason.
JobAnalysis Analyze(const JobProfile& job, std::span<const Machine> machines);
// The only machine, or null.
inline JobAnalysis Analyze(const JobProfile& job, const Machine* machine) {
  return Analyze(job, std::span(machine, machine == nullptr ? 0 : 1));
}

// The kind of a host; null where nothing is known of hosts.
const AnalyzedKind* KindOfHost(const JobAnalysis& analysis, size_t host);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_ANALYSIS_H_
