// SPDX-License-Identifier: BSD-3-Clause
#include "markers/path_table.h"

namespace roofmark::markers {

namespace {

uint64_t Key(uint32_t parent, uint32_t name) { return uint64_t{parent} << 32 | name; }

}  // namespace

PathTable::PathTable() : nodes_(1), depths_(1), path_bytes_(1) {}

uint32_t PathTable::FindLocked(uint32_t parent, uint32_t name) const {
  for (uint32_t above = parent; above != 0; above = nodes_[above].parent) {
    if (nodes_[above].name == name) return above;
  }
  const auto child = children_.find(Key(parent, name));
  return child == children_.end() ? kNoPath : child->second;
}

uint32_t PathTable::Find(uint32_t parent, uint32_t name) const {
  const std::lock_guard lock(mutex_);
  return FindLocked(parent, name);
}

uint32_t PathTable::Resolve(const PathNode& node, size_t name_bytes) {
  const std::lock_guard lock(mutex_);
  if (const uint32_t found = FindLocked(node.parent, node.name); found != kNoPath) return found;
  if (nodes_.size() >= kMaxPaths) return kNoPath;
  const size_t bytes = (node.parent == 0 ? 0 : path_bytes_[node.parent] + 1) + name_bytes;
  if (depths_[node.parent] >= kMaxNames || bytes > limits::kPathBytes) return kTooDeep;
  const auto path = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back(node);
  depths_.push_back(depths_[node.parent] + 1);
  path_bytes_.push_back(bytes);
  children_.emplace(Key(node.parent, node.name), path);
  return path;
}

size_t PathTable::Count() const {
  const std::lock_guard lock(mutex_);
  return nodes_.size() - 1;
}

std::vector<PathNode> PathTable::Snapshot() const {
  const std::lock_guard lock(mutex_);
  return nodes_;
}

PathNode PathTable::Get(uint32_t path) const {
  const std::lock_guard lock(mutex_);
  return path < nodes_.size() ? nodes_[path] : PathNode{};
}

uint32_t PathTable::ParentOf(uint32_t path) const {
  const std::lock_guard lock(mutex_);
  return path < nodes_.size() ? nodes_[path].parent : 0;
}

}  // namespace roofmark::markers
