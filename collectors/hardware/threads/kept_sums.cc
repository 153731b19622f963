// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/kept_sums.h"

#include <algorithm>

namespace roofmark::threads {
namespace {

bool IsNothing(const Sum& sum) {
  return sum.value == 0 && sum.enabled_ns == 0 && sum.running_ns == 0 && !sum.invalid;
}

}  // namespace

KeptSums::KeptSums(counts::CountStore& store, const std::vector<size_t>& groups, size_t events,
                   uint32_t worker)
    : store_(store),
      groups_(groups),
      events_(events),
      columns_(counts::KeptPlan::kGroupColumns * groups.size() + events),
      worker_(worker),
      open_(events) {}

Sum* KeptSums::Open(uint32_t path) noexcept {
  Sum* row = open_.Row(path);
  if (row == nullptr) store_.Lacks(counts::Lack::kRoom);
  return row;
}

roof_kept_row* KeptSums::Row(uint32_t path) noexcept {
  void*& chunk = chunks_[path / kChunk];
  if (chunk == nullptr) {
    chunk = store_.Rows(kChunk, columns_);
    if (chunk == nullptr) return nullptr;
    for (uint32_t i = 0; i < kChunk; ++i) {
      roof_kept_row* row = roof_kept_at(chunk, columns_, i);
      row->worker = worker_;
      row->path = path / kChunk * kChunk + i;
    }
  }
  return roof_kept_at(chunk, columns_, path % kChunk);
}

// Events of a group share their times, and whether one of them is invalid (CountedThread).
void KeptSums::Write(const Sum* sums, roof_kept_row& row,
                     const counts::FinishedVisit& visit) noexcept {
  const uint64_t* from = roof_kept_words(roof_kept_copy_of(&row, columns_, row.sequence));
  roof_kept_copy* copy = roof_kept_begin(&row, columns_);
  uint64_t* into = roof_kept_words(copy);
  const Sum* first = sums;
  for (const size_t size : groups_) {
    roof_kept_put(into++, *from++ + first->enabled_ns);
    roof_kept_put(into++, *from++ + first->running_ns);
    roof_kept_put(into++, *from++ | uint64_t{first->invalid});
    first += size;
  }
  for (size_t i = 0; i < events_; ++i) roof_kept_put(into++, *from++ + sums[i].value);
  roof_kept_commit(&row, copy, visit.record, visit.visits);
}

void KeptSums::Finish(const counts::FinishedVisit& visit) noexcept {
  if (!IsMeasured(visit.path)) return;
  Sum* sums = open_.Find(visit.path);
  if (sums == nullptr || std::all_of(sums, sums + events_, IsNothing)) return;
  if (visit.parent != 0) {
    Sum* around = Open(visit.parent);
    for (size_t i = 0; around != nullptr && i < events_; ++i) around[i].Add(sums[i]);
  }
  if (roof_kept_row* row = Row(visit.path)) {
    Write(sums, *row, visit);
  } else {
    store_.Lacks(counts::Lack::kRoom);
  }
  std::fill_n(sums, events_, Sum{});
}

}  // namespace roofmark::threads
