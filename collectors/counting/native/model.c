/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cache model behind the trails of all threads: each has a lane, and simulates its accesses by
 * itself when its trail is full, when it waits in a system call, and when its context changes. */
#include <time.h>

#include "collectors/counting/native/areas.h"
#include "collectors/counting/native/signals.h"
#include "collectors/counting/native/system_call.h"
#include "collectors/counting/native/threads.h"
#include "collectors/counting/native/translator.h"

enum { kFirstTraffic = 256 };

static struct {
  roof_native_accesses take; /* NULL: nobody listens */
  void* cookie;
  uint32_t locked;
} listener;

static void tell_listener(const struct roof_context* context, const uint64_t* records,
                          size_t count) {
  while (__atomic_exchange_n(&listener.locked, 1, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
  listener.take(listener.cookie, context->thread, context->path, context->layer, context->extent,
                records, count);
  __atomic_store_n(&listener.locked, 0, __ATOMIC_RELEASE);
}

void roof_native_simulate(struct roof_native_area* area, const uint64_t* records, size_t count) {
  const struct roof_context* context = area->context;
  const struct roof_native_thread* thread = area->user;
  if (context->extent == ROOF_NATIVE_NOTHING) return;
  if (listener.take) tell_listener(context, records, count);
  if (context->extent == ROOF_NATIVE_CHEAP || !thread->lane) return;
  struct roof_native_bursts* bursts = &roof_native_process.bursts;
  const uint64_t* asked = &context->counters[roof_native_process.asked];
  const uint64_t before = *asked;
  roof_cache_lane_run(thread->lane, context->number, records, count);
  if (bursts->ticks) __atomic_add_fetch(&bursts->asked, *asked - before, __ATOMIC_RELAXED);
}

static void take(void* cookie, struct roof_native_area* area, const uint64_t* records,
                 size_t count) {
  (void)cookie;
  roof_native_note(area->user, records, count);
  roof_native_simulate(area, records, count);
}

static uint64_t read_clock(clockid_t clock) {
  struct timespec now = {0, 0}; /* it stays so if the call fails */
  roof_native_system_call(SYS_clock_gettime, clock, (long)&now, 0);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct roof_native_clocks read_clocks(void) {
  struct roof_native_clocks clocks = {0, 0};
  if (roof_native_process.sandboxed) return clocks;
  clocks.realtime = read_clock(CLOCK_REALTIME);
  clocks.cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID);
  return clocks;
}

int roof_native_start_model(const struct roof_native_model* model) {
  struct roof_native_process* process = &roof_native_process;
  const struct roof_cache_config config = {.geometry = model->geometry,
                                           .line_sampling = model->line_sampling,
                                           .memory = process->memory};
  if (model->geometry.levels == 0) return 1;
  process->cache = roof_cache_create(&config);
  if (!process->cache) return 0;
  process->cache_levels = model->geometry.levels;
  process->asked =
      ROOF_C_L1_READ_BYTES + 2 * (model->geometry.levels > 1 ? model->geometry.levels - 2 : 0);
  if (model->burst_ticks &&
      !roof_native_bursts_start(&process->bursts, &process->memory, model->burst_ticks,
                                model->geometry.size_bytes[model->geometry.levels - 1]))
    return 0;
  process->bursts.clocks = read_clocks;
  roof_native_trace(process->native, (uint32_t)__builtin_ctz(model->line_sampling), take, NULL);
  return roof_native_start_windows(model);
}

/* The model looks at each line again, so it may be given more of them. The main thread has its room
 * already. */
void roof_native_listen(uint32_t line_sampling, roof_native_accesses take_accesses, void* cookie) {
  struct roof_native_process* process = &roof_native_process;
  const uint32_t wanted = (uint32_t)__builtin_ctz(line_sampling);
  const uint32_t modelled = process->native->reader.shift;
  if (!process->main->room->trail && !roof_native_open_trail(process->main->room, &process->memory))
    return;
  listener.cookie = cookie;
  listener.take = take_accesses;
  roof_native_trace(process->native, process->cache && modelled < wanted ? modelled : wanted, take,
                    NULL);
}

/* A thread that takes the place of another one has its lane, which is empty. */
int roof_native_give_lane(struct roof_native_thread* thread) {
  struct roof_cache* cache = roof_native_process.cache;
  if (cache && !thread->lane) thread->lane = roof_cache_lane_begin(cache);
  return !cache || thread->lane;
}

/* Threads may read the table before, which stays. */
static int make_room(uint32_t number) {
  struct roof_native_process* process = &roof_native_process;
  if (number < process->traffic_capacity) return 1;
  const uint32_t capacity =
      process->traffic_capacity ? 2 * process->traffic_capacity : kFirstTraffic;
  uint64_t** more = roof_memory_allocate(&process->memory, capacity * sizeof *more);
  if (!more) return 0;
  for (uint32_t i = 0; i < process->traffic_capacity; ++i) more[i] = process->traffic[i];
  process->traffic = more;
  process->traffic_capacity = capacity;
  return 1;
}

int roof_native_tell_model(const struct roof_context* context) {
  struct roof_native_process* process = &roof_native_process;
  const struct roof_context_list* all = &process->contexts.all;
  if (!process->cache) return 1;
  if (!make_room(all->count)) return 0;
  if (process->traffic[context->number]) return 1;
  process->traffic[context->number] = all->item[context->number]->counters;
  roof_cache_set_contexts(process->cache, process->traffic, all->count);
  return 1;
}

void roof_native_count_dirty(void) {
  struct roof_cache* cache = roof_native_process.cache;
  if (!cache) return;
  roof_cache_lock(cache);
  roof_cache_count_dirty(cache);
  roof_cache_unlock(cache);
}

void roof_native_hand_over(struct roof_native_thread* thread, uint64_t stack_pointer) {
  if (!thread || !thread->area || !roof_native_process.native->traced) return;
  if (roof_native_is_in_handler(thread, stack_pointer)) return;
  roof_native_flush(thread->area);
}
