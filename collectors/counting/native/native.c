/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* gettid */
#endif
#include "collectors/counting/native/native.h"

#include <cpuid.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "collectors/counting/contexts/owner.h"
#include "collectors/counting/native/translator.h"

/* The kernel lets programs set gs by an instruction (from Linux 5.9 on, if the CPU has it). Else a
 * system call does, as often as a thread goes to another area. */
#define ROOF_HWCAP2_FSGSBASE 2
int roof_native_gs_by_instruction;

enum { kStackBytes = 64 << 10, kTableEntries = 1 << ROOF_TABLE_BITS };

/* The instruction does nothing where there is none. */
static int has_shadow_stack(void) {
  uint64_t pointer = 0;
  __asm__ volatile("rdsspq %0" : "+r"(pointer));
  return pointer != 0;
}

const char* roof_native_missing(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_POPCNT))
    return "the CPU has no XSAVE or no POPCNT";
  if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !(c & bit_LAHF_LM))
    return "the CPU has no LAHF in 64-bit mode";
  if (has_shadow_stack()) return "the program runs with a shadow stack (CET)";
  return NULL;
}

const char* roof_native_reason_text(unsigned reason) {
  static const char* const kTexts[ROOF_LEAVE_REASONS] = {
      "it reached a place where counting ends",
      "it is not in an executable file or a library, but was made at run time",
      "the decoder does not know its instructions",
      "it is not known what one of its instructions counts",
      "it makes a system call that begins a thread or a process, or changes code",
      "it uses the segment register gs",
      "it has an interrupt, a far branch, a privileged instruction, or sets the processor's flags "
      "(popf)",
      "it has a memory transaction",
      "it uses a shadow stack",
      "it uses data that lies too far from it",
      "there is no more room for translated code or counters",
      "a signal handler was executed, which is not counted",
      "a signal handler did not return, or changed where the program goes on",
      "it is of a library that may have restartable sequences (rseq)",
      "a thread began before counting did, or by other means than pthread_create",
      ("a thread that belongs to no region by itself worked on while the team went on to another "
       "region"),
      "code was changed in memory after it was translated, by other means than mprotect",
      "the program restricted its system calls (seccomp), and with them those of the engine",
      ("a signal handler that was set by a system call, not by a function of the C library, "
       "entered "
       "a region while the engine was at work, and the engine gave up")};
  return reason < ROOF_LEAVE_REASONS ? kTexts[reason] : "unknown";
}

static void release_tables(struct roof_native* native) {
  const struct roof_memory memory = native->memory;
  for (uint32_t layer = 0; layer < ROOF_NATIVE_LAYERS; ++layer)
    roof_memory_release(&memory, native->table[layer], kTableEntries * sizeof *native->table[0]);
  roof_memory_release(&memory, native, sizeof *native);
}

struct roof_native* roof_native_create(const struct roof_memory* memory, uint32_t slots) {
  struct roof_native* native = roof_memory_allocate(memory, sizeof *native);
  if (!native) return NULL;
  roof_native_gs_by_instruction = (getauxval(AT_HWCAP2) & ROOF_HWCAP2_FSGSBASE) != 0;
  native->memory = *memory;
  native->segments.memory = *memory;
  native->slots = slots;
  for (uint32_t layer = 0; layer < ROOF_NATIVE_LAYERS; ++layer) {
    native->table[layer] = roof_memory_allocate(memory, kTableEntries * sizeof *native->table[0]);
    if (!native->table[layer]) {
      release_tables(native);
      return NULL;
    }
    for (uint32_t i = 0; i < kTableEntries; ++i) native->table[layer][i] = kRoofNativeNoCode;
  }
  roof_native_stop_at(native, (uint64_t)(uintptr_t)roof_native_leave);
  ZydisDecoderInit(&native->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  return native;
}

/* Descriptors stay: whoever gave the memory takes it back as a whole. */
void roof_native_destroy(struct roof_native* native) {
  const struct roof_memory memory = native->memory;
  for (uint32_t i = 0; i < native->modules; ++i) roof_native_cache_close(&native->module[i]);
  if (native->places.place)
    roof_memory_release(&memory, native->places.place,
                        sizeof *native->places.place << native->places.bits);
  release_tables(native);
}

/* With the cache of one that was forgotten: programs load and unload libraries without end. */
static struct roof_native_module* open_again(struct roof_native* native,
                                             const struct roof_native_code* code) {
  for (uint32_t i = 0; i < native->modules; ++i) {
    struct roof_native_module* module = &native->module[i];
    if (module->end == 0 &&
        roof_native_cache_open_again(module, code->begin, code->end, code->bytes))
      return module;
  }
  return NULL;
}

int roof_native_allow_owned(struct roof_native* native, const struct roof_native_code* code,
                            int* error) {
  struct roof_native_module* module = open_again(native, code);
  const int is_new = !module;
  *error = 0;
  if (is_new) {
    if (native->modules == ROOF_MODULES) return 0;
    module = &native->module[native->modules];
    if (!roof_native_cache_open(module, code->begin, code->end, code->bytes, error)) return 0;
  }
  module->owner = code->owner;
  module->file = code->file;
  module->identity = code->identity;
  module->base = code->base;
  module->number = code->number;
  module->nests = code->nests;
  if (is_new) __atomic_store_n(&native->modules, native->modules + 1, __ATOMIC_RELEASE);
  return 1;
}

int roof_native_allow(struct roof_native* native, uint64_t begin, uint64_t end, uint64_t bytes,
                      int* error) {
  const struct roof_native_code code = {begin, end, bytes, 0, 0, ROOF_PROGRAM, begin, 0, 0};
  return roof_native_allow_owned(native, &code, error);
}

static int overlaps(const struct roof_native_module* module, uint64_t begin, uint64_t end) {
  return module->end > begin && module->begin < end;
}

int roof_native_has_code(const struct roof_native* native, uint64_t begin, uint64_t end) {
  const uint32_t modules = __atomic_load_n(&native->modules, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < modules; ++i)
    if (overlaps(&native->module[i], begin, end)) return 1;
  return 0;
}

static int is_in(uint32_t number, const uint32_t* numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (numbers[i] == number) return 1;
  return 0;
}

/* The numbers of what overlaps, and of all that is of the same files. */
static uint32_t find_affected(const struct roof_native* native, uint64_t begin, uint64_t end,
                              uint32_t* affected) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < native->modules; ++i)
    if (overlaps(&native->module[i], begin, end)) affected[count++] = i;
  for (uint32_t done = 0; done < count; ++done) {
    const uint64_t file = native->module[affected[done]].file;
    for (uint32_t i = 0; i < native->modules && file; ++i) {
      const struct roof_native_module* module = &native->module[i];
      if (module->end && module->file == file && !is_in(i, affected, count)) affected[count++] = i;
    }
  }
  return count;
}

/* As many steps as it has translated blocks: programs unload hundreds of libraries. */
static void forget_code_of(struct roof_native* native, const struct roof_native_module* module) {
  const uint8_t* code = module->at;
  while (code > module->first) {
    code = roof_native_cache_begin(module, code - 1);
    if (!code || code < module->first) return;
    const uint64_t key = -((const struct roof_native_head*)(const void*)code)[-1].minus_pc;
    const uint64_t index = roof_native_index(roof_native_pc_of(key), key >> 48);
    for (uint32_t layer = 0; layer < ROOF_NATIVE_LAYERS; ++layer) {
      const void** place = &native->table[layer][index];
      if (*place == code) __atomic_store_n(place, kRoofNativeNoCode, __ATOMIC_RELEASE);
    }
    roof_native_places_forget(&native->places, key);
  }
}

/* The cache stays mapped: a thread or a signal may be in it. */
void roof_native_forget(struct roof_native* native, uint64_t begin, uint64_t end) {
  uint32_t affected[ROOF_MODULES];
  const uint32_t count = find_affected(native, begin, end, affected);
  if (count == 0) return;
  if (native->nests) roof_native_change(native); /* guides know where crossings led */
  for (uint32_t i = 0; i < count; ++i) {
    struct roof_native_module* module = &native->module[affected[i]];
    forget_code_of(native, module);
    module->begin = module->end = 0;
  }
}

void roof_native_set_guide(struct roof_native* native, const struct roof_native_guide* guide) {
  native->guide = *guide;
}

void roof_native_change(struct roof_native* native) {
  __atomic_fetch_add(&native->epoch, 1, __ATOMIC_RELEASE);
}

int roof_native_stop_at(struct roof_native* native, uint64_t pc) {
  if (native->stops == ROOF_STOPS) return 0;
  native->stop[native->stops++] = pc;
  return 1;
}

int roof_native_is_changed(const struct roof_native* native) {
  for (uint32_t i = 0; i < native->modules; ++i)
    if (roof_native_cache_is_changed(&native->module[i])) return 1;
  return 0;
}

uint64_t roof_native_code_bytes(const struct roof_native* native) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < native->modules; ++i)
    bytes += (uint64_t)(native->module[i].at - native->module[i].code);
  return bytes;
}

struct roof_segments* roof_native_segments(struct roof_native* native) {
  return &native->segments;
}

uint64_t roof_native_epoch(const struct roof_native* native) {
  return __atomic_load_n(&native->epoch, __ATOMIC_ACQUIRE);
}

/* With every register that the system has switched on; at a multiple of 64. */
static size_t xsave_bytes(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  __get_cpuid_count(0xD, 0, &a, &b, &c, &d);
  return ((size_t)b + 63) / 64 * 64 + 64;
}

static size_t area_bytes(const struct roof_native* native) {
  return ROOF_AT_COUNTS + (size_t)native->slots * sizeof(uint64_t);
}

size_t roof_native_room_bytes(void) {
  return sizeof(struct roof_native_room) + xsave_bytes() + kStackBytes;
}

struct roof_native_room* roof_native_room_create(struct roof_native* native) {
  struct roof_native_room* room = roof_memory_allocate(&native->memory, roof_native_room_bytes());
  if (!room) return NULL;
  room->process = (uint64_t)getpid();
  room->thread = (uint64_t)gettid();
  if (native->traced && !roof_native_open_trail(room, &native->memory)) {
    roof_memory_release(&native->memory, room, roof_native_room_bytes());
    return NULL;
  }
  return room;
}

void roof_native_area_give(struct roof_native_area* area, struct roof_native_room* room) {
  area->room = room;
  area->position = room->trail;
  area->xsave = (void*)(((uintptr_t)(room + 1) + 63) / 64 * 64);
  area->stack = (void*)(((uintptr_t)room + roof_native_room_bytes()) / 64 * 64);
}

void roof_native_area_accept(struct roof_native_area* area, uint32_t layer, uint32_t accepts) {
  area->table = (const void* const*)area->native->table[layer];
  area->accepts = accepts;
}

void roof_native_take_slots(struct roof_native* native, uint32_t slots) {
  if (slots > native->slots) native->slots = slots;
}

struct roof_native_area* roof_native_area_create(struct roof_native* native,
                                                 struct roof_native_room* room) {
  struct roof_native_area* area = roof_memory_allocate(&native->memory, area_bytes(native));
  struct roof_native_room* own = room || !area ? NULL : roof_native_room_create(native);
  if (!area || (!room && !own)) {
    roof_memory_release(&native->memory, area, area_bytes(native));
    return NULL;
  }
  area->self = area;
  area->native = native;
  area->slots = native->slots;
  area->miss = roof_native_miss;
  area->link = roof_native_link_miss;
  area->system = roof_native_system;
  area->linkage = roof_native_linkage;
  area->full_entry = roof_native_full;
  area->cross = roof_native_cross;
  area->rounds = ROOF_NATIVE_ROUNDS;
  area->epoch = native->epoch;
  area->owns_room = own != NULL;
  roof_native_area_accept(area, 0, ~UINT32_C(0));
  roof_native_area_give(area, room ? room : own);
  return area;
}

void roof_native_area_destroy(struct roof_native_area* area) {
  const struct roof_native* native = area->native;
  if (area->owns_room) {
    roof_native_close_trail(area->room, &native->memory);
    roof_memory_release(&native->memory, area->room, roof_native_room_bytes());
  }
  roof_memory_release(&native->memory, area, area_bytes(native));
}

/* Whose blocks nobody wants to know. */
static const struct roof_executor kNobody = {0, ROOF_LAYER_OWN, 0};

void roof_native_fold_blocks(struct roof_native_area* area, uint32_t version,
                             const struct roof_executor* by, uint64_t* counters,
                             struct roof_blocks* parts) {
  const struct roof_executions executions = {
      .times = roof_native_counts(area), .size = area->slots, .by = *by, .version = version};
  roof_segments_fold(&area->native->segments, &executions, counters, parts);
}

void roof_native_fold(struct roof_native_area* area, uint64_t* counters) {
  roof_native_fold_blocks(area, 0, &kNobody, counters, NULL);
}

void roof_native_sum_blocks(const struct roof_native_area* area, uint32_t version,
                            const struct roof_executor* by, uint64_t* counters,
                            struct roof_blocks* parts) {
  const struct roof_executions executions = {
      .times = (uint64_t*)(uintptr_t)((const char*)area + ROOF_AT_COUNTS),
      .size = area->slots,
      .stay = 1,
      .by = *by,
      .version = version};
  roof_segments_fold(&area->native->segments, &executions, counters, parts);
}

void roof_native_sum(const struct roof_native_area* area, uint32_t version, uint64_t* counters) {
  roof_native_sum_blocks(area, version, &kNobody, counters, NULL);
}
