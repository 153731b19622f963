// SPDX-License-Identifier: BSD-3-Clause
#include "markers/announcer.h"

namespace roofmark::markers {

void Announcer::NewPath(uint32_t path) {
  const std::lock_guard lock(mutex_);
  for (uint32_t next = announced_.load(); next <= path; ++next) {
    const PathNode node = paths_.Get(next);
    const std::string name = names_.Text(node.name);
    if (spool_ != nullptr) spool_->AppendPath(next, node, name);
    if (collector_ != nullptr) {
      full_names_.push_back(FullPath(node.parent, full_names_[node.parent], name));
      collector_->DefinePath(next, node.parent, full_names_.back());
    }
    announced_.store(next + 1, std::memory_order_release);
  }
}

void Announcer::Kind(uint32_t kind) {
  if (spool_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  if (kinds_.size() <= kind) kinds_.resize(kind + 1);
  if (kinds_[kind]) return;
  kinds_[kind] = true;
  spool_->Append(spool::Kind::kName, kind, 0, names_.Text(kind));
}

}  // namespace roofmark::markers
