// SPDX-License-Identifier: BSD-3-Clause
//
// The part of Packages that runs at the application's boundaries.
#include <new>

#include "collectors/hardware/package/packages.h"
#include "collectors/hardware/package/path.h"
#include "collectors/hardware/package/sync.h"
#include "lib/core/log.h"
#include "lib/core/messages/collectors.h"

namespace roofmark::package {

Packages::Path* Packages::PathOf(uint32_t path) noexcept {
  Path* chunk = path < kPaths ? paths_[path / kChunk].load(std::memory_order_acquire) : nullptr;
  return chunk == nullptr ? nullptr : &chunk[path % kChunk];
}

void Packages::DefinePath(uint32_t path, uint32_t parent, std::string_view name) {
  if (!counts() || path >= kPaths) return;
  const std::lock_guard lock(define_mutex_);
  std::atomic<Path*>& chunk = paths_[path / kChunk];
  if (chunk.load() == nullptr) chunk.store(new (std::nothrow) Path[kChunk]);
  Path* record = PathOf(path);
  if (record == nullptr) return;
  record->parent = parent;
  bool complete = true;
  for (size_t i = 0; i < mine_.size(); ++i) {
    record->entry[i] = mine_[i]->EntryOf(name);
    complete = complete && record->entry[i] != nullptr;
  }
  if (!complete) ++unrecorded_;
}

void Packages::EnterTeam(uint32_t path, bool measured) noexcept {
  if (!counts()) return;
  const uint32_t before = team_path_.exchange(path);
  if (sync_node_) Barrier(path, path > before);
  Enter(team_, path, measured);
}

void Packages::EnterOwn(uint32_t path, bool measured) noexcept {
  static thread_local Chain own;
  if (counts()) Enter(own, path, measured);
}

void Packages::Enter(Chain& chain, uint32_t path, bool measured) noexcept {
  chain.Enter(
      path, measured,
      [this](uint32_t each) {
        const Path* record = PathOf(each);
        return record == nullptr ? 0 : record->parent;
      },
      [this](uint32_t each) { Switch(each, false); },
      [this](uint32_t each) { Switch(each, true); });
}

// The packages hear of it when the first flow of control of the process enters the region, and when
// the last one leaves.
void Packages::Switch(uint32_t path, bool open) noexcept {
  Path* record = PathOf(path);
  if (record == nullptr) return;
  if (open ? record->inside.fetch_add(1) > 0 : record->inside.fetch_sub(1) > 1) return;
  const std::lock_guard lock(switch_mutex_);
  const bool is_root = record->parent == 0;
  const bool enters = open && is_root && roots_inside_++ == 0;
  const bool leaves = !open && is_root && --roots_inside_ == 0;
  for (size_t i = 0; i < mine_.size(); ++i) {
    Entry* entry = record->entry[i];
    uint32_t& opened = record->opened[i];
    if (entry == nullptr || (open && entry->too_short.load(std::memory_order_relaxed) != 0)) {
      entry = nullptr;
    } else if (!open && opened == 0) {
      entry = nullptr;
    }
    if (entry != nullptr) open ? ++opened : --opened;
    const std::span<Entry* const> changed(&entry, entry == nullptr ? 0 : 1);
    const std::span<Entry* const> none;
    if (entry == nullptr && !enters && !leaves) continue;
    mine_[i]->Apply({open ? none : changed, open ? changed : none, leaves, enters});
  }
}

void Packages::Barrier(uint32_t path, bool begins) noexcept try {
  const uint32_t known = segment_->header().members.load();
  const uint32_t members = place_.expected > known ? place_.expected : known;
  if (members < 2 || WaitForNode(segment_->header().barrier, members)) return;
  Complain(message::kSyncIsOff, members, begins ? "begin" : "end", path);
} catch (...) {
}

}  // namespace roofmark::package
