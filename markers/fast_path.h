// SPDX-License-Identifier: BSD-3-Clause
//
// The whole fast path of a region's begin and end: thread-local memory only, no lock, no heap, one
// clock read each. Where they return false nothing was done and the recorder's complete ways serve.
#ifndef ROOFMARK_MARKERS_FAST_PATH_H_
#define ROOFMARK_MARKERS_FAST_PATH_H_

#include "markers/recorder.h"

namespace roofmark::markers {

// `name` is interned; `level` as in roofmark_site_begin. Reads the clock last.
inline bool TryBegin(uint32_t name, int level) {
  ThreadRecord* record = t_record;
  if (__builtin_expect(record == nullptr || !record->simple.load(std::memory_order_relaxed), 0))
    return false;
  Frame* top = record->top;
  const bool empty = top == record->frames;
  const uint32_t parent = empty ? g_recorder->team_path.load(std::memory_order_relaxed) : top->path;
  bool team = false;
  if (record->is_main && (empty || top->team)) {
    if (level < 0) level = g_recorder->openmp().Level();
    team = level == 0;
  }
  const ThreadRecord::Lookup& found = record->LookupFor(parent, name);
  if (__builtin_expect(found.parent != parent || found.name != name || record->overflow != 0 ||
                           record->depth() == ThreadRecord::kMaxDepth,
                       0)) {
    return false;
  }
  ++top;
  top->accumulator = found.accumulator;
  top->path = found.path;
  top->name = found.name;
  top->team = team;
  top->measured = true;
  ++found.accumulator->active;
  record->top = top;
  if (team) g_recorder->team_path.store(found.path, std::memory_order_relaxed);
  top->start = Ticks();
  return true;
}

// `now` was read on entry, so that as little as possible is charged to the region.
inline bool TryEnd(uint32_t name, uint64_t now) {
  ThreadRecord* record = t_record;
  if (__builtin_expect(record == nullptr || !record->simple.load(std::memory_order_relaxed), 0))
    return false;
  Frame* top = record->top;
  if (__builtin_expect(top->name != name || name == 0 || record->overflow != 0, 0)) return false;
  Accumulator* accumulator = top->accumulator;
  const uint32_t active = accumulator->active - 1;
  accumulator->Commit(1, active == 0 ? now - top->start : 0);
  // After the commit: a process killed in between has finished this visit.
  accumulator->active = active;
  record->top = top - 1;
  if (top->team) g_recorder->team_path.store((top - 1)->path, std::memory_order_relaxed);
  return true;
}

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_FAST_PATH_H_
