// SPDX-License-Identifier: BSD-3-Clause
#include "markers/thread_records.h"

#include <unistd.h>

#include "lib/core/thread.h"

namespace roofmark::markers {

ThreadRecord* ThreadRecords::Acquire(spool::Writer* spool) noexcept {
  const bool is_main = ThisThread() == getpid();
  {
    const std::lock_guard lock(mutex_);
    for (ThreadRecord* each = head_.load(); each != nullptr; each = each->next) {
      if (each->in_use || each->is_main != is_main) continue;
      each->in_use = true;
      return each;
    }
  }
  ThreadRecord* record = ThreadRecord::Create(is_main, spool, made_.fetch_add(1));
  if (record == nullptr) return nullptr;
  record->next = head_.load();
  while (!head_.compare_exchange_weak(record->next, record, std::memory_order_release)) {
  }
  return record;
}

void ThreadRecords::Release(ThreadRecord* record) noexcept {
  const std::lock_guard lock(mutex_);
  record->in_use = false;
}

}  // namespace roofmark::markers
