// SPDX-License-Identifier: BSD-3-Clause
//
// A region in one process's call tree, as the markers know it.
#ifndef ROOFMARK_LIB_PROFILE_PATH_NODE_H_
#define ROOFMARK_LIB_PROFILE_PATH_NODE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/profile/profile.h"

namespace roofmark {

struct PathNode {
  uint32_t parent = 0;  // path id; parents have lower ones than their children
  uint32_t name = 0;
  RegionKind kind = RegionKind::kTeam;
  std::string file;  // of the first site, copied: its library may be closed; empty if dynamic
  uint32_t line = 0;
  uint32_t openmp_threads = 0;  // size of the OpenMP team at a team region's first visit
};

// The full name, as in files, of the region `name` (not escaped) below the path `parent`, whose own
// full name is `above`. Path 0 is the root.
std::string FullPath(uint32_t parent, std::string_view above, std::string_view name);
// The full name of every node, by its id; node 0 is no region, and its name is empty. `names` has
// the name of each node, by its id.
std::vector<std::string> FullPaths(const std::vector<PathNode>& nodes,
                                   const std::vector<std::string>& names);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_PATH_NODE_H_
