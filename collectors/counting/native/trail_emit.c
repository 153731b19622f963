/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Code that writes the trail. It takes two registers that the block does not use, whose values wait
 * in the area meanwhile, and changes no flag: one register says where the trail goes on, the other
 * one holds addresses. */
#include <string.h>

#include "collectors/counting/native/translator.h"

enum { kKept = ROOF_AT_SPILL + 16, kKeptBehind = ROOF_AT_SPILL + 24, kScratch = ROOF_AT_SPILL };
enum { kRsp = 4, kR12 = 12, kNone = 16, kSlot = 8, kHeader = 8, kLoopHeader = 16 };

_Static_assert(ROOF_BLOCK_MOST* ROOF_ACCESSES_MOST * 10 <= ROOF_TRAIL_MOST &&
                   ROOF_LOOP_COPIES * ROOF_LOOP_SLOTS <= ROOF_TRAIL_MOST &&
                   (ROOF_TRAIL_MOST + 2) * kSlot <= ROOF_TRAIL_BYTES,
               "a block fits behind what is filled");

/* Not rax and rcx, which what counts uses; the first one not r12 either, as a base it is encoded in
 * another way. */
static const uint8_t kCandidates[] = {11, 10, 9, 8, 15, 14, 13, 3, 5, 7, 6, 12};

int roof_native_choose_trail(struct roof_native_block* block, uint32_t used) {
  unsigned chosen[2], found = 0;
  for (unsigned i = 0; i < sizeof kCandidates && found < 2; ++i)
    if (!(used & UINT32_C(1) << kCandidates[i])) chosen[found++] = kCandidates[i];
  if (found < 2) return 0; /* those of the block so far stay */
  block->trail_register = chosen[0];
  block->address_register = chosen[1];
  return 1;
}

/* opcode reg, [base + distance]; `base` is not rsp or r12. */
static void emit_based(struct roof_native_emitter* e, unsigned opcode, unsigned reg, unsigned base,
                       unsigned distance) {
  const int small = distance < 128;
  roof_emit_byte(e, 0x48u | (reg & 8) >> 1 | base >> 3);
  roof_emit_byte(e, opcode);
  roof_emit_byte(e, (small ? 0x40u : 0x80u) | (reg & 7) << 3 | (base & 7));
  if (small) {
    roof_emit_byte(e, distance);
  } else {
    roof_emit_u32(e, distance);
  }
}

static void emit_put(struct roof_native_emitter* e, unsigned reg, unsigned base,
                     unsigned distance) {
  emit_based(e, 0x89, reg, base, distance);
}

/* lea reg, [base + scale * index + distance]; kNone: there is none. */
static void emit_lea(struct roof_native_emitter* e, unsigned reg, unsigned base, unsigned index,
                     unsigned scale, int64_t distance) {
  const unsigned in_index = index == kNone ? 4 : index, in_base = base == kNone ? 5 : base;
  unsigned log = 0;
  while (index != kNone && 1u << log < scale) ++log;
  roof_emit_byte(e, 0x48u | (reg & 8) >> 1 | (in_index & 8) >> 2 | in_base >> 3);
  roof_emit_byte(e, 0x8D);
  roof_emit_byte(e, (base == kNone ? 0x04u : 0x84u) | (reg & 7) << 3);
  roof_emit_byte(e, log << 6 | (in_index & 7) << 3 | (in_base & 7));
  roof_emit_u32(e, (uint32_t)distance);
}

/* lea reg, [rip + distance to `to`]. */
static void emit_lea_of(struct roof_native_emitter* e, unsigned reg, const uint8_t* to) {
  roof_emit_byte(e, 0x48u | (reg & 8) >> 1);
  roof_emit_byte(e, 0x8D);
  roof_emit_byte(e, 0x05u | (reg & 7) << 3);
  uint8_t* from = e->at;
  roof_emit_u32(e, 0);
  if (to && !e->failed) roof_emit_distance(e, from, to);
}

static void emit_constant(struct roof_native_emitter* e, unsigned reg, uint64_t value) {
  roof_emit_byte(e, 0x48u | reg >> 3);
  roof_emit_byte(e, 0xB8u | (reg & 7));
  roof_emit_u64(e, value);
}

static void emit_base_of_fs(struct roof_native_emitter* e, unsigned reg) {
  roof_emit_byte(e, 0xF3);
  roof_emit_byte(e, 0x48u | reg >> 3);
  roof_emit_byte(e, 0x0F);
  roof_emit_byte(e, 0xAE);
  roof_emit_byte(e, 0xC0u | (reg & 7));
}

static unsigned number_of(ZydisRegister reg) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
  if (ZydisRegisterGetClass(whole) != ZYDIS_REGCLASS_GPR64) return kNone;
  return (unsigned)ZydisRegisterGetId(whole);
}

/* xlat has al as its index. */
static void emit_table_address(struct roof_native_emitter* e, unsigned reg, unsigned base) {
  roof_emit_byte(e, 0x40u | (reg & 8) >> 1);
  roof_emit_byte(e, 0x0F);
  roof_emit_byte(e, 0xB6);
  roof_emit_byte(e, 0xC0u | (reg & 7) << 3);
  emit_lea(e, reg, base, reg, 1, 0);
}

static void emit_address(struct roof_native_emitter* e, unsigned reg,
                         const struct roof_native_instruction* in,
                         const struct roof_native_found_access* found) {
  const ZydisDecodedOperandMem* memory = &in->operands[found->operand].mem;
  const int64_t distance = memory->disp.value + found->further;
  const unsigned base = number_of(memory->base), index = number_of(memory->index);
  if (memory->base == ZYDIS_REGISTER_RIP) {
    emit_lea_of(e, reg, (const uint8_t*)(uintptr_t)(in->pc + in->length + (uint64_t)distance));
  } else if (in->zydis.mnemonic == ZYDIS_MNEMONIC_XLAT) {
    emit_table_address(e, reg, base);
  } else if (distance != (int32_t)distance) {
    emit_constant(e, reg, (uint64_t)distance);
  } else if (memory->segment == ZYDIS_REGISTER_FS) {
    emit_base_of_fs(e, reg);
    if (base != kNone) emit_lea(e, reg, base, reg, 1, 0);
    emit_lea(e, reg, reg, index, memory->scale, distance);
  } else {
    /* The stack's address is never a short one. */
    if (in->zydis.attributes & ZYDIS_ATTRIB_HAS_ADDRESSSIZE &&
        ZydisRegisterGetClass(memory->base) != ZYDIS_REGCLASS_GPR64)
      roof_emit_byte(e, 0x67);
    emit_lea(e, reg, base, index, memory->scale, distance);
  }
}

/* The bits of a mask register. kmovq needs AVX512BW, as masks of more than 16 lanes do. */
static void emit_put_bits(struct roof_native_emitter* e, unsigned k, unsigned lanes, unsigned base,
                          unsigned distance) {
  roof_emit_byte(e, 0xC4);
  roof_emit_byte(e, base & 8 ? 0xC1 : 0xE1);
  roof_emit_byte(e, lanes > 16 ? 0xF8 : 0x78);
  roof_emit_byte(e, 0x91);
  roof_emit_byte(e, 0x80u | k << 3 | (base & 7));
  roof_emit_u32(e, distance);
}

/* A vector register: vmovdqu, or vmovdqu64 for those that have no other encoding. */
static void emit_put_vector(struct roof_native_emitter* e, unsigned reg, unsigned bytes,
                            unsigned base, unsigned distance) {
  if (bytes < 64 && reg < 16) {
    roof_emit_byte(e, 0xC4);
    roof_emit_byte(e, 0x41u | (reg & 8 ? 0 : 0x80u) | (base & 8 ? 0 : 0x20u));
    roof_emit_byte(e, bytes == 32 ? 0x7E : 0x7A);
  } else {
    roof_emit_byte(e, 0x62);
    roof_emit_byte(e,
                   0x41u | (reg & 8 ? 0 : 0x80u) | (base & 8 ? 0 : 0x20u) | (reg & 16 ? 0 : 0x10u));
    roof_emit_byte(e, 0xFE);
    roof_emit_byte(e, 0x08u | (bytes == 64 ? 0x40u : bytes == 32 ? 0x20u : 0));
  }
  roof_emit_byte(e, 0x7F);
  roof_emit_byte(e, 0x80u | (reg & 7) << 3 | (base & 7));
  roof_emit_u32(e, distance);
}

static void emit_access(const struct roof_native_block* block, struct roof_native_emitter* e,
                        const struct roof_native_instruction* in,
                        const struct roof_native_found_access* found) {
  const unsigned to = block->trail_register, at = block->trail_at;
  const unsigned behind = at + kSlot;
  const struct roof_native_access* access = &found->access;
  const ZydisDecodedOperandMem* memory = &in->operands[found->operand].mem;
  if (access->kind == ROOF_ACCESS_REPEATED) {
    emit_put(e, number_of(memory->base), to, at);
    emit_put(e, ROOF_E_RCX, to, behind);
    return;
  }
  emit_address(e, block->address_register, in, found);
  emit_put(e, block->address_register, to, at);
  if (access->mask == ROOF_MASK_BITS) emit_put_bits(e, found->mask, access->lanes, to, behind);
  if (access->mask == ROOF_MASK_SIGNS)
    emit_put_vector(e, found->mask, found->mask_size, to, behind);
  if (access->kind == ROOF_ACCESS_GATHER)
    emit_put_vector(e, (unsigned)ZydisRegisterGetId(memory->index), found->index_size, to,
                    behind + (unsigned)kSlot * access->mask_slots);
}

void roof_native_trail_before(struct roof_native_block* block, struct roof_native_emitter* e,
                              unsigned i) {
  for (unsigned a = 0; block->slots && a < block->accesses[i]; ++a) {
    const struct roof_native_found_access* found = &block->access[i][a];
    emit_access(block, e, &block->in[i], found);
    block->trail_at += (unsigned)kSlot * found->access.slots;
  }
}

void roof_native_trail_behind(const struct roof_native_block* block, struct roof_native_emitter* e,
                              unsigned i) {
  unsigned at = block->trail_at;
  for (unsigned a = block->slots ? block->accesses[i] : 0; a-- > 0;) {
    const struct roof_native_found_access* found = &block->access[i][a];
    at -= (unsigned)kSlot * found->access.slots;
    if (found->access.kind != ROOF_ACCESS_REPEATED) continue;
    roof_emit_at(e, block->in[i].pc + block->in[i].length);
    emit_put(e, ROOF_E_RCX, block->trail_register, at + 2 * kSlot);
    emit_put(e, number_of(block->in[i].operands[found->operand].mem.base), block->trail_register,
             at + 3 * kSlot);
  }
}

static void keep_registers(const struct roof_native_block* block, struct roof_native_emitter* e) {
  roof_emit_store(e, block->trail_register, kKept);
  roof_emit_store(e, block->address_register, kKeptBehind);
  roof_emit_load(e, block->trail_register, ROOF_AT_POSITION);
  e->kept = ROOF_MARK_KEPT;
  roof_emit_mark(e, 0);
}

static void bring_registers_back(const struct roof_native_block* block,
                                 struct roof_native_emitter* e) {
  roof_emit_load(e, block->trail_register, kKept);
  roof_emit_load(e, block->address_register, kKeptBehind);
  e->kept = 0;
  roof_emit_mark(e, 0);
}

/* Jumps away where the trail is full: with rcx in place where flags may be changed, else with it in
 * the area. */
static void check_room(struct roof_native_block* block, struct roof_native_emitter* e) {
  static const uint8_t kIfZero[] = {0xE3, 0x05}; /* jrcxz over the jump */
  const unsigned reg = block->trail_register;
  block->full_quietly = block->in[0].flags_live != 0;
  if (!block->full_quietly) {
    roof_emit_byte(e, 0x48u | reg >> 3); /* test reg, constant */
    roof_emit_byte(e, 0xF7);
    roof_emit_byte(e, 0xC0u | (reg & 7));
    roof_emit_u32(e, UINT32_C(0xFF) << 8 * ROOF_TRAIL_FULL_BYTE);
    block->full_from = roof_emit_jump(e, 0x0F, 0x85);
    return;
  }
  /* The byte of the area is that of this register. */
  roof_emit_store(e, ROOF_E_RCX, kScratch);
  roof_emit_mark(e, ROOF_MARK_RCX);
  if (block->is_loop) roof_emit_store(e, reg, ROOF_AT_POSITION);
  static const uint8_t kByte[] = {0x65, 0x0F, 0xB6, 0x0C, 0x25}; /* movzx ecx, byte gs:[...] */
  roof_emit_bytes(e, kByte, sizeof kByte);
  roof_emit_u32(e, ROOF_AT_POSITION + ROOF_TRAIL_FULL_BYTE);
  roof_emit_bytes(e, kIfZero, sizeof kIfZero);
  block->full_from = roof_emit_jump(e, 0, 0xE9);
  roof_emit_load(e, ROOF_E_RCX, kScratch);
  roof_emit_mark(e, 0);
}

/* The number of iterations behind the header. */
static void put_times(const struct roof_native_block* block, struct roof_native_emitter* e,
                      unsigned times) {
  emit_based(e, 0xC7, 0, block->trail_register, kHeader);
  roof_emit_u32(e, times);
}

static void put_header(struct roof_native_block* block, struct roof_native_emitter* e) {
  emit_constant(e, block->address_register, 0);
  block->header_from = e->at - sizeof(uint64_t);
  emit_put(e, block->address_register, block->trail_register, 0);
  block->trail_at = block->is_loop ? kLoopHeader : kHeader;
}

static void go_further(const struct roof_native_block* block, struct roof_native_emitter* e,
                       unsigned bytes) {
  emit_lea(e, block->trail_register, block->trail_register, kNone, 0, bytes);
}

void roof_native_trail_begin(struct roof_native_block* block, struct roof_native_emitter* e) {
  if (!block->trails) return;
  roof_emit_at(e, block->in[0].pc);
  block->resume = e->at;
  keep_registers(block, e);
  check_room(block, e);
  put_header(block, e);
}

void roof_native_trail_end(const struct roof_native_block* block, struct roof_native_emitter* e) {
  if (!block->trails) return;
  if (block->in[block->count - 1].kind == ROOF_PLAIN) roof_emit_at(e, block->next);
  go_further(block, e, block->trail_at);
  roof_emit_store(e, block->trail_register, ROOF_AT_POSITION);
  bring_registers_back(block, e);
}

void roof_native_trail_begin_loop(struct roof_native_block* block, struct roof_native_emitter* e) {
  if (!block->trails) return;
  roof_emit_at(e, block->in[0].pc);
  block->resume = e->at;
  keep_registers(block, e);
}

void roof_native_trail_begin_round(struct roof_native_block* block, struct roof_native_emitter* e) {
  if (!block->trails) return;
  roof_emit_at(e, block->in[0].pc);
  check_room(block, e);
  put_header(block, e);
  put_times(block, e, ROOF_LOOP_COPIES);
}

void roof_native_trail_end_round(const struct roof_native_block* block,
                                 struct roof_native_emitter* e) {
  if (block->trails) go_further(block, e, block->trail_at);
}

void roof_native_trail_leave_loop(const struct roof_native_block* block,
                                  struct roof_native_emitter* e, unsigned times) {
  if (!block->trails) return;
  e->kept = ROOF_MARK_KEPT;
  roof_emit_mark(e, 0);
  if (times < ROOF_LOOP_COPIES) {
    put_times(block, e, times);
    go_further(block, e, kLoopHeader + kSlot * times * block->slots);
  }
  roof_emit_store(e, block->trail_register, ROOF_AT_POSITION);
  bring_registers_back(block, e);
}

void roof_native_come_from_check(const struct roof_native_block* block,
                                 struct roof_native_emitter* e) {
  roof_emit_distance(e, block->full_from, e->at);
  e->pc = block->in[0].pc;
  roof_emit_mark(e, block->full_quietly ? ROOF_MARK_RCX : 0);
  if (!block->full_quietly) return;
  roof_emit_load(e, ROOF_E_RCX, kScratch);
  roof_emit_mark(e, 0);
}

void roof_native_ask_dispatcher(const struct roof_native_block* block,
                                struct roof_native_emitter* e) {
  roof_emit_store(e, ROOF_E_RAX, ROOF_AT_REGISTERS);
  roof_emit_mark(e, ROOF_MARK_STUB);
  emit_lea_of(e, ROOF_E_RAX, NULL);
  uint8_t* from = e->at - 4;
  roof_emit_jump_through(e, ROOF_AT_FULL_ENTRY);
  roof_emit_align(e, 8, 0);
  if (e->failed) return;
  roof_emit_distance(e, from, e->at);
  roof_emit_u64(e, block->in[0].pc);
  roof_emit_u64(e, (uint64_t)(uintptr_t)block->resume);
}

/* The dispatcher has the trail read, and comes back to where the block begins. */
static void emit_full(const struct roof_native_block* block, struct roof_native_emitter* e) {
  e->kept = ROOF_MARK_KEPT;
  roof_native_come_from_check(block, e);
  if (block->is_loop) roof_emit_store(e, block->trail_register, ROOF_AT_POSITION);
  bring_registers_back(block, e);
  roof_native_ask_dispatcher(block, e);
}

/* Of all copies of a loop. */
static void emit_tags(const struct roof_native_block* block, struct roof_native_emitter* e) {
  const unsigned times = block->is_loop ? ROOF_LOOP_COPIES : 1;
  for (unsigned copy = 0; copy < times; ++copy)
    for (unsigned i = 0; i < block->count; ++i)
      for (unsigned a = 0; a < block->accesses[i]; ++a)
        roof_emit_u64(e, block->access[i][a].access.tag);
  for (unsigned i = 0; i < ROOF_TRAIL_PADDING; ++i) roof_emit_u64(e, 0);
}

/* Of the tags that were emitted last, from there on. */
static void emit_limits(const uint8_t* tags, struct roof_native_emitter* e) {
  const uint8_t* const end = e->at;
  for (; !e->failed && tags < end; tags += sizeof(uint64_t)) {
    uint64_t tag;
    memcpy(&tag, tags, sizeof tag);
    roof_emit_byte(e, (uint8_t)roof_native_limit(tag));
  }
}

static void emit_accesses(const struct roof_native_block* block, struct roof_native_emitter* e) {
  for (unsigned i = 0; i < block->count; ++i)
    for (unsigned a = 0; a < block->accesses[i]; ++a)
      roof_emit_bytes(e, (const uint8_t*)&block->access[i][a].access,
                      sizeof(struct roof_native_access));
}

void roof_native_trail_constants(const struct roof_native_block* block,
                                 struct roof_native_emitter* e) {
  struct roof_native_trail trail = {.pieces = (uint64_t)(uintptr_t)block->pieces};
  int plain = 1;
  if (!block->trails) return;
  emit_full(block, e);
  for (unsigned i = 0; i < block->count; ++i) {
    trail.accesses += block->accesses[i];
    for (unsigned a = 0; a < block->accesses[i]; ++a)
      if (block->access[i][a].access.kind != ROOF_ACCESS_PLAIN) plain = 0;
  }
  /* Vectors of tags lie in one line each. */
  roof_emit_align(e, 64, 64 - offsetof(struct roof_native_trail, data));
  if (e->failed) return;
  const int has_words = block->pieces && block->pieces->words == block->slots + 1;
  const uint64_t header = (uint64_t)(uintptr_t)e->at | (uint64_t)block->slots << ROOF_HEADER_SLOTS |
                          (has_words ? ROOF_HEADER_WORDS : 0) |
                          (block->is_loop ? ROOF_HEADER_LOOP : 0) | (plain ? ROOF_HEADER_PLAIN : 0);
  memcpy(block->header_from, &header, sizeof header);
  roof_emit_bytes(e, (const uint8_t*)&trail, offsetof(struct roof_native_trail, data));
  if (plain) {
    const uint8_t* tags = e->at;
    emit_tags(block, e);
    emit_limits(tags, e);
  } else {
    emit_accesses(block, e);
  }
}
