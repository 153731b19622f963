// SPDX-License-Identifier: BSD-3-Clause
//
// The part of Recorder that concerns the ends of threads.
#include "lib/core/inside.h"
#include "lib/core/thread.h"
#include "markers/recorder.h"

namespace roofmark::markers {

// A process has 1,024 thread-specific keys, and the application may have taken them all.
void Recorder::AwaitEnd(ThreadRecord* record) noexcept {
  const bool awaited = key_ && pthread_setspecific(*key_, record) == 0;
  record->unawaited = awaited ? 0 : ThisThread();
  if (!awaited) misses_ends_ = true;
}

void Recorder::EndRecordsOfGoneThreads() noexcept {
  const std::lock_guard lock(ends_mutex_);
  // A thread that has no record yet may have the number of one that had.
  const pid_t own = t_record == nullptr ? ThisThread() : 0;
  records_.ForEach([&](ThreadRecord& record) {
    if (record.unawaited == 0) return;
    if (record.unawaited == own || IsGone(record.unawaited)) ThreadEnded(&record);
  });
}

void Recorder::ReleaseRecord(void* record) {
  LeaveAtThreadEnd();
  const Inside inside;
  Get().ThreadEnded(static_cast<ThreadRecord*>(record));
  t_record = nullptr;
}

void Recorder::ThreadEnded(ThreadRecord* record) noexcept {
  if (recording()) {
    const uint64_t now = Ticks();
    NotePauses(record);
    while (record->depth() > 0) Pop(record, now);
  }
  record->unawaited = 0;
  records_.Release(record);
}

}  // namespace roofmark::markers
