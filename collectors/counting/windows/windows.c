/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/windows/windows.h"

#include <stddef.h>

#include "collectors/counting/cache/record.h"
#include "collectors/counting/windows/code.h"
#include "collectors/counting/windows/memory_streams.h"

/* A context that does not come back while others execute so many times what a window has room for
 * lets them have one. In words of the trace: of batches, which may hold one visit or a hundred
 * thousand instructions, any number is too many for some programs and too few for others. */
enum { kPatience = 10, kMostOfOne = 32, kLineShift = 6 };
/* Pages are followed for a quarter of the way to a window, and for no context longer than for four
 * times as long: all accesses would cost a third of the time of the whole pass. */
enum { kLead = 4, kLongest = 4 };
enum { kMostHalved = 16 };

int roof_windows_start(struct roof_windows* windows, const struct roof_memory* memory,
                       const struct roof_window_plan* plan, const struct roof_latencies* latencies,
                       struct roof_cache_feed* feed, uint32_t levels,
                       const struct roof_line_sampling* sampling) {
  const struct roof_windows fresh = {
      .memory = *memory,
      .plan = *plan,
      .feed = feed,
      .levels = levels,
      .has_walks = latencies->second_tlb || latencies->walk_cache || latencies->walk_dram};
  *windows = fresh;
  if (sampling && !(windows->found = roof_found_levels_create(memory, sampling))) return 0;
  if (latencies->mispredicted && !roof_window_branches_start(&windows->branches, memory)) return 0;
  /* A window ends with a segment. */
  windows->flow = roof_dataflow_create(memory, latencies, plan->instructions + ROOF_CODE_MOST);
  return windows->flow != NULL;
}

int roof_windows_follow_pages(struct roof_windows* windows, const struct roof_files* files,
                              uint32_t slots) {
  if (!windows->has_walks) return 1;
  return roof_page_walks_start(&windows->walks, &windows->memory, files, slots);
}

/* When the context's next window is due; its first one comes when it has done as much as one has
 * room for, with caches that are not as empty as at the start. NULL without memory. */
static struct roof_window_due* due_of(struct roof_windows* windows,
                                      const struct roof_context* context) {
  if (context->number >= windows->capacity) {
    const struct roof_window_due first = {windows->plan.instructions, 0};
    const uint32_t capacity = 2 * context->number + 64;
    struct roof_window_due* due = roof_memory_allocate(&windows->memory, capacity * sizeof *due);
    if (!due) return NULL;
    for (uint32_t i = 0; i < capacity; ++i)
      due[i] = i < windows->capacity ? windows->due[i] : first;
    roof_memory_release(&windows->memory, windows->due, windows->capacity * sizeof *due);
    windows->due = due;
    windows->capacity = capacity;
  }
  return &windows->due[context->number];
}

/* How often its windows were halved: each stands for 2 to the power of that. */
static unsigned halved(const struct roof_windows* windows, const struct roof_window_due* due) {
  if (!windows->plan.dense) return 0;
  const uint32_t times = due->taken / windows->plan.dense;
  return times < kMostHalved ? times : kMostHalved;
}

static uint64_t lead_of(const struct roof_windows* windows) {
  return (uint64_t)windows->plan.instructions * windows->plan.one_in / kLead;
}

static void follow(struct roof_windows* windows, struct roof_context* context) {
  windows->followed = context;
  windows->followed_words = 0;
  roof_page_walks_restart(&windows->walks);
}

static void open_window(struct roof_windows* windows, struct roof_context* context) {
  if (!windows->followed) follow(windows, context);
  windows->owner = context;
  windows->executed = 0;
  windows->counted = 0;
  windows->words = 0;
  windows->others = 0;
  const struct roof_memory_streams none = {.came = 0};
  windows->streams = none;
  if (windows->found) roof_found_levels_begin(windows->found);
  roof_dataflow_begin(windows->flow);
}

static void add_to(uint64_t* counters, const struct roof_flow_result* result, int64_t counted,
                   unsigned shift) {
  counters[ROOF_C_WINDOW_INSTRUCTIONS] += (uint64_t)counted << shift;
  counters[ROOF_C_WINDOW_CYCLES] += result->cycles << shift;
  for (uint32_t cause = 0; cause < ROOF_FLOW_CAUSES; ++cause)
    counters[ROOF_C_WINDOW_FP_CYCLES + cause] += result->cause[cause] << shift;
}

/* If there are more places than are kept, the least of them gives way and leaves its cycles
 * (Metwally, Agrawal, El Abbadi, Efficient Computation of Frequent and Top-k Elements, ICDT 2005).
 */
static void add_critical(struct roof_critical* critical, const struct roof_flow_place* place,
                         unsigned shift) {
  const uint64_t cycles = place->cycles << shift;
  uint32_t least = 0;
  if (!cycles) return;
  for (uint32_t i = 0; i < ROOF_CRITICAL_PLACES; ++i) {
    if (critical[i].cycles && critical[i].place == place->place) {
      critical[i].cycles += cycles;
      return;
    }
    if (critical[i].cycles < critical[least].cycles) least = i;
  }
  critical[least].place = place->place;
  critical[least].cycles += cycles;
}

void roof_windows_finish(struct roof_windows* windows) {
  struct roof_context* owner = windows->owner;
  if (!owner) return;
  windows->owner = NULL;
  roof_window_branches_settle(&windows->branches, windows->flow);
  if (windows->followed == owner) windows->followed = NULL;
  struct roof_window_due* due = due_of(windows, owner);
  if (!due) return;
  const unsigned shift = halved(windows, due);
  ++due->taken;
  due->words = windows->words * (((uint64_t)windows->plan.one_in << shift) - 1);
  if (windows->counted <= 0) return; /* nothing but warm-up, or steps of repeated strings */
  struct roof_flow_result result;
  roof_dataflow_end(windows->flow, &result);
  add_to(owner->counters, &result, windows->counted, shift);
  owner->counters[ROOF_C_WINDOW_LINES] += (uint64_t)windows->streams.lines << shift;
  owner->counters[ROOF_C_WINDOW_STREAM_LINES] += (uint64_t)windows->streams.most << shift;
  for (uint32_t i = 0; i < ROOF_FLOW_TOP_PLACES; ++i)
    add_critical(owner->critical, &result.top[i], shift);
}

static int simulate(struct roof_windows* windows, uint32_t slot, const struct roof_context* context,
                    uint64_t record) {
  if (windows->simulate) return windows->simulate(windows->simulate_cookie, slot, context, record);
  return roof_cache_feed_run(windows->feed, slot, context, &record, 1);
}

/* Simulates the access in the cache model, whose counters then tell where it was found. */
static unsigned found_in(struct roof_windows* windows, uint32_t slot,
                         const struct roof_context* context, uint64_t record) {
  uint64_t before[ROOF_FLOW_LEVELS] = {0};
  const uint64_t* read = &context->counters[ROOF_C_L1_READ_BYTES]; /* then write, L2 read ... */
  size_t level = ROOF_FLOW_L1;
  for (size_t i = 0; i < windows->levels; ++i) before[i] = read[2 * i];
  if (!simulate(windows, slot, context, record)) return ROOF_FLOW_L1;
  while (level < windows->levels && read[2 * level] != before[level]) ++level;
  return level == windows->levels ? ROOF_FLOW_DRAM : (unsigned)level;
}

static unsigned level_of(struct roof_windows* windows, uint32_t slot, uint64_t key,
                         uint64_t record) {
  const unsigned level = found_in(windows, slot, windows->owner, record);
  if (!windows->found) return level;
  return roof_found_levels_of(windows->found, key, ROOF_RECORD_ADDRESS(record), level);
}

static void take_instruction(struct roof_windows* windows, uint32_t slot,
                             const struct roof_code_instruction* instruction, const uint64_t* tag,
                             const uint64_t* address) {
  struct roof_flow_access access[kMostOfOne];
  struct roof_flow_step step = {&instruction->operands, instruction->place, access, 0, 0};
  for (uint32_t i = 0; i < instruction->accesses; ++i) {
    if (!address[i]) continue; /* it did not take place */
    const uint64_t record = address[i] | tag[i];
    const unsigned level = level_of(windows, slot, instruction->place * kMostOfOne + i, record);
    const int is_store = (int)(record >> ROOF_RECORD_ADDRESS_BITS & 1) || record >> 63;
    const enum roof_flow_page page =
        roof_page_walks_touch(&windows->walks, slot, ROOF_RECORD_ADDRESS(record));
    const struct roof_flow_access one = {ROOF_RECORD_ADDRESS(record),
                                         (uint32_t)ROOF_RECORD_EXTENT(record) + 1, (uint8_t)level,
                                         (uint8_t)is_store, (uint8_t)page};
    if (step.accesses < kMostOfOne) access[step.accesses++] = one;
    if (level == ROOF_FLOW_DRAM)
      roof_memory_streams_add(&windows->streams, one.address >> kLineShift, windows->is_measured);
  }
  if (windows->branches.predictor) {
    roof_window_branches_step(&windows->branches, windows->flow, slot, instruction, &step);
  } else {
    roof_dataflow_step(windows->flow, &step);
  }
}

/* Returns what follows the segment. */
static const uint64_t* take_segment(struct roof_windows* windows, uint32_t slot,
                                    const uint64_t* next) {
  const struct roof_descriptor* descriptor = (const struct roof_descriptor*)*next++;
  const struct roof_code* code = descriptor->code;
  const uint64_t* tag = descriptor->tag;
  const uint32_t before = windows->executed;
  if (windows->owner->executions) ++windows->owner->executions[descriptor->id];
  windows->executed += code->instructions;
  windows->is_measured = before >= windows->plan.warm_up;
  if (windows->is_measured) windows->counted += code->counted;
  for (uint32_t i = 0; i < code->instructions; ++i) {
    take_instruction(windows, slot, &code->instruction[i], tag, next);
    tag += code->instruction[i].accesses;
    next += code->instruction[i].accesses;
  }
  if (before < windows->plan.warm_up && windows->executed >= windows->plan.warm_up) {
    roof_window_branches_settle(&windows->branches, windows->flow);
    roof_dataflow_measure(windows->flow);
  }
  return next;
}

/* Whether this batch belongs to a window. */
int roof_windows_want(struct roof_windows* windows, struct roof_context* context, uint64_t words) {
  if (windows->followed && (windows->followed_words += words) > kLongest * lead_of(windows) &&
      windows->followed != windows->owner)
    windows->followed = windows->owner;
  if (context->layer != ROOF_LAYER_WORK) return 0;
  if (windows->owner == context) return 1;
  if (windows->owner &&
      (windows->others += words) > (uint64_t)kPatience * windows->plan.instructions)
    roof_windows_finish(windows);
  struct roof_window_due* due = due_of(windows, context);
  if (!due) return 0;
  if (!windows->followed && due->words <= lead_of(windows)) follow(windows, context);
  if (due->words > words) {
    due->words -= words;
    return 0;
  }
  due->words = 0;
  if (windows->owner) return 0;
  open_window(windows, context);
  return 1;
}

const uint64_t* roof_windows_fill(struct roof_windows* windows, uint32_t slot, const uint64_t* next,
                                  const uint64_t* end) {
  const uint64_t* begin = next;
  windows->others = 0;
  while (next < end && windows->executed < windows->plan.instructions)
    next = take_segment(windows, slot, next);
  windows->words += (uint64_t)(next - begin);
  if (windows->executed >= windows->plan.instructions) roof_windows_finish(windows);
  return next;
}

const uint64_t* roof_windows_take(void* cookie, uint32_t slot, struct roof_context* context,
                                  const uint64_t* next, const uint64_t* end) {
  struct roof_windows* windows = cookie;
  const struct roof_code* first = ((const struct roof_descriptor*)*next)->code;
  roof_windows_go_on(windows, slot, first->instructions ? first->instruction->place : 0);
  if (!roof_windows_want(windows, context, (uint64_t)(end - next))) return next;
  return roof_windows_fill(windows, slot, next, end);
}
