/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Borders of nests: code that goes to the dispatcher where a thread crosses one, so that the guide
 * follows it (contexts/nests.h). Inside a nest, and outside of all, code is what it is without
 * them, but for jumps through pointers and returns, which look whether the frame of a visit has
 * ended. */
#include "collectors/counting/native/translator.h"

_Static_assert(offsetof(struct roof_native_crossing, pc) == 0, "entry.c reads it");
_Static_assert(sizeof(struct roof_native_crossing) == 40, "emit_crossing writes it");

int roof_native_follow_nests(struct roof_native* native, const struct roof_nests* nests,
                             const char* const* files, uint32_t count) {
  if (nests->count > ROOF_MOST_NESTS) return 0;
  native->nest_file = roof_memory_allocate(&native->memory, (count + 1) * sizeof *files);
  if (!native->nest_file) return 0;
  for (uint32_t i = 0; i < count; ++i)
    if (!(native->nest_file[i] = roof_native_copy_text(&native->memory, files[i]))) return 0;
  native->nest_files = count;
  native->nests = nests;
  return 1;
}

uint32_t roof_native_nests_in(const struct roof_native* native, const char* path) {
  for (uint32_t i = 0; i < native->nest_files; ++i)
    if (roof_native_is_same_text(native->nest_file[i], path)) return i + 1;
  return 0;
}

static const struct roof_nest_range* range_at(const struct roof_native* native,
                                              const struct roof_native_module* module,
                                              uint64_t pc) {
  return module->nests ? roof_nests_at(native->nests, module->nests, pc - module->base) : NULL;
}

uint32_t roof_native_nest_at(const struct roof_native* native,
                             const struct roof_native_module* module, uint64_t pc) {
  const struct roof_nest_range* range = range_at(native, module, pc);
  return range ? range->nest : 0;
}

static struct roof_native_border* add_border(struct roof_native_block* block,
                                             struct roof_native_emitter* e,
                                             const struct roof_native_crossing* crossing,
                                             int by_jump) {
  static struct roof_native_border no_room;
  struct roof_native_border* border = &block->border[block->borders];
  if (block->borders == ROOF_CROSSINGS) {
    e->failed = 1;
    return &no_room;
  }
  ++block->borders;
  border->crossing = *crossing;
  border->by_jump = by_jump;
  return border;
}

/* An instruction that ends with the distance to the crossing. */
static struct roof_native_border* emit_reference(struct roof_native_block* block,
                                                 struct roof_native_emitter* e,
                                                 const uint8_t* opcode, unsigned size,
                                                 const struct roof_native_crossing* crossing,
                                                 int by_jump) {
  struct roof_native_border* border = add_border(block, e, crossing, by_jump);
  roof_emit_bytes(e, opcode, size);
  border->from = e->at;
  roof_emit_u32(e, 0);
  return border;
}

int roof_native_cross_by_exit(struct roof_native* native, struct roof_native_emitter* e,
                              const uint8_t* opcode, unsigned size, uint64_t pc) {
  struct roof_native_block* block = &native->block;
  const struct roof_native_instruction* last = &block->in[block->count - 1];
  const int calls = last->kind == ROOF_CALL;
  if (!native->nests) return 0;
  const uint64_t goes_on = calls ? last->pc + last->length : pc;
  const uint32_t to = roof_native_nest_at(native, block->module, goes_on);
  if (to == block->nest) return 0;
  const struct roof_native_crossing crossing = {
      .pc = pc,
      .kind = calls ? ROOF_CROSSES_BY_CALL : ROOF_CROSSES_ON_ITS_WAY,
      .from = block->nest,
      .to = to,
      .place = goes_on};
  emit_reference(block, e, opcode, size, &crossing, /*by_jump=*/1);
  return 1;
}

/* The target is in rax; rcx is free. The dispatcher is told. */
static void emit_crossed(struct roof_native_block* block, struct roof_native_emitter* e,
                         const struct roof_native_crossing* crossing) {
  static const uint8_t kLea[] = {0x48, 0x8D, 0x0D}; /* lea rcx, [rip + distance] */
  emit_reference(block, e, kLea, sizeof kLea, crossing, /*by_jump=*/0);
  roof_emit_store(e, ROOF_E_RCX, ROOF_AT_CROSSED);
}

/* rcx is 0 where the sum of the stack pointer and frame_ends is not negative: its highest byte is 0
 * then. No flag is changed. */
static void emit_is_frame_over(struct roof_native_emitter* e) {
  static const uint8_t kSum[] = {0x48, 0x8D, 0x0C, 0x0C}; /* lea rcx, [rsp + rcx] */
  static const uint8_t kSwap[] = {0x48, 0x0F, 0xC9};      /* bswap rcx */
  static const uint8_t kByte[] = {0x0F, 0xB6, 0xC9};      /* movzx ecx, cl */
  roof_emit_load(e, ROOF_E_RCX, ROOF_AT_FRAME_ENDS);
  roof_emit_bytes(e, kSum, sizeof kSum);
  roof_emit_bytes(e, kSwap, sizeof kSwap);
  roof_emit_bytes(e, kByte, sizeof kByte);
}

static void emit_if_frame_is_over(struct roof_native_block* block, struct roof_native_emitter* e,
                                  const struct roof_native_crossing* crossing) {
  static const uint8_t kIfOver[] = {0xE3, 0x02, 0xEB, 0x00}; /* jrcxz over the jump */
  emit_is_frame_over(e);
  roof_emit_bytes(e, kIfOver, sizeof kIfOver);
  uint8_t* behind = e->at;
  emit_crossed(block, e, crossing);
  roof_emit_jump_through(e, ROOF_AT_MISS);
  if (!e->failed) behind[-1] = (uint8_t)(e->at - behind);
}

void roof_native_cross_by_return(struct roof_native* native, struct roof_native_emitter* e) {
  const struct roof_native_crossing crossing = {.kind = ROOF_CROSSES_BY_RETURN};
  if (native->nests) emit_if_frame_is_over(&native->block, e, &crossing);
}

int roof_native_cross_by_pointer(struct roof_native* native, struct roof_native_emitter* e) {
  struct roof_native_block* block = &native->block;
  const struct roof_native_module* module = block->module;
  const struct roof_native_instruction* last = &block->in[block->count - 1];
  const uint64_t next = last->pc + last->length;
  if (!native->nests) return 0;
  struct roof_native_crossing crossing = {.kind = ROOF_CROSSES_BY_JUMP,
                                          .from = block->nest,
                                          .place = module->base,
                                          .module = module->nests};
  if (last->kind == ROOF_INDIRECT_CALL) {
    crossing.kind = ROOF_CROSSES_BY_CALL;
    crossing.to = roof_native_nest_at(native, module, next);
    crossing.place = next;
    if (crossing.to == block->nest) return 0;
  } else if (!range_at(native, module, last->pc)) {
    emit_if_frame_is_over(block, e, &crossing);
    return 0;
  }
  emit_crossed(block, e, &crossing);
  return 1;
}

void roof_native_cross_by_begin(struct roof_native* native, struct roof_native_emitter* e) {
  static const uint8_t kLea[] = {0x48, 0x8D, 0x05}; /* lea rax, [rip + distance] */
  struct roof_native_block* block = &native->block;
  const struct roof_native_module* module = block->module;
  const uint64_t pc = block->in[0].pc;
  if (!native->nests || !module->nests) return;
  const uint32_t begun = roof_nests_begin_at(native->nests, module->nests, pc - module->base);
  if (!begun) return;
  const struct roof_native_crossing crossing = {
      .pc = pc, .kind = ROOF_CROSSES_BY_BEGIN, .to = begun};
  roof_emit_at(e, pc);
  roof_emit_store(e, ROOF_E_RAX, ROOF_AT_REGISTERS);
  roof_emit_mark(e, ROOF_MARK_STUB);
  struct roof_native_border* border =
      emit_reference(block, e, kLea, sizeof kLea, &crossing, /*by_jump=*/0);
  roof_emit_jump_through(e, ROOF_AT_CROSS);
  roof_emit_at(e, pc);
  if (border->from && e->at != border->from + ROOF_BEGINNING - 12) e->failed = 1;
}

static void emit_crossing(struct roof_native_emitter* e,
                          const struct roof_native_crossing* crossing) {
  roof_emit_u64(e, crossing->pc);
  roof_emit_u64(e, crossing->kind);
  roof_emit_u32(e, crossing->from);
  roof_emit_u32(e, crossing->to);
  roof_emit_u64(e, crossing->place);
  roof_emit_u64(e, crossing->module);
}

void roof_native_emit_borders(struct roof_native_block* block, struct roof_native_emitter* e) {
  static const uint8_t kLea[] = {0x48, 0x8D, 0x05}; /* lea rax, [rip + distance] */
  for (unsigned i = 0; i < block->borders && !e->failed; ++i) {
    struct roof_native_border* border = &block->border[i];
    uint8_t* from = border->from;
    if (border->by_jump) {
      roof_emit_distance(e, from, e->at);
      roof_emit_at(e, border->crossing.pc);
      roof_emit_store(e, ROOF_E_RAX, ROOF_AT_REGISTERS);
      roof_emit_mark(e, ROOF_MARK_STUB);
      roof_emit_bytes(e, kLea, sizeof kLea);
      from = e->at;
      roof_emit_u32(e, 0);
      roof_emit_jump_through(e, ROOF_AT_CROSS);
    }
    roof_emit_align(e, 8, 0);
    if (e->failed) return;
    roof_emit_distance(e, from, e->at);
    emit_crossing(e, &border->crossing);
  }
}
