// SPDX-License-Identifier: BSD-3-Clause
//
// Plain data between measuring and analysing: what is known of a job, or of one process of it,
// after the threads have been folded. A process that could not take part in the reduction writes a
// JobProfile of one rank ("part"); merging parts and reducing over MPI are the same operation.
#ifndef ROOFMARK_LIB_PROFILE_PROFILE_H_
#define ROOFMARK_LIB_PROFILE_PROFILE_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/critical_place.h"
#include "lib/core/metric.h"
#include "lib/profile/cell.h"
#include "lib/profile/cell_table.h"
#include "lib/profile/cross_check.h"
#include "lib/profile/device.h"
#include "lib/profile/host.h"
#include "lib/profile/region_name.h"
#include "lib/profile/spread.h"

namespace roofmark {

// How a region was opened: by the main thread outside parallel constructs (covers all threads of
// the process), by one thread for itself, or by no marker: a loop or function that was found.
enum class RegionKind : uint8_t { kTeam, kThread, kFound };
inline constexpr std::array<std::string_view, 3> kRegionKindNames = {"team", "thread", "found"};

// A node of the merged call tree. The name of a path is its regions' names, outermost first,
// joined by '/'; '/' and '\' inside a name are escaped by '\'.
struct PathInfo {
  std::string path;
  std::string file;  // of the first site seen; empty for dynamic names
  uint32_t line = 0;
  RegionKind kind = RegionKind::kTeam;
  std::string operation = {};  // what kDeclaredOperations counts: "updates"; empty if nothing
  // Visits that were open when their processes died: begun, and in no figure.
  uint64_t unfinished = 0;
  // One for each of RunInfo::repeats_s: its time_ns of the rank that spent most; 0 where that
  // execution did not enter it.
  std::vector<uint64_t> repeats_ns = {};
  // Of one process: the first that was in the path.
  CriticalPlace critical = {};
  // Where hardware and engine both counted: in the order of kCrossChecked.
  std::vector<CrossCheck> cross_checks = {};
};

// nullptr where not both counted the metric.
const CrossCheck* CrossCheckOf(const PathInfo& info, MetricId metric);

// Which collector gave a metric, and why it is missing where it is.
struct MetricSource {
  std::string origin;  // "timer", "counting", "declared", "papi", "perf_event"; "" if nobody
  Status status = Status::kUnsupported;
  std::string reason;  // for a status without value
  // Of a user's metric (IsUser): the event as the user wrote it, its unit.
  std::string label = {}, unit = {};
  // Of a user's metric and of a total (IsTotal): whose it is.
  Scope scope = Scope::kThread;
};

// One execution of the program. `roofmark run` joins two of them (time, then work).
// A fact of a pass: how its program was compiled, where that is known.
inline constexpr const char* kCompiledFact = "compiled";
inline constexpr const char* kWithoutOptimisation = "without optimisation";
// Another: why no hardware counter was read, where that was tried.
inline constexpr const char* kNoCountersFact = "no_counters";
// Another: a launcher started several processes, and MPI takes each of them for a job of its own.
inline constexpr const char* kOtherMpiFact = "other_mpi";
// Another: what the kernel does with huge pages for programs, as it names it ("always", "madvise",
// "never"); and how many bytes of the program's memory are static arrays that begin with zeros.
inline constexpr const char* kHugePagesFact = "transparent_hugepage";
inline constexpr const char* kStaticBytesFact = "static_bytes";
// Another, of the first pass: where the times of found regions (RegionKind::kFound) stem from, and
// what is not known. One to four finished sentences, which reports print as they are.
inline constexpr const char* kFoundFact = "found";
// Another, of one in which visits took turns: which regions were timed and counted how. Finished
// clauses, which reports print as they are.
inline constexpr const char* kTurnsFact = "turns";

struct PassInfo {
  std::string collector;             // as chosen: "timer", "counting"
  std::vector<std::string> command;  // argv of rank 0
  std::string start_time;            // UTC, ISO 8601
  // MPI_Init (or start) to finalize, slowest rank; without what counting took beside the times.
  double wall_s = 0;
  bool times_are_real = true;                   // false under the counting engine
  std::map<std::string, std::string> settings;  // roofmark settings that were not default
  std::map<std::string, std::string> facts;     // cache geometry, engine, dispatch seen, ...
};

// What a package's memory controllers moved while no process of the job was in a region on it.
struct BackgroundTraffic {
  std::string host;
  uint32_t package = 0;  // as its kernel numbers them
  uint64_t bytes = 0;
  double seconds = 0;
};

// What recording took of the job itself, over the ranks. None of it is in any region's time but the
// markers' (metric::kMarkerNs).
struct OwnCost {
  Cell startup_ns;      // reading settings, opening collectors, joining MPI_Init
  Cell finalize_ns;     // from MPI_Finalize (or exit) to where the file is written
  Cell marker_pair_ps;  // one begin and end, picoseconds, as calibrated at the end
};

// What the kernel did for the processes from their start to finalize, over the ranks; all threads
// of a rank together. Only of passes whose times are real.
struct KernelUse {
  Cell system_ns;    // time that it computed for them
  Cell page_faults;  // pages that it had to supply, without reading them from a disk
  // Time in which a thread was ready to run and had no CPU: of the thread that waited longest.
  Cell run_queue_ns;
  Cell resident_bytes;  // the most memory that was resident at a time
  Cell clock_khz;       // that it let a core of theirs have at the end
  Cell cpu_ns;          // CPU time of all their threads, from the start of the process
};

// The cells of both, in the order of their members.
template <typename Cost>  // OwnCost, const or not
auto CellsOf(Cost& cost) -> std::array<decltype(&cost.startup_ns), 3> {
  return {&cost.startup_ns, &cost.finalize_ns, &cost.marker_pair_ps};
}
template <typename Use>  // KernelUse, const or not
auto CellsOf(Use& use) -> std::array<decltype(&use.system_ns), 6> {
  return {&use.system_ns,      &use.page_faults, &use.run_queue_ns,
          &use.resident_bytes, &use.clock_khz,   &use.cpu_ns};
}

struct RunInfo {
  std::string roofmark_version;
  std::string job_id;
  uint32_t ranks = 1;            // size of the job
  uint32_t ranks_merged = 1;     // ranks whose data is in this file
  uint32_t recovered_ranks = 0;  // of ranks_merged: read from what they left when they died
  uint32_t first_rank = 0;       // for a part: which rank
  std::string mpi;               // library version line, empty without MPI
  uint32_t threads_max = 1;      // most workers in any rank
  std::vector<HostInfo> hosts;
  std::vector<BackgroundTraffic> background;
  std::vector<DeviceInfo> devices;  // accelerators that were counted, or were to be
  std::vector<PassInfo> passes;
  OwnCost cost;
  KernelUse kernel;
  // The wall times of all executions for time, in their order, where there were several. Times of
  // the profile are those of one of them.
  std::vector<double> repeats_s;
  std::vector<std::string> warnings;  // one sentence each, as a report should print them
};

struct JobProfile {
  RunInfo run;
  std::array<MetricSource, kMetrics> sources;
  std::vector<PathInfo> paths;  // sorted by path, parents before children
  CellTable cells;              // a row for each path
  // Of the program as a whole: kWholeRows (lib/profile/whole.h); empty where not known.
  CellTable whole;
  // paths.size() x kSpreads, row by row; empty where nothing is known of single ranks.
  std::vector<Spread> spreads;
  std::map<uint32_t, std::string> rank_hosts;  // of those that spreads name, at least

  Cell& At(size_t path, MetricId metric) { return cells.At(path, metric); }
  const Cell& At(size_t path, MetricId metric) const { return cells.At(path, metric); }
  // It has no ranks where nothing is known.
  const Spread& SpreadAt(size_t path, Drawn measure) const;
  // -1 if there is no such path.
  int FindPath(std::string_view path) const;
};

// What a metric is called in this job, its unit and scope: its own, or those of the event that a
// user chose.
std::string MetricLabel(const JobProfile& job, MetricId metric);
std::string_view MetricUnit(const JobProfile& job, MetricId metric);
Scope MetricScope(const JobProfile& job, MetricId metric);

// Fills the spreads of a profile of one rank, and what its host's ranks did, from its cells.
void FillSpreads(JobProfile& rank);

// Leaves in `rank_hosts` only ranks that a spread names.
void PruneRankHosts(JobProfile& job);

// The parts of MergeProfiles(). Hosts and background traffic are sorted by host afterwards. Of
// sources `into`'s is kept where both have a value.
void MergeRuns(RunInfo& into, const RunInfo& other);
template <typename Cells>  // OwnCost or KernelUse
void MergeCells(Cells& into, const Cells& other) {
  const auto from = CellsOf(other);
  auto to = CellsOf(into);
  for (size_t i = 0; i < to.size(); ++i) *to[i] = Combine(*to[i], *from[i]);
}
void MergeSource(MetricSource& into, const MetricSource& other);

// Adds the ranks of `other` to `into`: paths are united, cells combined, hosts and warnings united.
// Both must stem from the same kind of pass. Commutative up to the order of warnings.
void MergeProfiles(JobProfile& into, const JobProfile& other);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_PROFILE_H_
