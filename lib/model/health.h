// SPDX-License-Identifier: BSD-3-Clause
//
// What makes a report's own figures doubtful: of the run as a whole, before any region is judged.
#ifndef ROOFMARK_LIB_MODEL_HEALTH_H_
#define ROOFMARK_LIB_MODEL_HEALTH_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/model/analysis.h"
#include "lib/model/doubts.h"
#include "lib/model/slow_nodes.h"
#include "lib/model/time_split.h"
#include "lib/profile/profile.h"

namespace roofmark {

enum class HealthId : uint8_t {
  kSharedCpus,       // more threads than CPUs on some host, or than its cgroups grant
  kUnmeasuredNodes,  // nodes of whose kind there is no machine file, while there is one of others
  kOtherMachine,     // a machine file is of another kind of node than the hosts held against it
  kLowClock,         // the clock is lower than that of the machine file
  kSlowNodes,        // nodes that take longer for the same work
  kRunQueue,         // threads were ready to run and had no CPU
  kDebugBuild,       // the program was compiled without optimisation
  kMissingRanks,     // ranks of the job that the file does not have
  kWarning,          // a sentence of the run: a pass that failed, passes that did different work
  kDoubtfulMachine,  // the machine's figures contradict each other
  kNoisyRoofs,       // the machine's figures differ much between measurements
  kAboveAttainable,  // regions of which a bound of the model is above what was measured
  kPageFaults,       // the kernel supplied so many pages that it took much of the time
  kUnevenVisits,     // one visit of a region took much longer than the others
  kDeclaredDiffers,  // what regions declare contradicts what was counted
  kExtrapolated,     // traffic that was extrapolated from visits that differ much, or are too few
  kRepeatsDiffer,    // several executions took different times
  kMarkers,          // regions of whose time the markers take much
  kOutsideRegions,   // time that no region covers
};

struct HealthIssue {
  HealthId id = HealthId::kSharedCpus;
  // What it can cost, if that is known. Of kOutsideRegions: the time about which nothing is said.
  // Of kRepeatsDiffer: what the executions took.
  std::optional<TimeInterval> cost = {};
  // Of kOutsideRegions and kPageFaults: of the run. Of kLowClock: the clock, of the machine file's.
  // Of kDeclaredDiffers: what was counted of the first region, of what it declares. Of kMarkers:
  // the largest one. Of kSlowNodes: what the slowest takes longer, of the others' time. Of
  // kRepeatsDiffer: the longest execution's time less the shortest one's, of the
  // shortest one's.
  double share = 0;
  std::vector<size_t> paths = {};  // the regions concerned, indices into the profile's
  // Of kOtherMachine: the first such host. Of kLowClock: the host, where nodes are of several
  // kinds. Of kSharedCpus: the host whose CPUs are shared by most threads, what it executes, and
  // whether the machine has more CPUs than the launcher gave to the job.
  std::string host = {};
  uint32_t ranks = 0, threads = 0, cpus = 0;  // ranks there, threads of each, CPUs of all of them
  bool bound = false;
  // Of kSharedCpus: the CPU time that a cgroup grants, in CPUs, where that is what there is too
  // little of. Of kRunQueue: where there is such a limit, above the number of threads or not.
  std::optional<double> quota = {};
  // Of kPageFaults: hardly more than one for each page that was resident.
  bool once = false;
  // How long a thread waited for a CPU, if that is known.
  std::optional<double> waited_s = {};
  // Of kUnmeasuredNodes: indices into RunInfo::hosts, of each kind the first.
  std::vector<size_t> hosts = {};
  std::vector<Roof> roofs = {};                    // of kNoisyRoofs: the one with most noise first
  SlowNodes slow = {};                             // of kSlowNodes
  std::vector<Contradiction> contradictions = {};  // of kDeclaredDiffers
  // Of kDoubtfulMachine: the first contradiction. Of kWarning: the sentence. Of kOtherMachine: the
  // host's CPU; empty if it has that of the machine file, and its memory or firmware differs.
  std::string text = {};
};

// How long the visits of a region take on its slowest rank.
struct VisitLengths {
  double count = 0;  // visits of a rank
  double all_s = 0, longest_s = 0;
  double other_s = 0;  // the mean without the longest
};

// Missing where times are not known, of a single visit, and of what was found: its visits are not
// timed.
std::optional<VisitLengths> VisitLengthsOf(const JobProfile& job, size_t path);

// Of the time that no region covers, what is spent inside MPI, MPI_Init included; 0 where that was
// not measured.
double OutsideInMpiSeconds(const JobAnalysis& analysis);

// The most serious first. Empty for a healthy run.
std::vector<HealthIssue> HealthOf(const JobProfile& job, const JobAnalysis& analysis);

// Times rest on threads that took turns, or that waited for a CPU for a tenth of the run: no
// verdict that rests on time holds.
bool MakesTimesDoubtful(const HealthIssue& issue);
bool TimesAreDoubtful(const std::vector<HealthIssue>& issues);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_HEALTH_H_
