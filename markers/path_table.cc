// SPDX-License-Identifier: BSD-3-Clause
#include "markers/path_table.h"

namespace roofmark::markers {

PathTable::PathTable() : nodes_(1), children_(1) {}

uint32_t PathTable::Resolve(const PathNode& node) {
  const std::lock_guard lock(mutex_);
  for (uint32_t above = node.parent; above != 0; above = nodes_[above].parent) {
    if (nodes_[above].name == node.name) return above;
  }
  for (uint32_t child : children_[node.parent]) {
    if (nodes_[child].name == node.name) return child;
  }
  if (nodes_.size() >= kMaxPaths) {
    refused_.fetch_add(1, std::memory_order_relaxed);
    return kNoPath;
  }
  const uint32_t path = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back(node);
  children_.emplace_back();
  children_[node.parent].push_back(path);
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
