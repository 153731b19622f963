// SPDX-License-Identifier: BSD-3-Clause
//
// The process's call tree of regions: path ids that grow from the root (0), shared by all threads.
#ifndef ROOFMARK_MARKERS_PATH_TABLE_H_
#define ROOFMARK_MARKERS_PATH_TABLE_H_

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "lib/core/limits.h"
#include "lib/profile/path_node.h"

namespace roofmark::markers {

// One less than the collectors tell apart: they keep an id for work that is not measured.
inline constexpr uint32_t kMaxPaths = limits::kPaths - 1;
inline constexpr uint32_t kNoPath = UINT32_MAX;
// Names open one inside another. A full name has all of them, so without a limit what a process
// holds and writes would grow with the square of the depth.
inline constexpr uint32_t kMaxNames = limits::kPathDepth;
inline constexpr uint32_t kTooDeep = kNoPath - 1;

// Thread-safe; takes a lock. Threads keep what they looked up, so this is for first visits.
class PathTable {
 public:
  PathTable();

  // The path of region `name` opened below `parent`, kNoPath if there is none yet. A region opened
  // inside itself is the same path again, so that recursion neither grows the tree nor counts time
  // twice. Takes no memory.
  uint32_t Find(uint32_t parent, uint32_t name) const;
  // The same; `node` becomes that path if there is none. `name_bytes`: of its name, escaped.
  // kNoPath if full, kTooDeep if the path's name would have more than kMaxNames parts, or more
  // bytes than limits::kPathBytes.
  uint32_t Resolve(const PathNode& node, size_t name_bytes);

  // Regions there are; the root is none.
  size_t Count() const;
  // A copy of all nodes; index = path id, parents before children.
  std::vector<PathNode> Snapshot() const;
  PathNode Get(uint32_t path) const;
  uint32_t ParentOf(uint32_t path) const;

 private:
  uint32_t FindLocked(uint32_t parent, uint32_t name) const;

  mutable std::mutex mutex_;
  std::vector<PathNode> nodes_;
  std::vector<uint32_t> depths_;                     // of those; the root's is 0
  std::vector<size_t> path_bytes_;                   // of their full names
  std::unordered_map<uint64_t, uint32_t> children_;  // by parent and name
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_PATH_TABLE_H_
