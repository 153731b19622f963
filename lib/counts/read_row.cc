// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/read_row.h"

#include <atomic>

namespace roofmark::counts {
namespace {

uint64_t Get(const uint64_t& word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }

}  // namespace

// The copy that is current when the reading begins is overwritten only after the next update.
void CopyRow(const roof_kept_row& live, size_t columns, roof_kept_row& into) noexcept {
  uint64_t sequence;
  do {
    sequence = __atomic_load_n(&live.sequence, __ATOMIC_ACQUIRE);
    const roof_kept_copy* from = roof_kept_copy_of(&live, columns, sequence);
    roof_kept_copy* to = roof_kept_copy_of(&into, columns, sequence);
    to->begin = Get(from->begin);
    to->visits = Get(from->visits);
    to->record = Get(from->record);
    for (size_t i = 0; i <= columns; ++i) roof_kept_words(to)[i] = Get(roof_kept_words(from)[i]);
    std::atomic_thread_fence(std::memory_order_acquire);
  } while (Get(live.sequence) != sequence);
  into.worker = live.worker;
  into.path = live.path;
  into.sequence = sequence;
  roof_kept_copy_of(&into, columns, sequence + 1)->begin = 0;
}

}  // namespace roofmark::counts
