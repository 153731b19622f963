// SPDX-License-Identifier: BSD-3-Clause
//
// The whole fast path of a region's begin and end, and of declared work: thread-local memory only,
// no lock, no heap, at most one clock read each. Where they return false nothing was done and the
// recorder's complete ways serve. A signal handler's markers may interrupt them anywhere.
#ifndef ROOFMARK_MARKERS_FAST_PATH_H_
#define ROOFMARK_MARKERS_FAST_PATH_H_

#include <string_view>

#include "lib/core/inside.h"
#include "markers/recorder.h"

namespace roofmark::markers {

// `name` is interned; `level` as in roofmark_site_begin. Reads the clock last.
inline bool TryBegin(uint32_t name, int level) {
  const InsideMark mark;
  if (__builtin_expect(!mark, 0)) return false;
  ThreadRecord* record = t_record;
  if (__builtin_expect(record == nullptr || !record->simple.load(std::memory_order_relaxed), 0))
    return false;
  Frame* top = record->top;
  const bool empty = top == record->frames;
  const Place around = empty ? g_recorder->team_place.load(std::memory_order_relaxed) : top->place;
  bool team = false;
  if (record->is_main && (empty || top->team)) {
    if (level < 0) level = g_recorder->openmp().Level();
    team = level == 0;
  }
  const ThreadRecord::Lookup& found = record->LookupFor(around, name);
  if (__builtin_expect(
          !found.Is(around, name) || record->overflow != 0 || record->is_full() || found.is_long,
          0)) {
    return false;
  }
  ++top;
  top->accumulator = found.accumulator;
  top->place = found.place;
  top->name = name;
  top->team = team;
  top->measured = true;
  top->watched = false;
  const bool recorded = found.accumulator != nullptr;
  if (__builtin_expect(recorded, 1)) {
    spool::Put(found.accumulator->active, found.accumulator->active + 1);
  }
  record->top = top;
  if (team) g_recorder->team_place.store(found.place, std::memory_order_relaxed);
  if (__builtin_expect(recorded, 1)) top->start = Ticks();
  return true;
}

// `now` was read on entry, so that as little as possible is charged to the region.
inline bool TryEnd(uint32_t name, uint64_t now) {
  const InsideMark mark;
  if (__builtin_expect(!mark, 0)) return false;
  ThreadRecord* record = t_record;
  if (__builtin_expect(record == nullptr || !record->simple.load(std::memory_order_relaxed), 0))
    return false;
  Frame* top = record->top;
  if (__builtin_expect(top->name != name || name == 0 || record->overflow != 0, 0)) return false;
  Accumulator* accumulator = top->accumulator;
  if (__builtin_expect(accumulator != nullptr, 1)) {
    if (__builtin_expect(top->watched || now - top->start >= record->kernel.long_visit(), 0)) {
      return false;
    }
    const uint32_t active = accumulator->active - 1;
    accumulator->Commit(1, active == 0 ? now - top->start : 0);
    // After the commit: a process killed in between has finished this visit.
    spool::Put(accumulator->active, active);
  }
  record->top = top - 1;
  if (top->team) g_recorder->team_place.store((top - 1)->place, std::memory_order_relaxed);
  return true;
}

// What this thread knows of a name that it has resolved at this address before; `id` is 0 if it did
// not.
struct TriedName {
  uint32_t id = 0;
  RegionsOf regions = RegionsOf::kUnknown;
};
inline TriedName TryName(std::string_view name) {
  const InsideMark mark;
  if (!mark || t_record == nullptr || name.size() > KnownName::kText) return {};
  const KnownName& known = t_record->KnownNameAt(name.data());
  return known.Is(name) ? TriedName{known.id, known.regions} : TriedName{};
}

// `add(work)` adds to what the calling thread has declared in its region. False, like it, if
// something must be prepared first (Recorder::PrepareWork).
template <typename Add>
bool TryDeclare(Add add) {
  const InsideMark mark;
  if (!mark) return false;
  if (g_recorder->paused()) return true;
  const ThreadRecord* record = t_record;
  DeclaredWork* work = record == nullptr ? nullptr : record->FindWork(g_recorder->PathHere(record));
  return work != nullptr && add(*work);
}

// The same for time inside MPI and in parallel regions, which goes on in a pause. Lost where the
// visit is not measured.
template <typename Add>
bool TryTime(Add add) {
  const InsideMark mark;
  if (!mark) return false;
  const ThreadRecord* record = t_record;
  if (record == nullptr) return false;
  if (record->depth() > 0 && !record->top->measured) return true;
  DeclaredWork* work = record->FindWork(g_recorder->PathHere(record));
  if (work != nullptr) add(*work);
  return work != nullptr;
}

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_FAST_PATH_H_
