// SPDX-License-Identifier: BSD-3-Clause
//
// The exported entry points. The two region functions hold the whole fast path: thread-local memory
// only, no lock, no heap, one clock read each.
#include <roofmark/roofmark.h>

#include <cstring>
#include <string_view>

#include "markers/recorder.h"

#define ROOFMARK_API extern "C" __attribute__((visibility("default")))

using roofmark::Ticks;
using roofmark::markers::Frame;
using roofmark::markers::g_recorder;
using roofmark::markers::Recorder;
using roofmark::markers::Slot;
using roofmark::markers::t_lane;
using roofmark::markers::ThreadState;

namespace {

__attribute__((noinline)) void SlowBegin(roofmark_site* site, int level) noexcept {
  Recorder& recorder = Recorder::Get();
  if (!recorder.Admit(site)) return;
  recorder.Begin(site->id, site->file, site->line, level);
}

__attribute__((noinline)) void SlowEnd(roofmark_site* site, uint64_t now) noexcept {
  Recorder& recorder = Recorder::Get();
  if (!recorder.Admit(site)) return;
  recorder.End(site->id, site->file, site->line, now);
}

}  // namespace

ROOFMARK_API void roofmark_region_begin(roofmark_site* site, int level) {
  ThreadState* lane = t_lane;
  if (__builtin_expect(lane == nullptr || !lane->simple, 0)) return SlowBegin(site, level);
  Frame* top = lane->top;
  const bool empty = top == lane->frames;
  const uint32_t parent = empty ? g_recorder->team_path.load(std::memory_order_relaxed) : top->path;
  bool team = false;
  if (lane->is_main && (empty || top->team)) {
    if (level < 0) level = g_recorder->OpenMpLevel();
    team = level == 0;
  }
  const ThreadState::Lookup& found = lane->LookupFor(parent, site->id);
  if (__builtin_expect(found.parent != parent || found.name != site->id || lane->overflow != 0 ||
                           lane->depth() == ThreadState::kMaxDepth,
                       0)) {
    return SlowBegin(site, level);
  }
  ++top;
  top->slot = found.slot;
  top->path = found.path;
  top->name = found.name;
  top->team = team;
  top->measured = true;
  ++found.slot->active;
  lane->top = top;
  if (team) g_recorder->team_path.store(found.path, std::memory_order_relaxed);
  top->start = Ticks();
}

ROOFMARK_API void roofmark_region_end(roofmark_site* site) {
  const uint64_t now = Ticks();
  ThreadState* lane = t_lane;
  if (__builtin_expect(lane == nullptr || !lane->simple, 0)) return SlowEnd(site, now);
  Frame* top = lane->top;
  if (__builtin_expect(top->name != site->id || site->id == 0 || lane->overflow != 0, 0)) {
    return SlowEnd(site, now);
  }
  Slot* slot = top->slot;
  const bool outermost = --slot->active == 0;
  slot->Commit(1, outermost ? now - top->start : 0);
  lane->top = top - 1;
  if (top->team) g_recorder->team_path.store((top - 1)->path, std::memory_order_relaxed);
}

ROOFMARK_API void roofmark_region_work(uint64_t flops, uint64_t bytes) {
  Recorder& recorder = Recorder::Get();
  if (recorder.Admit()) recorder.Work(flops, bytes);
}

ROOFMARK_API void roofmark_site_work(roofmark_site* site, uint64_t flops, uint64_t bytes) {
  Recorder& recorder = Recorder::Get();
  if (recorder.Admit(site)) recorder.Work(flops, bytes);
}

ROOFMARK_API int roofmark_active(void) { return Recorder::Get().Admit() ? 1 : 0; }

ROOFMARK_API const char* roofmark_version(void) { return ROOFMARK_VERSION_TEXT; }
