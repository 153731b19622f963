/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/keep.h"

#include "collectors/counting/valgrind/tool/pmu.h"
#include "lib/counts/kept_row.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

/* The time between two hand-overs is so many times what the last one took, but at most a second. */
enum { kRestPerCost = 100 };

static struct roof_room room;
static ULong room_used;
static Bool keeping;

static struct roof_kept_row* last_row; /* has the number of the last hand-over */
static struct roof_kept_row** row_of;  /* by number of the context; NULL: it is not kept */
static UInt known, capacity;           /* contexts in row_of, and room in it */
static ULong hand_overs;
static ULong ended_at, rest; /* the last one's end, and how long none follows, in ticks */
static ULong first_tick;     /* both clocks at the first one */
static UInt first_ms;

static ULong ticks(void) {
  UInt low, high;
  __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
  return (ULong)high << 32 | low;
}

static struct roof_kept_row* take_row(UInt worker, UInt path) {
  struct roof_kept_row* row = roof_kept_at(room.rows, ROOF_COUNTERS, room_used++);
  row->worker = worker;
  row->path = path;
  return row;
}

static Bool is_kept(const struct roof_context* context) {
  return context->layer == ROOF_LAYER_WORK && context->path != 0 && context->path != ROOF_NOWHERE &&
         !roof_nests_has_path(&contexts.nests, context->path);
}

/* False if there is no row for some context. */
static Bool give_rows(void) {
  if (contexts.all.count > capacity) {
    capacity = 2 * contexts.all.count;
    row_of = VG_(realloc)("roofmark", row_of, capacity * sizeof *row_of);
  }
  for (; known < contexts.all.count; ++known) {
    const struct roof_context* context = contexts.all.item[known];
    const Bool kept = is_kept(context);
    if (kept && room_used == room.count) return False;
    row_of[known] = kept ? take_row(context->thread, context->path) : NULL;
  }
  return True;
}

void keep_take_room(const struct roof_room* given) {
  keeping = given->count > 0;
  if (!keeping) return;
  room = *given;
  room_used = 0;
  if (!last_row) last_row = take_row(0, 0);
}

Bool keep_wants_room(void) { return keeping && !give_rows(); }

static Bool is_current(const struct roof_kept_row* row, const uint64_t* counters) {
  static const uint64_t nothing[ROOF_COUNTERS];
  const uint64_t* now = row->sequence
                            ? roof_kept_words(roof_kept_copy_of(row, ROOF_COUNTERS, row->sequence))
                            : nothing;
  return VG_(memcmp)(now, counters, sizeof nothing) == 0;
}

static void write_row(struct roof_kept_row* row, const uint64_t* counters) {
  struct roof_kept_copy* copy = roof_kept_begin(row, ROOF_COUNTERS);
  for (UInt i = 0; i < ROOF_COUNTERS; ++i) roof_kept_put(roof_kept_words(copy) + i, counters[i]);
  roof_kept_commit(row, copy, 0, hand_overs);
}

/* A hand-over during which another process had the CPU seems to be dear. */
static void choose_rest(ULong cost) {
  const UInt ms = VG_(read_millisecond_timer)();
  if (!first_tick) first_tick = ended_at, first_ms = ms;
  rest = kRestPerCost * cost;
  if (ms == first_ms) return;
  const ULong second = (ended_at - first_tick) / (ms - first_ms) * 1000;
  if (rest > second) rest = second;
}

/* The row with the number comes last: a reader who finds it finds all of that hand-over. */
void keep_now(void) {
  static const uint64_t nothing[ROOF_COUNTERS];
  if (!keeping || !give_rows()) return;
  const ULong begun_at = ticks();
  pmu_flush();
  pmu_count_dirty();
  ++hand_overs;
  for (UInt i = 0; i < known; ++i) {
    struct roof_context* context = contexts.all.item[i];
    if (!row_of[i]) continue;
    roof_context_fold(&contexts, context);
    if (!is_current(row_of[i], context->counters)) write_row(row_of[i], context->counters);
  }
  write_row(last_row, nothing);
  ended_at = ticks();
  choose_rest(ended_at - begun_at);
}

void keep_when_due(void) {
  if (keeping && ticks() - ended_at > rest) keep_now();
}

void keep_stop(void) {
  keeping = False;
  known = 0;
  last_row = NULL;
}
