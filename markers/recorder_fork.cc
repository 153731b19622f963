// SPDX-License-Identifier: BSD-3-Clause
//
// What becomes of the recorder in a forked process.
#include <new>
#include <utility>

#include "lib/core/inside.h"
#include "markers/late_visits.h"
#include "markers/missed.h"
#include "markers/recorder.h"

namespace roofmark::markers {

void (*Recorder::start_in_child_)() noexcept = nullptr;
bool Recorder::holds_names_ = false;

// Names are what a child goes on using. Who forks in a handler of a signal may have their lock.
void Recorder::PrepareFork() noexcept {
  if (start_in_child_ == nullptr || t_inside) return;
  Get().names_.Hold();
  holds_names_ = true;
}

void Recorder::Forked() noexcept {
  if (std::exchange(holds_names_, false)) Get().names_.LetGo();
}

// A forked child is not the process that was asked to record: it goes on without roofmark, or as a
// process of its own, and nothing it does reaches the parent's data.
void Recorder::DetachChild() noexcept {
  Recorder& recorder = Get();
  const bool can_be_recorded = holds_names_;
  Forked();
  const State state = recorder.state_.load();
  if (state == State::kOn || state == State::kStopped)
    recorder.state_.store(can_be_recorded ? State::kAwaitsRegion : State::kInChild);
  t_record = nullptr;
  if (recorder.key_) pthread_setspecific(*recorder.key_, nullptr);
  if (recorder.spool_ != nullptr) recorder.spool_->DetachInChild();
}

// What the parent's threads held a lock on, but names, is left alone.
bool Recorder::StartInChild() noexcept {
  State expected = State::kAwaitsRegion;
  const Inside inside;
  if (!inside || !state_.compare_exchange_strong(expected, State::kUndecided)) return false;
  auto* fresh = new (std::nothrow) Recorder(Get().names_);
  if (fresh == nullptr) {
    Decline();
    return false;
  }
  g_recorder = fresh;
  start_in_child_();
  return recording();
}

void Recorder::NoteMissed(std::string_view region) noexcept {
  State state = State::kInChild;
  if (state_.compare_exchange_strong(state, State::kOff)) return Missed::NoteInChild(region);
  if (state == State::kStopped) LateVisits::Note(region);
}

}  // namespace roofmark::markers
