// SPDX-License-Identifier: BSD-3-Clause
#include "markers/path_table.h"

namespace roofmark::markers {

PathTable::PathTable() : nodes_(1), children_(1) {}

uint32_t PathTable::Resolve(uint32_t parent, uint32_t name, RegionKind kind, const char* file,
                            uint32_t line) {
  const std::lock_guard lock(mutex_);
  for (uint32_t above = parent; above != 0; above = nodes_[above].parent) {
    if (nodes_[above].name == name) return above;
  }
  for (uint32_t child : children_[parent]) {
    if (nodes_[child].name == name) return child;
  }
  if (nodes_.size() >= kMaxPaths) {
    refused_.fetch_add(1, std::memory_order_relaxed);
    return kNoPath;
  }
  const uint32_t path = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({parent, name, kind, file, line});
  children_.emplace_back();
  children_[parent].push_back(path);
  return path;
}

std::vector<PathNode> PathTable::Snapshot() const {
  const std::lock_guard lock(mutex_);
  return nodes_;
}

PathNode PathTable::Get(uint32_t path) const {
  const std::lock_guard lock(mutex_);
  return path < nodes_.size() ? nodes_[path] : PathNode{};
}

}  // namespace roofmark::markers
