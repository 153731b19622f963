// SPDX-License-Identifier: BSD-3-Clause
//
// The part of Recorder that concerns roofmark_pause() and roofmark_resume(). While recording is
// paused the fast path is closed on every thread: regions that begin are put on the stack without
// accumulators, so that their ENDs find them, and those that were open before end as always.
#include "markers/recorder.h"

namespace roofmark::markers {

void Recorder::Pause() noexcept {
  const std::lock_guard lock(pause_mutex_);
  if (pauses_open_++ > 0) return;
  ++pauses_begun_;
  paused_ = true;
  records_.CloseFastPath();
  sampling_.Pause(true);
  if (t_record != nullptr) NotePauses(t_record);
}

void Recorder::Unpause() noexcept {
  const std::lock_guard lock(pause_mutex_);
  if (pauses_open_ == 0 || --pauses_open_ > 0) return;
  sampling_.Pause(false);
  paused_ = false;
}

// By the record's thread, at its first marker afterwards: until then its stack is as it was.
void Recorder::NotePauses(ThreadRecord* record) noexcept {
  const uint32_t begun = pauses_begun_.load();
  const uint32_t missed = begun - record->pauses_seen;
  if (missed == 0) return;
  record->pauses_seen = begun;
  for (const Frame* frame = record->frames + 1; frame <= record->top; ++frame) {
    if (!frame->recorded()) continue;
    if (DeclaredWork* work = record->WorkFor(frame->place.path)) {
      spool::Raise(work->pauses, missed);
    }
  }
}

// The collector is told nothing: what is counted goes on to belong to the region around.
void Recorder::PushUnrecorded(ThreadRecord* record, uint32_t name, Place place,
                              bool team) noexcept {
  const bool measured = record->depth() == 0 || record->top->measured;
  const bool own = !team && record->top->own;
  const Turn turn = record->depth() == 0 ? Turn{} : record->top->turn.Inside();
  *++record->top = {nullptr, 0, place, name, team, measured, /*watched=*/false, own, 0, turn};
  if (team) team_place.store(place, std::memory_order_relaxed);
}

// Whoever closes it does so after saying why, so one of both sides sees the other. A pause that
// began and ended meanwhile is still to be noted.
void Recorder::OpenFastPath(ThreadRecord* record) noexcept {
  if (!simple_ || paused_ || !recording()) return;
  record->simple = true;
  const bool noted = pauses_begun_.load() == record->pauses_seen;
  if (!noted || paused_ || !recording()) record->simple = false;
}

}  // namespace roofmark::markers
