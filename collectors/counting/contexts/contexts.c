/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/contexts/contexts.h"

/* Contexts with an array of execution counts: beyond the live threads', at most so many. */
enum { kLiveArrays = 512, kFirstCapacity = 4096, kFirstList = 256 };
enum { kMainThread = 1 }; /* its serial */

int roof_contexts_start(struct roof_contexts* contexts, const struct roof_memory* memory,
                        struct roof_segments* segments, uint32_t slots) {
  contexts->memory = *memory;
  contexts->segments = segments;
  contexts->nests.memory = *memory;
  contexts->slots = slots;
  contexts->threads = roof_memory_allocate(memory, slots * sizeof *contexts->threads);
  return contexts->threads != NULL;
}

void roof_contexts_thread_created(struct roof_contexts* contexts, uint32_t slot) {
  const uint32_t before = contexts->threads[slot].before;
  const struct roof_thread fresh = {.serial = before ? before : ++contexts->threads_created,
                                    .layers = contexts->threads[slot].layers,
                                    .nesting = contexts->threads[slot].nesting};
  contexts->threads[slot] = fresh;
  roof_layers_forget(&contexts->threads[slot].layers);
  contexts->threads[slot].nesting.depth = 0;
}

static uint32_t accept_path(struct roof_contexts* contexts, uint64_t path) {
  const int is_nests =
      contexts->nests.count && path >= ROOF_FIRST_NEST_PATH && path != ROOF_MAX_PATHS - 1;
  if (path < ROOF_MAX_PATHS && !is_nests) return (uint32_t)path;
  ++contexts->lost_paths;
  return 0;
}

void roof_contexts_set_team_path(struct roof_contexts* contexts, uint64_t path) {
  contexts->team_path = accept_path(contexts, path);
}

void roof_contexts_set_own_path(struct roof_contexts* contexts, uint32_t slot, uint64_t path) {
  contexts->threads[slot].own_path = accept_path(contexts, path);
}

void roof_contexts_forget_layers(struct roof_contexts* contexts) {
  for (uint32_t slot = 0; slot < contexts->slots; ++slot)
    roof_layers_forget(&contexts->threads[slot].layers);
}

static int append(const struct roof_memory* memory, struct roof_context_list* list,
                  struct roof_context* context) {
  if (list->count == list->capacity) {
    const uint32_t capacity = list->capacity ? 2 * list->capacity : kFirstList;
    struct roof_context** item = roof_memory_allocate(memory, capacity * sizeof *item);
    if (!item) return 0;
    for (uint32_t i = 0; i < list->count; ++i) item[i] = list->item[i];
    roof_memory_release(memory, list->item, list->capacity * sizeof *item);
    list->item = item;
    list->capacity = capacity;
  }
  list->item[list->count++] = context;
  return 1;
}

static struct roof_context* add(struct roof_contexts* contexts, uint64_t key) {
  struct roof_context* context = roof_memory_allocate(&contexts->memory, sizeof *context);
  if (!context) return NULL;
  context->entry.hash = key;
  context->number = contexts->all.count;
  if (append(&contexts->memory, &contexts->all, context)) {
    if (roof_table_add(&contexts->table, &contexts->memory, &context->entry)) return context;
    --contexts->all.count;
  }
  roof_memory_release(&contexts->memory, context, sizeof *context);
  return NULL;
}

static struct roof_context* find_or_add_in(struct roof_contexts* contexts, uint32_t thread,
                                           uint32_t path, uint32_t layer, uint32_t extent) {
  const uint64_t key =
      (uint64_t)thread << 32 | (uint64_t)extent << 28 | (uint64_t)layer << 24 | path;
  struct roof_context* context = (struct roof_context*)roof_table_find(&contexts->table, key);
  if (context) return context;
  context = add(contexts, key);
  if (!context) return NULL;
  context->thread = thread;
  context->path = path;
  context->layer = layer;
  context->extent = extent;
  return context;
}

uint32_t roof_contexts_extent(const struct roof_contexts* contexts,
                              const struct roof_thread* thread) {
  return contexts->extent ? contexts->extent : thread->extent;
}

static struct roof_context* find_or_add(struct roof_contexts* contexts,
                                        const struct roof_thread* thread, uint32_t path,
                                        uint32_t layer) {
  return find_or_add_in(contexts, thread->serial, path, layer,
                        roof_contexts_extent(contexts, thread));
}

struct roof_context* roof_contexts_beside(struct roof_contexts* contexts,
                                          const struct roof_context* context, uint32_t path,
                                          uint32_t layer) {
  return find_or_add_in(contexts, context->thread, path, layer, context->extent);
}

void roof_context_fold(const struct roof_contexts* contexts, struct roof_context* context) {
  if (!context->executions) return;
  const struct roof_executions executions = {
      .times = context->executions,
      .size = context->capacity,
      .by = {context->path, context->layer, context->thread == kMainThread}};
  roof_segments_fold(contexts->segments, &executions, context->counters, contexts->parts);
}

static void release_array(struct roof_contexts* contexts, uint32_t index) {
  struct roof_context_list* live = &contexts->live;
  struct roof_context* context = live->item[index];
  roof_context_fold(contexts, context);
  roof_memory_release(&contexts->memory, context->executions,
                      context->capacity * sizeof *context->executions);
  context->executions = NULL;
  context->capacity = 0;
  live->item[index] = live->item[--live->count];
}

static void release_least_recently_used(struct roof_contexts* contexts) {
  const struct roof_context_list* live = &contexts->live;
  uint32_t victim = live->count;
  for (uint32_t i = 0; i < live->count; ++i) {
    if (victim < live->count && live->item[i]->last_use >= live->item[victim]->last_use) continue;
    if (!live->item[i]->current) victim = i;
  }
  if (victim < live->count) release_array(contexts, victim);
}

/* Cost: a fold and an allocation, some ten microseconds, when a context comes back after
 * kLiveArrays others. */
int roof_context_prepare(struct roof_contexts* contexts, struct roof_context* context) {
  const uint32_t needed = contexts->segments->count + 1;
  if (context->capacity >= needed) return 1;
  uint32_t room = kFirstCapacity;
  while (room < needed) room *= 2;
  uint64_t* executions = roof_memory_allocate(&contexts->memory, room * sizeof *executions);
  if (!executions) return 0;
  if (context->executions) {
    for (uint32_t id = 0; id < context->capacity; ++id) executions[id] = context->executions[id];
    roof_memory_release(&contexts->memory, context->executions,
                        context->capacity * sizeof *executions);
  } else {
    if (contexts->live.count >= kLiveArrays) release_least_recently_used(contexts);
    if (!append(&contexts->memory, &contexts->live, context)) {
      roof_memory_release(&contexts->memory, executions, room * sizeof *executions);
      return 0;
    }
  }
  context->executions = executions;
  context->capacity = room;
  return 1;
}

static uint32_t is_main(const struct roof_thread* thread) {
  return (thread->whose ? thread->whose : thread->serial) == kMainThread;
}

/* The path of a thread's markers, or that of those who lead it. */
static uint32_t base_of(const struct roof_contexts* contexts, const struct roof_thread* thread) {
  if (thread->own_path) return thread->own_path;
  const int led = !is_main(thread) && contexts->led_from == contexts->team_path;
  return led ? contexts->led_to : contexts->team_path;
}

void roof_contexts_handle(struct roof_contexts* contexts, uint32_t slot, uint32_t of) {
  const struct roof_thread* interrupted = &contexts->threads[of];
  struct roof_thread* thread = &contexts->threads[slot];
  if (!thread->serial) roof_contexts_thread_created(contexts, slot);
  thread->whose = interrupted->whose ? interrupted->whose : interrupted->serial;
  thread->own_path = roof_nests_path(&interrupted->nesting, base_of(contexts, interrupted));
  thread->extent = interrupted->extent;
  thread->nesting.depth = 0;
}

static int count_entries(struct roof_contexts* contexts, const struct roof_thread* thread,
                         uint32_t from) {
  for (uint32_t i = from; i < thread->nesting.depth; ++i) {
    const struct roof_visit* visit = thread->nesting.visit + i;
    if (visit->again) continue;
    struct roof_context* context = find_or_add(contexts, thread, visit->path, ROOF_LAYER_WORK);
    if (!context) return 0;
    ++context->entries;
  }
  return 1;
}

int roof_contexts_cross(struct roof_contexts* contexts, uint32_t slot, uint32_t from, uint32_t to,
                        uint64_t stack_pointer) {
  struct roof_thread* thread = &contexts->threads[slot];
  const uint32_t base = base_of(contexts, thread);
  uint32_t known = 0;
  return roof_nests_cross(&contexts->nests, &thread->nesting, base, from, to, stack_pointer,
                          &known) &&
         count_entries(contexts, thread, known);
}

int roof_contexts_begin(struct roof_contexts* contexts, uint32_t slot, uint32_t nest,
                        uint64_t stack_pointer) {
  struct roof_thread* thread = &contexts->threads[slot];
  const uint32_t base = base_of(contexts, thread);
  uint32_t known = 0;
  return roof_nests_begin(&contexts->nests, &thread->nesting, base, nest, stack_pointer, &known) &&
         count_entries(contexts, thread, known);
}

int roof_contexts_call(struct roof_contexts* contexts, uint32_t slot, uint32_t from, uint32_t to,
                       uint64_t back, uint64_t stack_pointer) {
  struct roof_thread* thread = &contexts->threads[slot];
  return roof_nests_call(&contexts->nests, &thread->nesting, base_of(contexts, thread), from, to,
                         back, stack_pointer);
}

int roof_contexts_come_back(struct roof_contexts* contexts, uint32_t slot, uint64_t place,
                            uint64_t stack_pointer) {
  struct roof_thread* thread = &contexts->threads[slot];
  uint32_t known = 0;
  return roof_nests_come_back(&contexts->nests, &thread->nesting, base_of(contexts, thread), place,
                              stack_pointer, &known) &&
         count_entries(contexts, thread, known);
}

void roof_contexts_lead(struct roof_contexts* contexts, uint32_t slot) {
  const struct roof_thread* thread = &contexts->threads[slot];
  if (!is_main(thread) || thread->own_path) return;
  if (roof_layers_are_in(&thread->layers, ROOF_LAYER_RUNTIME)) return;
  contexts->led_from = contexts->team_path;
  contexts->led_to = roof_nests_path(&thread->nesting, contexts->team_path);
}

struct roof_executor roof_contexts_executor(struct roof_contexts* contexts, uint32_t slot) {
  struct roof_thread* thread = &contexts->threads[slot];
  if (!thread->serial) roof_contexts_thread_created(contexts, slot);
  const uint32_t layer = roof_layers_top(&thread->layers).layer;
  const uint32_t path = roof_nests_path(&thread->nesting, base_of(contexts, thread));
  const struct roof_executor by = {layer == ROOF_LAYER_OWN ? 0 : path, layer, is_main(thread)};
  return by;
}

struct roof_context* roof_contexts_choose(struct roof_contexts* contexts, uint32_t slot) {
  const struct roof_executor by = roof_contexts_executor(contexts, slot);
  struct roof_thread* thread = &contexts->threads[slot];
  struct roof_context* context = thread->context;
  if (!context || context->path != by.path || context->layer != by.layer ||
      context->extent != roof_contexts_extent(contexts, thread)) {
    if (context) context->current = 0;
    thread->context = context = find_or_add(contexts, thread, by.path, by.layer);
    if (!context) return NULL;
    context->current = 1;
    context->last_use = ++contexts->clock;
  }
  return context;
}

struct roof_context* roof_contexts_enter(struct roof_contexts* contexts, uint32_t slot) {
  struct roof_context* context = roof_contexts_choose(contexts, slot);
  return context && roof_context_prepare(contexts, context) ? context : NULL;
}

void roof_contexts_thread_ended(struct roof_contexts* contexts, uint32_t slot) {
  struct roof_thread* thread = &contexts->threads[slot];
  const uint32_t serial = thread->serial;
  if (thread->context) thread->context->current = 0;
  thread->serial = 0;
  thread->before = serial == kMainThread ? 0 : serial;
  thread->context = NULL;
  for (uint32_t i = 0; i < contexts->live.count;) {
    if (contexts->live.item[i]->thread == serial) {
      release_array(contexts, i);
    } else {
      ++i;
    }
  }
}

void roof_contexts_clear(struct roof_contexts* contexts) {
  for (uint32_t i = 0; i < contexts->all.count; ++i) {
    struct roof_context* context = contexts->all.item[i];
    roof_context_fold(contexts, context);
    for (uint32_t c = 0; c < ROOF_COUNTERS; ++c) context->counters[c] = 0;
    context->entries = 0;
    for (uint32_t p = 0; p < ROOF_CRITICAL_PLACES; ++p) context->critical[p].cycles = 0;
  }
}

void roof_contexts_begin_in_child(struct roof_contexts* contexts, uint32_t slot) {
  for (uint32_t each = 0; each < contexts->slots; ++each) {
    if (contexts->threads[each].serial) roof_contexts_thread_ended(contexts, each);
    contexts->threads[each].before = 0;
  }
  roof_contexts_clear(contexts);
  contexts->team_path = contexts->led_from = contexts->led_to = 0;
  contexts->lost_paths = 0;
  contexts->threads_created = 0;
  roof_contexts_thread_created(contexts, slot);
}
