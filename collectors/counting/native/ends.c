/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ends of blocks. A call puts the program's own return address on the stack. An indirect jump
 * looks its target up in the table, without a flag: rcx becomes 0 where the address that the
 * translation begins with, negated, and the target add up to it. */
#include "collectors/counting/native/translator.h"

static const uint8_t kJump[] = {0xE9};

void roof_native_emit_exit(struct roof_native* native, struct roof_native_emitter* e,
                           const uint8_t* opcode, unsigned size, uint64_t pc) {
  struct roof_native_block* block = &native->block;
  if (roof_native_cross_by_exit(native, e, opcode, size, pc)) return;
  const uint8_t* code =
      roof_native_places_find(&native->places, roof_native_key(pc, block->version));
  roof_emit_align(e, 4, (4 - size % 4) % 4);
  roof_emit_bytes(e, opcode, size);
  uint8_t* from = e->at;
  roof_emit_u32(e, 0);
  if (e->failed) return;
  if (code) {
    roof_emit_distance(e, from, code + ROOF_PROLOGUE);
  } else if (block->exits == ROOF_EXITS) {
    e->failed = 1;
  } else {
    block->exit[block->exits].pc = pc;
    block->exit[block->exits++].from = from;
  }
}

static void emit_jump_to(struct roof_native* native, struct roof_native_emitter* e, uint64_t pc) {
  roof_native_emit_exit(native, e, kJump, sizeof kJump, pc);
}

static void save_for_lookup(struct roof_native_emitter* e) {
  for (unsigned reg = ROOF_E_RAX; reg <= ROOF_E_RDX; ++reg)
    roof_emit_store(e, reg, ROOF_AT_REGISTERS + 8 * reg);
}

/* The target is in rax. What is compared has the version in its highest 16 bits, which change
 * places with the lowest. */
static void emit_lookup(const struct roof_native_block* block, struct roof_native_emitter* e,
                        unsigned miss) {
  static const uint8_t kIndex[] = {0x0F, 0xB7, 0xC8};         /* movzx ecx, ax */
  static const uint8_t kMoved[] = {0x8D, 0x88};               /* lea ecx, [rax + distance] */
  static const uint8_t kMovedIndex[] = {0x0F, 0xB7, 0xC9};    /* movzx ecx, cx */
  static const uint8_t kSwap[] = {0x48, 0x0F, 0xC9};          /* bswap rcx */
  static const uint8_t kMinus[] = {0x48, 0x8D, 0x89};         /* lea rcx, [rcx + distance] */
  static const uint8_t kCode[] = {0x48, 0x8B, 0x14, 0xCA};    /* mov rdx, [rdx + 8 rcx] */
  static const uint8_t kAddress[] = {0x48, 0x8B, 0x4A, 0xF8}; /* mov rcx, [rdx - 8] */
  static const uint8_t kCompare[] = {0x48, 0x8D, 0x0C, 0x01}; /* lea rcx, [rcx + rax] */
  static const uint8_t kIfEqual[] = {0xE3, 0x09};             /* jrcxz over the jump */
  static const uint8_t kGo[] = {0xFF, 0xE2};                  /* jmp rdx */
  if (block->version) {
    roof_emit_bytes(e, kMoved, sizeof kMoved);
    roof_emit_u32(e, (uint32_t)roof_native_index(0, block->version));
    roof_emit_bytes(e, kMovedIndex, sizeof kMovedIndex);
  } else {
    roof_emit_bytes(e, kIndex, sizeof kIndex);
  }
  roof_emit_load(e, ROOF_E_RDX, ROOF_AT_TABLE);
  roof_emit_bytes(e, kCode, sizeof kCode);
  roof_emit_bytes(e, kAddress, sizeof kAddress);
  roof_emit_bytes(e, kCompare, sizeof kCompare);
  if (block->version) {
    roof_emit_bytes(e, kSwap, sizeof kSwap);
    roof_emit_bytes(e, kMinus, sizeof kMinus);
    roof_emit_u32(e, -(uint32_t)__builtin_bswap16((uint16_t)-block->version));
  }
  roof_emit_bytes(e, kIfEqual, sizeof kIfEqual);
  roof_emit_jump_through(e, miss);
  roof_emit_bytes(e, kGo, sizeof kGo);
}

static void emit_push(struct roof_native_emitter* e, uint64_t value) {
  static const uint8_t kPush[] = {0xFF, 0x35}; /* push [rip + distance] */
  roof_emit_with_constant(e, kPush, sizeof kPush, value);
}

/* rax = the operand of a jmp or call: the same addressing, as mov r64, r/m64. */
static void emit_load_target(struct roof_native_emitter* e,
                             const struct roof_native_instruction* in) {
  struct roof_native_instruction load = *in;
  uint8_t bytes[16];
  unsigned n = 0, i = 0;
  uint8_t rex = 0x48;
  for (; i < in->zydis.raw.modrm.offset - 1u; ++i) {
    const uint8_t byte = in->bytes[i];
    if ((byte & 0xF0) == 0x40) {
      rex |= byte & 3;                         /* the bits that extend base and index */
    } else if (byte == 0x64 || byte == 0x67) { /* fs, short addresses; others say nothing here */
      bytes[n++] = byte;
    }
  }
  bytes[n++] = rex;
  bytes[n++] = 0x8B;
  const unsigned modrm = n;
  bytes[n++] = in->bytes[i + 1] & 0xC7;
  for (i += 2; i < in->length; ++i) bytes[n++] = in->bytes[i];
  load.zydis.raw.disp.offset =
      (uint8_t)(modrm + (in->zydis.raw.disp.offset - in->zydis.raw.modrm.offset));
  load.zydis.raw.disp.value += (int64_t)in->length - (int64_t)n;
  load.bytes = bytes;
  load.length = (uint8_t)n;
  roof_native_copy(e, &load);
}

/* Through an entry of a table that the linker made: a call of a function that the code knows by its
 * name, not one of the program that it was told of. */
static int is_linkage(const struct roof_native_instruction* in) {
  return (in->zydis.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0;
}

static void emit_indirect(struct roof_native* native, struct roof_native_emitter* e,
                          const struct roof_native_instruction* in) {
  const unsigned miss = is_linkage(in) ? ROOF_AT_LINKAGE : ROOF_AT_MISS;
  const int is_jump = in->kind == ROOF_INDIRECT_JUMP && !is_linkage(in);
  save_for_lookup(e);
  roof_emit_mark(e, ROOF_MARK_LOOKUP);
  emit_load_target(e, in);
  if (in->kind == ROOF_INDIRECT_CALL) emit_push(e, in->pc + in->length);
  roof_emit_mark(e, ROOF_MARK_LOOKUP | ROOF_MARK_TARGET);
  const int is_call = in->kind == ROOF_INDIRECT_CALL;
  const int asks = (is_jump || is_call) && roof_native_cross_by_pointer(native, e);
  if (roof_native_note_jump(&native->block, e, is_linkage(in), miss)) return;
  if (asks) {
    roof_emit_jump_through(e, miss);
  } else {
    emit_lookup(&native->block, e, miss);
  }
}

static void emit_return(struct roof_native* native, struct roof_native_emitter* e,
                        const struct roof_native_instruction* in) {
  static const uint8_t kLea[] = {0x48, 0x8D, 0xA4, 0x24}; /* lea rsp, [rsp + distance] */
  save_for_lookup(e);
  roof_emit_mark(e, ROOF_MARK_LOOKUP);
  roof_emit_byte(e, 0x58); /* pop rax */
  roof_emit_mark(e, ROOF_MARK_LOOKUP | ROOF_MARK_TARGET);
  if (in->zydis.raw.imm[0].size) {
    roof_emit_bytes(e, kLea, sizeof kLea);
    roof_emit_u32(e, (uint32_t)in->zydis.raw.imm[0].value.u & 0xFFFF);
  }
  roof_native_cross_by_return(native, e);
  emit_lookup(&native->block, e, ROOF_AT_MISS);
}

static void emit_conditional(struct roof_native* native, struct roof_native_emitter* e,
                             const struct roof_native_instruction* in) {
  const uint8_t condition = in->zydis.opcode & 15;
  const uint8_t opcode[] = {0x0F, (uint8_t)(0x80 | condition)};
  roof_native_emit_exit(native, e, opcode, sizeof opcode, in->target);
  roof_native_count_on(&native->block, e);
  emit_jump_to(native, e, in->pc + in->length);
}

/* loop and jrcxz reach 127 bytes: over the jump for when they are not taken. */
static void emit_by_count(struct roof_native* native, struct roof_native_emitter* e,
                          const struct roof_native_instruction* in) {
  roof_emit_bytes(e, in->bytes, in->length);
  uint8_t* from = e->at;
  roof_emit_at(e, in->pc + in->length);
  roof_native_count_on(&native->block, e);
  emit_jump_to(native, e, in->pc + in->length);
  if (e->failed) return;
  from[-1] = (uint8_t)(e->at - from);
  roof_emit_at(e, in->target);
  emit_jump_to(native, e, in->target);
}

/* The kernel puts the address behind the instruction into rcx, so rcx is free. What a call makes, a
 * process or a thread, gets 0 in rax and goes on as native code. */
static void emit_call_code(struct roof_native_emitter* e, const struct roof_native_instruction* in,
                           int makes) {
  static const uint8_t kIsZero[] = {0x48, 0x8D, 0x08, 0xE3, 0x02, 0xEB, 0x0D};
  static const uint8_t kBehind[] = {0x48, 0x8B, 0x0D}; /* mov rcx, [rip + distance] */
  static const uint8_t kTarget[] = {0x48, 0x8B, 0x05}; /* mov rax, [rip + distance] */
  static const uint8_t kNative[] = {0xFF, 0x25};       /* jmp [rip + distance] */
  const uint64_t next = in->pc + in->length;
  roof_emit_at(e, in->pc);
  roof_emit_bytes(e, in->bytes, in->length);
  roof_emit_at(e, next);
  if (makes) { /* lea rcx, [rax]; jrcxz over the jump over these two */
    roof_emit_bytes(e, kIsZero, sizeof kIsZero);
    roof_emit_with_constant(e, kBehind, sizeof kBehind, next);
    roof_emit_with_constant(e, kNative, sizeof kNative, next);
  }
  roof_emit_with_constant(e, kBehind, sizeof kBehind, next);
  save_for_lookup(e);
  roof_emit_mark(e, ROOF_MARK_LOOKUP);
  roof_emit_with_constant(e, kTarget, sizeof kTarget, next);
  roof_emit_jump_through(e, ROOF_AT_MISS);
}

/* The dispatcher decides whether the call is executed here. */
static void emit_system_call(struct roof_native_emitter* e,
                             const struct roof_native_instruction* in) {
  static const uint8_t kLea[] = {0x48, 0x8D, 0x05}; /* lea rax, [rip + distance] */
  roof_emit_store(e, ROOF_E_RAX, ROOF_AT_REGISTERS);
  roof_emit_mark(e, ROOF_MARK_STUB);
  roof_emit_bytes(e, kLea, sizeof kLea);
  uint8_t* from = e->at;
  roof_emit_u32(e, 0);
  roof_emit_jump_through(e, ROOF_AT_SYSTEM);
  roof_emit_align(e, 8, 0);
  if (e->failed) return;
  roof_emit_distance(e, from, e->at);
  roof_emit_u64(e, in->pc);
  uint8_t* codes = e->at;
  roof_emit_u64(e, 0);
  roof_emit_u64(e, 0);
  if (e->failed) return;
  const uint8_t* code[2];
  for (int makes = 0; makes < 2; ++makes) {
    code[makes] = e->at;
    emit_call_code(e, in, makes);
  }
  for (unsigned i = 0; i < sizeof code && !e->failed; ++i)
    codes[i] = (uint8_t)((uint64_t)(uintptr_t)code[i / 8] >> i % 8 * 8);
}

void roof_native_emit_end(struct roof_native* native, struct roof_native_emitter* e) {
  const struct roof_native_block* block = &native->block;
  const struct roof_native_instruction* last = &block->in[block->count - 1];
  switch (last->kind) {
    case ROOF_JUMP:
      emit_jump_to(native, e, last->target);
      break;
    case ROOF_CONDITIONAL:
      emit_conditional(native, e, last);
      break;
    case ROOF_BY_COUNT:
      emit_by_count(native, e, last);
      break;
    case ROOF_CALL:
      emit_push(e, last->pc + last->length);
      roof_emit_at(e, last->target);
      emit_jump_to(native, e, last->target);
      break;
    case ROOF_INDIRECT_JUMP:
    case ROOF_INDIRECT_CALL:
      emit_indirect(native, e, last);
      break;
    case ROOF_RETURN:
      emit_return(native, e, last);
      break;
    case ROOF_SYSTEM_CALL:
      emit_system_call(e, last);
      break;
    default:
      roof_emit_at(e, block->next);
      emit_jump_to(native, e, block->next);
      break;
  }
}
