// SPDX-License-Identifier: BSD-3-Clause
//
// The process's call tree of regions: path ids that grow from the root (0), shared by all threads.
#ifndef ROOFMARK_MARKERS_PATH_TABLE_H_
#define ROOFMARK_MARKERS_PATH_TABLE_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "lib/profile/path_node.h"

namespace roofmark::markers {

// One less than the collectors tell apart: they keep an id for work that is not measured.
inline constexpr uint32_t kMaxPaths = 65535;
inline constexpr uint32_t kNoPath = UINT32_MAX;

// Thread-safe; takes a lock. Threads keep what they looked up, so this is for first visits.
class PathTable {
 public:
  PathTable();

  // The path of region `node.name` opened below `node.parent`; `node` becomes that path if there is
  // none yet. A region opened inside itself is the same path again, so that recursion neither grows
  // the tree nor counts time twice. kNoPath if full.
  uint32_t Resolve(const PathNode& node);

  // A copy of all nodes; index = path id, parents before children.
  std::vector<PathNode> Snapshot() const;
  PathNode Get(uint32_t path) const;
  uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  mutable std::mutex mutex_;
  std::vector<PathNode> nodes_;
  std::vector<std::vector<uint32_t>> children_;
  std::atomic<uint64_t> refused_{0};
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_PATH_TABLE_H_
