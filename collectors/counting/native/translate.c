/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the translation of a block that was read. */
#include "collectors/counting/native/translator.h"

enum { kScratch = ROOF_AT_SPILL };

static int is_counted_quietly(const struct roof_native_block* block) {
  return block->in[block->count_at].flags_live != 0;
}

static void emit_count(const struct roof_native_block* block, struct roof_native_emitter* e,
                       int amount) {
  const unsigned offset = roof_native_slot_offset(block->slot);
  if (is_counted_quietly(block)) {
    roof_emit_add_quietly(e, offset, amount, kScratch);
  } else {
    roof_emit_add(e, offset, amount);
  }
}

/* The instructions; `amount` executions are counted where no flag is live, if there is such a
 * place. */
static void emit_body(struct roof_native_block* block, struct roof_native_emitter* e, int amount) {
  for (unsigned i = 0; i < block->count; ++i) {
    const struct roof_native_instruction* in = &block->in[i];
    roof_emit_at(e, in->pc);
    if (amount && i == block->count_at) emit_count(block, e, amount);
    roof_native_count_before(e, &block->varying[i], block->varying_slot[i], in->flags_live);
    roof_native_trail_before(block, e, i);
    if (in->kind == ROOF_PLAIN) roof_native_copy(e, in);
    if (block->varying[i].kind == ROOF_BY_REPETITION_LEFT) roof_emit_at(e, in->pc + in->length);
    roof_native_count_behind(e, &block->varying[i], block->varying_slot[i]);
    roof_native_trail_behind(block, e, i);
  }
}

static uint8_t* emit_condition(struct roof_native_emitter* e, unsigned condition) {
  return roof_emit_jump(e, 0x0F, 0x80 | condition);
}

/* A loop that is one block: copies of its body in a row are counted at once. Whoever leaves before
 * the last copy takes back what was not executed. */
static void emit_loop(struct roof_native* native, struct roof_native_emitter* e) {
  static const uint8_t kJump[] = {0xE9};
  struct roof_native_block* block = &native->block;
  const struct roof_native_instruction* last = &block->in[block->count - 1];
  const unsigned condition = last->zydis.opcode & 15;
  roof_native_trail_begin_loop(block, e);
  const uint8_t* begin = e->at;
  uint8_t* leaving[ROOF_LOOP_COPIES];
  uint8_t* to_end[ROOF_LOOP_COPIES];
  roof_native_trail_begin_round(block, e);
  roof_native_pause(block, e);
  for (unsigned i = 0; i < ROOF_LOOP_COPIES; ++i) {
    emit_body(block, e, i == 0 ? ROOF_LOOP_COPIES : 0);
    if (i + 1 < ROOF_LOOP_COPIES) leaving[i] = emit_condition(e, condition ^ 1);
  }
  roof_native_trail_end_round(block, e);
  roof_emit_distance(e, emit_condition(e, condition), begin);
  roof_emit_at(e, block->next);
  roof_native_trail_leave_loop(block, e, ROOF_LOOP_COPIES);
  roof_emit_bytes(e, kJump, sizeof kJump);
  to_end[ROOF_LOOP_COPIES - 1] = e->at;
  roof_emit_u32(e, 0);
  for (unsigned i = 0; i + 1 < ROOF_LOOP_COPIES && !e->failed; ++i) {
    roof_emit_distance(e, leaving[i], e->at);
    roof_native_trail_leave_loop(block, e, i + 1);
    roof_emit_add_quietly(e, roof_native_slot_offset(block->slot), (int)(i + 1) - ROOF_LOOP_COPIES,
                          kScratch);
    roof_emit_bytes(e, kJump, sizeof kJump);
    to_end[i] = e->at;
    roof_emit_u32(e, 0);
  }
  for (unsigned i = 0; i < ROOF_LOOP_COPIES && !e->failed; ++i)
    roof_emit_distance(e, to_end[i], e->at);
  roof_native_count_on(block, e);
  roof_native_emit_exit(native, e, kJump, sizeof kJump, block->next);
}

/* What exits jump to until their targets are translated. */
static void emit_stubs(struct roof_native_block* block, struct roof_native_emitter* e) {
  static const uint8_t kLea[] = {0x48, 0x8D, 0x05}; /* lea rax, [rip + distance] */
  for (unsigned i = 0; i < block->exits && !e->failed; ++i) {
    roof_emit_distance(e, block->exit[i].from, e->at);
    roof_emit_at(e, block->exit[i].pc);
    roof_emit_store(e, ROOF_E_RAX, ROOF_AT_REGISTERS);
    roof_emit_mark(e, ROOF_MARK_STUB);
    roof_emit_bytes(e, kLea, sizeof kLea);
    uint8_t* from = e->at;
    roof_emit_u32(e, 0);
    roof_emit_jump_through(e, ROOF_AT_LINK);
    roof_emit_align(e, 8, 0);
    if (e->failed) return;
    roof_emit_distance(e, from, e->at);
    roof_emit_u64(e, block->exit[i].pc);
    roof_emit_u64(e, (uint64_t)(uintptr_t)block->exit[i].from);
  }
}

static uint8_t* emit_begin(const struct roof_native_block* block, struct roof_native_emitter* e) {
  roof_emit_align(e, 16, 0);
  roof_emit_u32(e, block->module->owner); /* and the rest, later */
  roof_emit_u32(e, 0);
  roof_emit_u64(e, -roof_native_key(block->in[0].pc, block->version));
  uint8_t* code = e->at;
  e->marks->begin = code;
  e->marks->offset = e->marks->size = 0;
  e->marks->pc = e->pc = block->in[0].pc;
  roof_emit_mark(e, ROOF_MARK_LOOKUP);
  for (unsigned reg = ROOF_E_RAX; reg <= ROOF_E_RDX; ++reg)
    roof_emit_load(e, reg, ROOF_AT_REGISTERS + 8 * reg);
  return code;
}

const uint8_t* roof_native_translate_block(struct roof_native* native) {
  struct roof_native_block* block = &native->block;
  const int has_pieces = native->window && block->follows;
  block->pieces = has_pieces ? roof_native_make_pieces(native) : NULL;
  if (has_pieces && !block->pieces) return NULL;
  struct roof_native_emitter e = {
      .at = block->module->at, .end = block->module->code_end, .marks = &native->marks};
  uint8_t* code = emit_begin(block, &e);
  roof_native_cross_by_begin(native, &e);
  if (block->is_loop) {
    emit_loop(native, &e);
  } else {
    roof_native_trail_begin(block, &e);
    roof_native_pause(block, &e);
    emit_body(block, &e, 1);
    roof_native_trail_end(block, &e);
    roof_native_emit_end(native, &e);
  }
  emit_stubs(block, &e);
  roof_native_emit_borders(block, &e);
  roof_native_trail_constants(block, &e);
  roof_native_pause_stub(block, &e);
  roof_emit_constants(&e);
  const uint32_t marks = (uint32_t)(e.at - code);
  roof_emit_bytes(&e, native->marks.bytes, native->marks.size);
  if (e.failed) return NULL;
  struct roof_native_head* head = (struct roof_native_head*)(void*)code - 1;
  head->marks = (uint16_t)marks;
  head->marks_size = (uint16_t)native->marks.size;
  head->kept = (uint8_t)(block->trail_register | block->address_register << 4);
  roof_native_cache_note(block->module, code);
  roof_native_cache_note_source(block->module, block->in[0].pc, block->next);
  block->module->at = e.at;
  return code;
}
