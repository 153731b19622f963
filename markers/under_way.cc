// SPDX-License-Identifier: BSD-3-Clause
//
// The part of Recorder that concerns visits which have not ended.
#include <algorithm>

#include "markers/recorder.h"

namespace roofmark::markers {

// The thread's own path wins over the team's, so that other threads go on being counted.
void Recorder::SetAside() noexcept {
  const ThreadState* lane = t_lane;
  if (lane == nullptr || collector_ == nullptr || !recording()) return;
  const bool own = lane->depth() > 0 && !lane->top->team;
  collector_->EnterOwn(own ? lane->top->path : 0, /*measured=*/false);
}

void Recorder::Resume(uint64_t ticks) noexcept {
  ThreadState* lane = t_lane;
  if (lane == nullptr) return;
  for (Frame* frame = lane->frames + 1; frame <= lane->top; ++frame) frame->start += ticks;
  if (recording()) TellCollector(lane, lane->top, /*team=*/false);
}

std::vector<OpenVisit> Recorder::OpenVisits(uint64_t now) const {
  std::vector<OpenVisit> open;
  const ThreadState* lane = t_lane;
  if (lane == nullptr) return open;
  for (const Frame* frame = lane->frames + 1; frame <= lane->top; ++frame) {
    // Recursion keeps its path, so an outer visit of it is the frame right below.
    const bool inner = frame[-1].path == frame->path && frame - 1 > lane->frames;
    const bool timed = frame->measured && !inner;
    open.push_back(
        {frame->path, timed ? now - frame->start : 0, frame->measured, names_.Text(frame->name)});
  }
  return open;
}

std::atomic<bool> Recorder::times_mpi_{false};

void Recorder::MpiTime(uint64_t ticks) noexcept {
  // A thread outside every region needs no lane for this.
  if (t_lane == nullptr && team_path.load(std::memory_order_relaxed) == 0) return;
  ThreadState* lane = Lane();
  if (lane == nullptr) return;
  const bool inside = lane->depth() > 0;
  if (inside && !lane->top->measured) return;
  DeclaredWork* work =
      lane->WorkFor(inside ? lane->top->path : team_path.load(std::memory_order_relaxed));
  if (work == nullptr) return;
  // One writer: the thread whose lane it is.
  work->mpi_ticks.store(work->mpi_ticks.load(std::memory_order_relaxed) + ticks,
                        std::memory_order_relaxed);
}

}  // namespace roofmark::markers
