/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/areas.h"

#include <sys/mman.h>

#include "collectors/counting/contexts/owner.h"
#include "collectors/counting/native/system_call.h"

/* No stack pointer is greater, and its sum with less than that has other bits on top. */
#define kNoEnd (UINT64_C(1) << 62)

enum { kFirstAreas = 256, kPage = 4096, kArena = 1 << 20 };

/* Code of which owners is executed in a layer until another area has to be chosen. Code of the
 * program is not in the list of MPI, whose calls of it are no work: each return from it is looked
 * at, because the call of MPI may have ended there. */
static const uint32_t kAccepts[ROOF_LAYERS] = {
    [ROOF_LAYER_WORK] = 1u << ROOF_PROGRAM | 1u << ROOF_SERVICE,
    [ROOF_LAYER_MPI] = 1u << ROOF_MPI | 1u << ROOF_SERVICE,
    [ROOF_LAYER_RUNTIME] = 1u << ROOF_RUNTIME | 1u << ROOF_SERVICE,
    [ROOF_LAYER_OWN] = 1u << ROOF_OWN | 1u << ROOF_SERVICE};

static void* map(size_t bytes, int more_flags) {
  register long flags __asm__("r10") = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | more_flags;
  register long file __asm__("r8") = -1;
  register long offset __asm__("r9") = 0;
  long result = SYS_mmap;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(0L), "S"(bytes), "d"((long)(PROT_READ | PROT_WRITE)), "r"(flags),
                     "r"(file), "r"(offset)
                   : "rcx", "r11", "memory");
  return result < 0 && result > -kPage ? NULL : (void*)result;
}

static void unmap(void* memory, size_t bytes) {
  roof_native_system_call(SYS_munmap, (long)memory, (long)bytes, 0);
}

/* Large pieces are mappings of their own, so that pages that nobody touches cost nothing. All
 * others are touched, and to have them at once takes less time than a fault of each page. */
static void* allocate(void* cookie, size_t bytes) {
  struct roof_native_process* process = cookie;
  const size_t rounded = (bytes + 63) / 64 * 64;
  if (rounded >= kArena / 8) return map(rounded, 0);
  if (process->arena_end - process->arena < rounded) {
    void* more = map(kArena, MAP_POPULATE);
    if (!more) return NULL;
    process->arena = (uint64_t)(uintptr_t)more;
    process->arena_end = process->arena + kArena;
  }
  void* got = (void*)(uintptr_t)process->arena;
  process->arena += rounded;
  return got;
}

/* Small pieces stay: they are those of tables that grow to twice their size. */
static void release(void* cookie, void* memory, size_t bytes) {
  const size_t rounded = (bytes + 63) / 64 * 64;
  (void)cookie;
  if (rounded >= kArena / 8) unmap(memory, rounded);
}

static void* allocate_pages(void* cookie, size_t bytes) {
  (void)cookie;
  return map(bytes, 0);
}
static void release_pages(void* cookie, void* memory, size_t bytes) {
  (void)cookie;
  unmap(memory, bytes);
}

struct roof_memory roof_native_pages(void) {
  const struct roof_memory memory = {allocate_pages, release_pages, NULL};
  return memory;
}

struct roof_memory roof_native_memory(void) {
  const struct roof_memory memory = {allocate, release, &roof_native_process};
  return memory;
}

static int make_room(uint32_t number) {
  struct roof_native_process* process = &roof_native_process;
  if (number < process->area_capacity) return 1;
  const uint32_t capacity = process->area_capacity ? 2 * process->area_capacity : kFirstAreas;
  struct roof_native_area** more = roof_memory_allocate(&process->memory, capacity * sizeof *more);
  if (!more) return 0;
  for (uint32_t i = 0; i < process->area_capacity; ++i) more[i] = process->area[i];
  roof_memory_release(&process->memory, process->area,
                      process->area_capacity * sizeof *process->area);
  process->area = more;
  process->area_capacity = capacity;
  return 1;
}

static struct roof_native_area* new_area(struct roof_native_thread* thread) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_area* area = process->free_areas;
  if (!area) return roof_native_area_create(process->native, thread->room);
  process->free_areas = area->context;
  roof_native_area_give(area, thread->room);
  return area;
}

/* Contexts of a thread that differ in nests and layers alone share an area: each has a version of
 * the code, which counts in places of its own there. */
static uint32_t version_of(const struct roof_context* context) {
  const struct roof_nests* nests = &roof_native_process.contexts.nests;
  const uint32_t number = roof_nests_number(nests, context->path);
  const uint32_t quiet = context->extent == ROOF_NATIVE_CHEAP ? ROOF_NATIVE_QUIET : 0;
  if (context->layer == ROOF_LAYER_OWN) return ROOF_LAYER_OWN | quiet;
  return quiet |
         (number ? ROOF_LAYERS + (number - 1) * ROOF_LAYER_OWN + context->layer : context->layer);
}
_Static_assert(ROOF_LAYERS + ROOF_MOST_NEST_PATHS * ROOF_LAYER_OWN <= ROOF_NATIVE_QUIET,
               "versions have 16 bits, with that one");

void roof_native_be_in(struct roof_native_area* area, struct roof_context* context) {
  const struct roof_contexts* contexts = &roof_native_process.contexts;
  struct roof_native_thread* thread = area->user;
  const uint32_t layer = context->layer;
  const uint64_t end = roof_nests_end(&contexts->threads[thread->slot].nesting);
  area->frame_ends = end == UINT64_MAX ? -kNoEnd : -end - 1;
  area->context = context;
  area->version = version_of(context);
  roof_native_area_accept(area, layer, kAccepts[layer]);
  area->keeps_jumps = roof_native_executor_of(context).layer == ROOF_LAYER_WORK;
  area->jumped = NULL;
  area->crossed = NULL;
  thread->area = area;
}

/* The first of those that share its area. */
static struct roof_context* home_of(const struct roof_context* context) {
  return roof_contexts_beside(&roof_native_process.contexts, context,
                              roof_native_base_of(context->path), ROOF_LAYER_WORK);
}

static struct roof_native_area* area_of(struct roof_native_thread* thread,
                                        const struct roof_context* context) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_context* home = home_of(context);
  if (!home || !make_room(home->number)) return NULL;
  struct roof_native_area* area = process->area[home->number];
  if (area) return area;
  area = new_area(thread);
  if (!area) return NULL;
  area->user = thread;
  area->home = home;
  process->area[home->number] = area;
  return area;
}

static struct roof_context* choose_context(struct roof_native_thread* thread) {
  struct roof_contexts* contexts = &roof_native_process.contexts;
  struct roof_native_bursts* bursts = &roof_native_process.bursts;
  if (bursts->ticks) {
    const struct roof_executor by = roof_contexts_executor(contexts, thread->slot);
    contexts->threads[thread->slot].extent = roof_native_bursts_extent(
        bursts, by.path, by.layer, __builtin_ia32_rdtsc(), &thread->burst);
  }
  return roof_contexts_choose(contexts, thread->slot);
}

struct roof_native_area* roof_native_choose_area(struct roof_native_thread* thread) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_context* context = choose_context(thread);
  struct roof_native_area* area = context ? area_of(thread, context) : NULL;
  if (!area || !roof_native_tell_model(context)) return NULL;
  area->epoch = process->native ? roof_native_epoch(process->native) : 0;
  roof_native_be_in(area, context);
  return area;
}

struct roof_native_area* roof_native_area_with(const struct roof_context* context,
                                               uint32_t* version) {
  const struct roof_native_process* process = &roof_native_process;
  const struct roof_context* home = home_of(context);
  *version = version_of(context);
  return home && home->number < process->area_capacity ? process->area[home->number] : NULL;
}

void roof_native_take_back_areas(struct roof_native_thread* thread) {
  struct roof_native_process* process = &roof_native_process;
  const uint32_t serial = process->contexts.threads[thread->slot].serial;
  for (uint32_t i = 0; i < process->contexts.all.count; ++i) {
    struct roof_context* context = process->contexts.all.item[i];
    uint32_t version;
    if (context->thread != serial) continue;
    struct roof_native_area* area = roof_native_area_with(context, &version);
    const struct roof_executor by = roof_native_executor_of(context);
    if (area) roof_native_fold_blocks(area, version, &by, context->counters, process->parts);
  }
  for (uint32_t i = 0; i < process->area_capacity; ++i) {
    struct roof_native_area* area = process->area[i];
    if (!area || area->user != thread) continue;
    area->context = process->free_areas;
    process->free_areas = area;
    process->area[i] = NULL;
  }
}
