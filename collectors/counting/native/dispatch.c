/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a thread goes on whose way the translated code does not know. Runs on a stack of its own,
 * while vector registers hold the program's values: the build lets the compiler use general
 * registers alone here. roof_native_translate may use all of them, entry.c saves them first. */
#include "collectors/counting/native/translator.h"

static void lock(struct roof_native* native) {
  while (__atomic_exchange_n(&native->locked, 1, __ATOMIC_ACQUIRE))
    while (__atomic_load_n(&native->locked, __ATOMIC_RELAXED)) __builtin_ia32_pause();
}
static void unlock(struct roof_native* native) {
  __atomic_store_n(&native->locked, 0, __ATOMIC_RELEASE);
}

static const void* leave(struct roof_native_area* area, unsigned reason) {
  ++area->exits[reason];
  area->left_at = area->pc;
  return (const void*)(uintptr_t)area->pc;
}

/* The jump that brought the thread here leads there from now on. */
static void link_to(struct roof_native_area* area, const uint8_t* code) {
  struct roof_native_emitter e = {.at = NULL};
  if (!area->linked) {
    const void** entry = (const void**)&area->native->table[area->pc & 0xFFFF];
    __atomic_store_n(entry, code, __ATOMIC_RELEASE);
  } else {
    roof_emit_distance(&e, area->linked->from, code + ROOF_PROLOGUE); /* unless out of reach */
  }
}

static int is_stop(const struct roof_native* native, uint64_t pc) {
  for (uint32_t i = 0; i < native->stops; ++i)
    if (native->stop[i] == pc) return 1;
  return 0;
}

const void* roof_native_find(struct roof_native_area* area) {
  struct roof_native* native = area->native;
  ++area->dispatches;
  if (is_stop(native, area->pc)) return leave(area, ROOF_LEAVE_STOP);
  lock(native);
  const uint8_t* code = roof_native_places_find(&native->places, area->pc);
  if (code) link_to(area, code);
  unlock(native);
  return code ? code + ROOF_PROLOGUE : NULL;
}

static const uint8_t* translate(struct roof_native* native, uint64_t pc) {
  const uint8_t* code = roof_native_places_find(&native->places, pc);
  if (code) return code; /* meanwhile */
  roof_native_read_block(native, pc);
  if (native->block.count == 0) return NULL;
  native->block.reason = ROOF_LEAVE_NO_MEMORY;
  code = roof_native_translate_block(native);
  if (code && !roof_native_places_add(&native->places, &native->memory, pc, code)) code = NULL;
  return code;
}

const void* roof_native_translate(struct roof_native_area* area) {
  struct roof_native* native = area->native;
  lock(native);
  const uint8_t* code = translate(native, area->pc);
  if (code) link_to(area, code);
  const unsigned reason = native->block.reason;
  unlock(native);
  return code ? code + ROOF_PROLOGUE : leave(area, reason);
}
