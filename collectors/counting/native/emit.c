/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/emit.h"

#include <stddef.h>

enum { kGs = 0x65, kRexW = 0x48 };

void roof_emit_byte(struct roof_native_emitter* e, unsigned byte) {
  if (e->at >= e->end) {
    e->failed = 1;
    return;
  }
  *e->at++ = (uint8_t)byte;
}

void roof_emit_bytes(struct roof_native_emitter* e, const uint8_t* bytes, unsigned size) {
  for (unsigned i = 0; i < size; ++i) roof_emit_byte(e, bytes[i]);
}

void roof_emit_u32(struct roof_native_emitter* e, uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) roof_emit_byte(e, value >> 8 * i & 255);
}

void roof_emit_u64(struct roof_native_emitter* e, uint64_t value) {
  roof_emit_u32(e, (uint32_t)value);
  roof_emit_u32(e, (uint32_t)(value >> 32));
}

void roof_emit_align(struct roof_native_emitter* e, unsigned alignment, unsigned behind) {
  while (!e->failed && ((uintptr_t)e->at + alignment - behind) % alignment != 0)
    roof_emit_byte(e, 0x90);
}

static void mark_byte(struct roof_native_marks* marks, unsigned byte) {
  marks->bytes[marks->size++] = (uint8_t)byte;
}

void roof_emit_mark(struct roof_native_emitter* e, unsigned state) {
  struct roof_native_marks* marks = e->marks;
  if (!marks || e->failed) return;
  if (marks->size + 15 > ROOF_MARKS_ROOM) {
    e->failed = 1;
    return;
  }
  const uint32_t offset = (uint32_t)(e->at - marks->begin);
  const uint32_t step = offset - marks->offset;
  const int64_t further = (int64_t)(e->pc - marks->pc);
  const int small = step > 0 && step < 256 && further == (int8_t)further;
  state |= e->kept;
  mark_byte(marks, small ? step : 0);
  mark_byte(marks, state & 255);
  mark_byte(marks, state >> 8);
  if (small) {
    mark_byte(marks, (uint8_t)further);
  } else {
    for (unsigned i = 0; i < 4; ++i) mark_byte(marks, offset >> 8 * i & 255);
    for (unsigned i = 0; i < 8; ++i) mark_byte(marks, (unsigned)(e->pc >> 8 * i & 255));
  }
  marks->offset = offset;
  marks->pc = e->pc;
}

void roof_emit_at(struct roof_native_emitter* e, uint64_t pc) {
  e->pc = pc;
  roof_emit_mark(e, 0);
}

/* opcode reg, gs:[offset]: an address without registers needs a SIB byte. */
static void emit_gs(struct roof_native_emitter* e, unsigned opcode, unsigned reg, unsigned offset) {
  roof_emit_byte(e, kGs);
  roof_emit_byte(e, kRexW | (reg & 8u) >> 1);
  roof_emit_byte(e, opcode);
  roof_emit_byte(e, 0x04 | (reg & 7u) << 3);
  roof_emit_byte(e, 0x25);
  roof_emit_u32(e, offset);
}

void roof_emit_load(struct roof_native_emitter* e, unsigned reg, unsigned offset) {
  emit_gs(e, 0x8B, reg, offset);
}
void roof_emit_store(struct roof_native_emitter* e, unsigned reg, unsigned offset) {
  emit_gs(e, 0x89, reg, offset);
}
uint8_t* roof_emit_jump(struct roof_native_emitter* e, unsigned first, unsigned second) {
  if (first) roof_emit_byte(e, first);
  roof_emit_byte(e, second);
  uint8_t* from = e->at;
  roof_emit_u32(e, 0);
  return from;
}

void roof_emit_jump_through(struct roof_native_emitter* e, unsigned offset) {
  emit_gs(e, 0xFF, 4, offset);
}

void roof_emit_add(struct roof_native_emitter* e, unsigned offset, int amount) {
  emit_gs(e, 0x83, 0, offset);
  roof_emit_byte(e, (uint8_t)amount);
}
void roof_emit_add_register(struct roof_native_emitter* e, unsigned offset, unsigned reg) {
  emit_gs(e, 0x01, reg, offset);
}

void roof_emit_add_quietly(struct roof_native_emitter* e, unsigned offset, int amount,
                           unsigned spill) {
  static const uint8_t kLea[] = {0x48, 0x8D, 0x40}; /* lea rax, [rax + amount] */
  roof_emit_store(e, ROOF_E_RAX, spill);
  roof_emit_mark(e, ROOF_MARK_RAX);
  roof_emit_load(e, ROOF_E_RAX, offset);
  roof_emit_bytes(e, kLea, sizeof kLea);
  roof_emit_byte(e, (uint8_t)amount);
  roof_emit_store(e, ROOF_E_RAX, offset);
  roof_emit_load(e, ROOF_E_RAX, spill);
  roof_emit_mark(e, 0);
}

/* not changes no flag, and a - b is not(not a + b). */
void roof_emit_add_rcx_quietly(struct roof_native_emitter* e, unsigned offset, int sign,
                               unsigned spill) {
  static const uint8_t kNot[] = {0x48, 0xF7, 0xD0};
  static const uint8_t kLea[] = {0x48, 0x8D, 0x04, 0x08}; /* lea rax, [rax + rcx] */
  roof_emit_store(e, ROOF_E_RAX, spill);
  roof_emit_mark(e, ROOF_MARK_RAX);
  roof_emit_load(e, ROOF_E_RAX, offset);
  if (sign < 0) roof_emit_bytes(e, kNot, sizeof kNot);
  roof_emit_bytes(e, kLea, sizeof kLea);
  if (sign < 0) roof_emit_bytes(e, kNot, sizeof kNot);
  roof_emit_store(e, ROOF_E_RAX, offset);
  roof_emit_load(e, ROOF_E_RAX, spill);
  roof_emit_mark(e, 0);
}

/* lahf takes all flags of arithmetic but OF. */
void roof_emit_save_flags(struct roof_native_emitter* e, unsigned state) {
  static const uint8_t kCode[] = {0x9F, 0x0F, 0x90, 0xC0}; /* lahf; seto al */
  roof_emit_bytes(e, kCode, sizeof kCode);
  roof_emit_mark(e, state | ROOF_MARK_FLAGS);
}
void roof_emit_restore_flags(struct roof_native_emitter* e, unsigned state) {
  static const uint8_t kAdd[] = {0x04, 0x7F}; /* add al, 127 */
  roof_emit_bytes(e, kAdd, sizeof kAdd);
  roof_emit_mark(e, state | ROOF_MARK_FLAGS_BUT_OF);
  roof_emit_byte(e, 0x9E); /* sahf */
  roof_emit_mark(e, state);
}

void roof_emit_with_constant(struct roof_native_emitter* e, const uint8_t* bytes, unsigned size,
                             uint64_t value) {
  roof_emit_bytes(e, bytes, size);
  if (e->constants == ROOF_CONSTANTS) {
    e->failed = 1;
    return;
  }
  e->constant[e->constants].from = e->at;
  e->constant[e->constants++].value = value;
  roof_emit_u32(e, 0);
}

void roof_emit_constants(struct roof_native_emitter* e) {
  if (e->constants) roof_emit_align(e, 8, 0);
  for (uint32_t i = 0; i < e->constants && !e->failed; ++i) {
    roof_emit_distance(e, e->constant[i].from, e->at);
    roof_emit_u64(e, e->constant[i].value);
  }
  e->constants = 0;
}

void roof_emit_distance(struct roof_native_emitter* e, uint8_t* from, const uint8_t* to) {
  const int64_t distance = (int64_t)((intptr_t)to - (intptr_t)from - 4);
  if (e->failed) return;
  if (distance != (int32_t)distance) {
    e->failed = 1;
    return;
  }
  /* Aligned ones are written at once: the code may be running. */
  if ((uintptr_t)from % 4 == 0) {
    __atomic_store_n((uint32_t*)(void*)from, (uint32_t)distance, __ATOMIC_RELEASE);
    return;
  }
  for (unsigned i = 0; i < 4; ++i) from[i] = (uint8_t)((uint32_t)distance >> 8 * i);
}
