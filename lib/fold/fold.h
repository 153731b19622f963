// SPDX-License-Identifier: BSD-3-Clause
//
// From what threads accumulated to one process's profile: exclusive sums become inclusive ones,
// sampled visits are scaled to all visits, threads are folded, ticks become nanoseconds.
#ifndef ROOFMARK_LIB_FOLD_FOLD_H_
#define ROOFMARK_LIB_FOLD_FOLD_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "lib/core/critical_place.h"
#include "lib/core/distribution.h"
#include "lib/core/kernel_counts.h"
#include "lib/profile/path_node.h"
#include "lib/profile/profile.h"

namespace roofmark {

// What one thread record holds of one path (threads that never live together share one).
struct ThreadPathTotals {
  uint64_t visits = 0, measured = 0, ticks = 0;
  uint64_t declared_flops = 0, declared_bytes = 0;
  uint64_t operations = 0;
  uint32_t operation = 0;  // name of their kind; 0: none
  uint64_t pauses = 0;     // of the recording, while a visit was open
  uint64_t mpi_ticks = 0;  // inside MPI, but in none of the path's children
  // In OpenMP's parallel regions that this thread began, but in none of the path's children: of
  // the thread, of all threads of their teams, of these outside of waits, and of the busiest one.
  uint64_t parallel_ticks = 0, team_ticks = 0, busy_ticks = 0, busiest_ticks = 0;
  KernelCounts kernel = {};    // in the path, but in none of its children
  uint64_t longest_ticks = 0;  // of a visit; 0: not known
  uint64_t pairs = 0;          // visits of the paths below: filled while folding
  uint64_t margin_ticks = 0;   // half the width of the interval of all visits' ticks
  bool of_all_visits = false;  // all ticks but the longest, and `kernel`: not of measured ones only
};

// A part of a value that several processes have together.
struct SharedPart {
  std::string path;  // full name
  MetricId metric;
  Distribution value;
  Status status;
};

struct FoldInput {
  std::vector<PathNode> nodes;                         // by path id; 0 is the root
  std::vector<std::string> names;                      // of nodes[i], unescaped
  std::vector<std::vector<ThreadPathTotals>> threads;  // [thread][path]
  uint64_t dropped_operations = 0;                     // of a second kind in one region
  std::map<uint32_t, std::string> operations;          // kinds of declared operations, by name id
  // Exclusive counts by worker (thread as the collector knows it), path, metric.
  std::map<uint32_t, std::vector<std::array<uint64_t, kMetrics>>> workers;
  // They have children included, and all visits were measured.
  bool workers_are_inclusive = false;
  // They have what was counted in all visits, measured or not: it is not scaled.
  bool workers_have_every_visit = false;
  // What the process, or a package, has as a whole, children included, by (path, metric).
  std::map<std::pair<uint32_t, MetricId>, uint64_t> inclusive;
  // What this process hands over for several; paths that it was never in get a row too.
  std::vector<SharedPart> shared;
  // Where a (path, metric)'s own part is worse than its source says.
  std::map<std::pair<uint32_t, MetricId>, Status> doubts;
  // By path, of its own part.
  std::map<uint32_t, CriticalPlace> critical;
  // Of paths that no marker opened: by path and worker.
  std::map<uint32_t, std::map<uint32_t, uint64_t>> found_visits;
  // From the process's start to its end; 0: not known, and nothing is said of the program as a
  // whole.
  uint64_t program_ns = 0;
  // What the kernel did for the process from its start to its end, all threads together.
  std::optional<KernelCounts> kernel = {};
  // Workers have what was counted outside of all regions, as path 0.
  bool outside_is_counted = false;
  double ns_per_tick = 1;
  uint64_t marker_pair_ps = 0;  // one begin and end; 0: not known
  uint32_t rank = 0;
};

// Fills paths and cells of `profile`; its sources must be set: only metrics whose source has a
// value get cells. Inclusive sums: a path's own plus its children's, each scaled by its own visits
// / measured visits. Time of a team region is the main thread's; of a thread region, the slowest
// thread's. Visits of a path that no marker opened are those of the worker that has most. Time
// inside MPI is that of the thread that spent most there, at most the region's time;
// outside MPI is the difference. So is time in parallel regions; what their teams did there is
// summed over the threads that began them, and so is what the kernel did. Workers of a path: the
// OpenMP team of the team region it lies in, or more threads if more did FLOPs there (at least 1 %
// of the busiest; by instructions where a path has no FLOPs). Metrics of package scope, and those
// of FoldInput::inclusive, have a cell only where that has one. A path's critical place is that of
// its own part or of one of the paths below it, whichever has most cycles. A path's operations are
// of its own kind, the first thread's; without one, of the kind that all paths below it have.
// Others are left out. A doubt holds for the path and all around it, but for that
// of the margin of its time; one without value leaves 0 and
// that status. The program as a whole has the time that the input says and, if what lies outside
// was counted, the counts of all paths, each scaled as above. Outside of all regions are the time
// that no outermost path took and the counts of path 0. What the kernel did is treated as the time
// is. Time inside MPI is not known of either.
void Fold(const FoldInput& input, JobProfile& profile);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOLD_FOLD_H_
