/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Borders of nests that a thread crosses again, without the lock: each thread keeps what the last
 * crossings did to its visits and where they led. Runs on the dispatcher's stack while vector
 * registers hold the program's values: the build lets the compiler use general registers alone. */
#include "collectors/counting/native/areas.h"
#include "collectors/counting/native/threads.h"

enum { kRsp = 4 };

static struct roof_native_way* way_of(struct roof_native_thread* thread,
                                      const struct roof_context* context,
                                      const struct roof_native_crossing* crossing) {
  const uint64_t mixed = ((uint64_t)(uintptr_t)crossing >> 3 ^ (uint64_t)(uintptr_t)context << 9) *
                         UINT64_C(0x9E3779B97F4A7C15);
  return &thread->ways[mixed >> 56];
}

static const struct roof_visit* innermost(const struct roof_nesting* nesting, uint32_t without) {
  return nesting->depth > without ? &nesting->visit[nesting->depth - 1 - without] : NULL;
}

static int has_ended(const struct roof_visit* visit, uint64_t stack_pointer) {
  return visit && visit->stack_pointer < stack_pointer;
}

static int is_same(const struct roof_visit* visit, const struct roof_visit* other) {
  return visit && visit->nest == other->nest && visit->path == other->path &&
         visit->base == other->base && visit->again == other->again && visit->back == other->back;
}

/* As the visits were when it was kept. 0: otherwise. */
static int leave_visit(struct roof_nesting* nesting, const struct roof_native_way* way,
                       uint64_t stack_pointer) {
  const struct roof_visit* visit = innermost(nesting, 0);
  const int by_return = way->crossing->kind == ROOF_CROSSES_BY_RETURN;
  if (!is_same(visit, &way->visit) || has_ended(visit, stack_pointer) != by_return) return 0;
  if (has_ended(innermost(nesting, 1), stack_pointer)) return 0;
  --nesting->depth;
  return 1;
}

static int enter_visit(struct roof_nesting* nesting, const struct roof_native_way* way,
                       uint64_t stack_pointer) {
  const struct roof_nests* nests = &roof_native_process.contexts.nests;
  const struct roof_visit* around = innermost(nesting, 0);
  const uint32_t nest = way->visit.nest;
  if (has_ended(around, stack_pointer) || nesting->depth == nesting->capacity) return 0;
  if (way->crossing->kind == ROOF_CROSSES_BY_BEGIN && around && around->nest == nest &&
      around->stack_pointer == stack_pointer)
    return 0; /* it is there already */
  struct roof_visit* visit = &nesting->visit[nesting->depth];
  *visit = way->visit;
  visit->stack_pointer = roof_nests_end_of_frame(nests, nesting, nest, stack_pointer);
  ++nesting->depth;
  if (way->entered) ++way->entered->entries;
  return 1;
}

/* A jump within its nest: most of those through tables are. */
static int stays(const struct roof_native_crossing* crossing, uint64_t to) {
  const struct roof_nests* nests = &roof_native_process.contexts.nests;
  return roof_native_nest_reached(nests, crossing, to) == crossing->from;
}

int roof_native_cross_again(void* cookie, struct roof_native_area* area,
                            const struct roof_native_crossing* crossing, const void** code) {
  struct roof_native_thread* thread = area->user;
  const struct roof_native_way* way = way_of(thread, area->context, crossing);
  struct roof_nesting* nesting = &roof_native_process.contexts.threads[thread->slot].nesting;
  const uint64_t sp = area->registers[kRsp];
  (void)cookie;
  if (roof_native_burst_is_over(&roof_native_process.bursts, thread->burst)) return 0;
  if (crossing->kind == ROOF_CROSSES_BY_JUMP)
    return !has_ended(innermost(nesting, 0), sp) && stays(crossing, area->pc);
  if (way->crossing != crossing || way->from != area->context || way->epoch != area->epoch)
    return 0;
  if (way->leaves ? !leave_visit(nesting, way, sp) : !enter_visit(nesting, way, sp)) return 0;
  *code = way->code;
  roof_native_be_in(area, way->to);
  return 1;
}

static int is_left_simply(const struct roof_native_crossing* crossing,
                          const struct roof_nesting_change* change, uint32_t depth) {
  const struct roof_nests* nests = &roof_native_process.contexts.nests;
  if (depth + 1 != change->depth || change->innermost.back) return 0;
  if (crossing->kind == ROOF_CROSSES_BY_RETURN) return 1;
  return crossing->kind == ROOF_CROSSES_ON_ITS_WAY && !change->ended &&
         change->innermost.nest == crossing->from &&
         roof_nests_around(nests, crossing->from) == crossing->to;
}

static int is_entered_simply(const struct roof_native_crossing* crossing,
                             const struct roof_nesting_change* change, uint32_t depth) {
  const struct roof_nests* nests = &roof_native_process.contexts.nests;
  if (depth != change->depth + 1 || change->ended) return 0;
  return crossing->kind == ROOF_CROSSES_BY_CALL || crossing->kind == ROOF_CROSSES_BY_BEGIN ||
         (crossing->kind == ROOF_CROSSES_ON_ITS_WAY &&
          roof_nests_around(nests, crossing->to) == crossing->from);
}

/* One visit was entered or left, and nothing else; the area is the same. */
void roof_native_keep_way(const struct roof_native_area* area,
                          const struct roof_native_crossing* crossing,
                          const struct roof_nesting_change* change) {
  struct roof_native_thread* thread = area->user;
  const struct roof_nesting* nesting = &roof_native_process.contexts.threads[thread->slot].nesting;
  const struct roof_context* from = change->context;
  struct roof_context* to = area->context;
  struct roof_native_way* way = way_of(thread, from, crossing);
  const int leaves = is_left_simply(crossing, change, nesting->depth);
  thread->last_way = NULL;
  way->crossing = NULL;
  if (thread->area != area || area->epoch != change->epoch) return;
  if (from->layer != ROOF_LAYER_WORK || to->layer != ROOF_LAYER_WORK) return;
  if (!leaves && !is_entered_simply(crossing, change, nesting->depth)) return;
  const struct roof_visit* entered = innermost(nesting, 0);
  if (!leaves && !entered->again && entered->path != to->path) return;
  way->from = from;
  way->to = to;
  way->code = NULL;
  way->epoch = area->epoch;
  way->leaves = (uint32_t)leaves;
  way->visit = leaves ? change->innermost : *entered;
  way->entered = leaves || entered->again ? NULL : to;
  way->crossing = crossing;
  thread->last_way = way;
}

void roof_native_way_led_to(void* cookie, struct roof_native_area* area, const void* code) {
  const struct roof_native_thread* thread = area->user;
  struct roof_native_way* way = thread->last_way;
  (void)cookie;
  /* Where it arrived it may have gone on in another area, whose code is another one. */
  if (way && thread->area == area && area->context == way->to) way->code = code;
}
