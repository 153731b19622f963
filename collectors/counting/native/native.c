/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/native.h"

#include <cpuid.h>
#include <sys/auxv.h>

#include "collectors/counting/native/translator.h"

/* The kernel lets programs set gs by an instruction (Linux 5.9). */
#define ROOF_HWCAP2_FSGSBASE 2

enum { kStackBytes = 64 << 10, kTableEntries = 1 << ROOF_TABLE_BITS };

const char* roof_native_missing(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!(getauxval(AT_HWCAP2) & ROOF_HWCAP2_FSGSBASE))
    return "the kernel does not let programs set the segment register gs (FSGSBASE, Linux 5.9)";
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_POPCNT))
    return "the CPU has no XSAVE or no POPCNT";
  if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !(c & bit_LAHF_LM))
    return "the CPU has no LAHF in 64-bit mode";
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
      "it has an interrupt, a far branch or a privileged instruction",
      "it has a memory transaction",
      "it uses a shadow stack",
      "it uses data that lies too far from it",
      "there is no more room for translated code or counters"};
  return reason < ROOF_LEAVE_REASONS ? kTexts[reason] : "unknown";
}

struct roof_native* roof_native_create(const struct roof_memory* memory, uint32_t slots) {
  struct roof_native* native = roof_memory_allocate(memory, sizeof *native);
  if (!native) return NULL;
  native->memory = *memory;
  native->segments.memory = *memory;
  native->slots = slots;
  native->table = roof_memory_allocate(memory, kTableEntries * sizeof *native->table);
  if (!native->table) {
    roof_memory_release(memory, native, sizeof *native);
    return NULL;
  }
  for (uint32_t i = 0; i < kTableEntries; ++i) native->table[i] = kRoofNativeNoCode;
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
  roof_memory_release(&memory, native->table, kTableEntries * sizeof *native->table);
  roof_memory_release(&memory, native, sizeof *native);
}

int roof_native_allow(struct roof_native* native, uint64_t begin, uint64_t end, uint64_t bytes,
                      int* error) {
  struct roof_native_module* module = &native->module[native->modules];
  *error = 0;
  if (native->modules == ROOF_MODULES) return 0;
  if (!roof_native_cache_open(module, begin, end, bytes, error)) return 0;
  ++native->modules;
  return 1;
}

int roof_native_stop_at(struct roof_native* native, uint64_t pc) {
  if (native->stops == ROOF_STOPS) return 0;
  native->stop[native->stops++] = pc;
  return 1;
}

uint64_t roof_native_code_bytes(const struct roof_native* native) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < native->modules; ++i)
    bytes += (uint64_t)(native->module[i].at - native->module[i].code);
  return bytes;
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

struct roof_native_area* roof_native_area_create(struct roof_native* native) {
  const size_t extra = xsave_bytes() + kStackBytes;
  struct roof_native_area* area = roof_memory_allocate(&native->memory, area_bytes(native));
  char* room = area ? roof_memory_allocate(&native->memory, extra) : NULL;
  if (!room) {
    roof_memory_release(&native->memory, area, area_bytes(native));
    return NULL;
  }
  area->self = area;
  area->native = native;
  area->slots = native->slots;
  area->table = (const void* const*)native->table;
  area->miss = roof_native_miss;
  area->link = roof_native_link_miss;
  area->xsave = (void*)(((uintptr_t)room + 63) / 64 * 64);
  area->stack = (void*)(((uintptr_t)room + extra) / 64 * 64);
  area->room = room;
  return area;
}

void roof_native_area_destroy(struct roof_native_area* area) {
  const struct roof_native* native = area->native;
  roof_memory_release(&native->memory, area->room, xsave_bytes() + kStackBytes);
  roof_memory_release(&native->memory, area, area_bytes(native));
}

void roof_native_fold(struct roof_native_area* area, uint64_t* counters) {
  const struct roof_executions executions = {
      .times = roof_native_counts(area), .size = area->slots, .by = {0, 0, 0}};
  roof_segments_fold(&area->native->segments, &executions, counters, NULL);
}
