// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes whose ranks take longer than those of the others in the same regions, although they do the
// same work. Time inside MPI is left out where it is known: who waits for a slow node seems as
// slow.
#ifndef ROOFMARK_LIB_MODEL_SLOW_NODES_H_
#define ROOFMARK_LIB_MODEL_SLOW_NODES_H_

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "lib/profile/profile.h"

namespace roofmark {

// What is known of a node that may be why. Of the figures the first is the node's, the second that
// of the node in the middle.
struct SlowCause {
  std::optional<std::pair<double, double>> clock_ghz = {};  // its ranks have a lower clock
  bool other_kind = false;                                  // it is not of the most common kind
  std::optional<std::pair<double, double>> rank_cpus = {};  // its ranks may use fewer CPUs each
  bool shares_cpus = false;  // its ranks share CPUs, and those of most nodes do not
};

struct SlowNode {
  size_t host = 0;     // index into RunInfo::hosts
  double ratio = 1;    // its ranks' time, over that of the node in the middle for as much work
  double seconds = 0;  // that a rank of it takes longer: the others may wait so long
  // Of the slowest ones. Where that shows most: a region in which all ranks are; missing where the
  // file does not say.
  std::optional<size_t> path = {};
  SlowCause cause = {};
};

inline constexpr size_t kNamedSlowNodes = 4;  // of which path and cause are looked for

struct SlowNodes {
  std::vector<SlowNode> nodes;   // the slowest first
  bool same_work_known = false;  // FLOPs or bytes of all nodes are known
  bool mpi_left_out = false;     // their times are without that inside MPI
};

SlowNodes SlowNodesOf(const JobProfile& job);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_SLOW_NODES_H_
