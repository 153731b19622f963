// SPDX-License-Identifier: BSD-3-Clause
//
// The part of Recorder that concerns visits which have not ended.
#include <algorithm>

#include "markers/recorder.h"

namespace roofmark::markers {

// The thread's own path wins over the team's, so that other threads go on being counted.
void Recorder::SetAside() noexcept {
  const ThreadRecord* record = t_record;
  if (record == nullptr || collector_ == nullptr || !recording()) return;
  collector_->EnterOwn(record->top->own ? record->top->place.path : 0, /*measured=*/false);
}

void Recorder::TakeBack(uint64_t ticks) noexcept {
  ThreadRecord* record = t_record;
  if (record == nullptr) return;
  for (Frame* frame = record->frames + 1; frame <= record->top; ++frame) frame->start += ticks;
  if (recording()) TellCollector(record, record->top, /*team=*/false);
}

std::vector<OpenVisit> Recorder::OpenVisits(uint64_t now) {
  std::vector<OpenVisit> open;
  ThreadRecord* record = t_record;
  if (record == nullptr) return open;
  NotePauses(record);
  for (const Frame* frame = record->frames + 1; frame <= record->top; ++frame) {
    if (!frame->recorded()) continue;
    // Recursion keeps its path, so an outer visit of it is the frame right below.
    const bool inner = frame[-1].place.path == frame->place.path && frame - 1 > record->frames;
    const bool timed = frame->measured && !inner;
    open.push_back({frame->place.path, timed ? TicksBetween(frame->start, now) : 0, frame->measured,
                    names_.Text(frame->name)});
  }
  return open;
}

std::atomic<bool> Recorder::times_mpi_{false};
std::atomic<bool> Recorder::times_openmp_{false};
std::atomic<bool> Recorder::leaves_out_{false};
std::atomic<Recorder::MpiListener> Recorder::mpi_listener_{nullptr};
std::atomic<Collector*> Recorder::layer_follower_{nullptr};

}  // namespace roofmark::markers
