// SPDX-License-Identifier: BSD-3-Clause
//
// The records of all threads of the process. They are never destroyed: those of ended threads serve
// new ones.
#ifndef ROOFMARK_MARKERS_THREAD_RECORDS_H_
#define ROOFMARK_MARKERS_THREAD_RECORDS_H_

#include <atomic>
#include <cstdint>
#include <mutex>

#include "lib/spool/writer.h"
#include "markers/thread_record.h"

namespace roofmark::markers {

// Thread-safe.
class ThreadRecords {
 public:
  // For the calling thread; nullptr if memory is short. `spool` as for ThreadRecord::Create().
  ThreadRecord* Acquire(spool::Writer* spool) noexcept;
  // The record's thread ends.
  void Release(ThreadRecord* record) noexcept;

  // Every thread's next marker takes the slow way.
  void CloseFastPath() noexcept {
    for (ThreadRecord* each = head_.load(); each != nullptr; each = each->next) {
      each->simple = false;
    }
  }

  // Calls `visit(record)` for every record there is.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (ThreadRecord* record = head_.load(std::memory_order_acquire); record != nullptr;
         record = record->next) {
      visit(*record);
    }
  }

 private:
  std::atomic<ThreadRecord*> head_{nullptr};  // grows at its head
  std::atomic<uint32_t> made_{0};
  std::mutex mutex_;  // of the records' in_use
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_THREAD_RECORDS_H_
