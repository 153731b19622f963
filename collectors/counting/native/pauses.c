/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A thread in a loop of code that writes no trail would stay there for as long as the loop takes,
 * and miss that a burst begins. Blocks that may lead back ask the dispatcher once in so many
 * executions. No flag is changed that the program may still read. */
#include "collectors/counting/native/translator.h"

enum { kScratch = ROOF_AT_SPILL };

/* Whatever is executed again and again goes back by one of these, but for returns: those have calls
 * before them. */
static int may_lead_back(const struct roof_native_block* block) {
  const struct roof_native_instruction* last = &block->in[block->count - 1];
  switch (last->kind) {
    case ROOF_INDIRECT_JUMP:
    case ROOF_INDIRECT_CALL:
      return 1;
    case ROOF_JUMP:
    case ROOF_CONDITIONAL:
    case ROOF_BY_COUNT:
    case ROOF_CALL:
      return last->target <= last->pc;
    default:
      return 0;
  }
}

void roof_native_find_pause(struct roof_native_block* block, int quiet) {
  block->pauses = quiet && may_lead_back(block);
}

/* rcx has one round less; jumps away where that is none. */
static void count_quietly(struct roof_native_block* block, struct roof_native_emitter* e) {
  static const uint8_t kLess[] = {0x48, 0x8D, 0x49, 0xFF}; /* lea rcx, [rcx - 1] */
  static const uint8_t kUnlessZero[] = {0xE3, 0x02, 0xEB, 0x05};
  roof_emit_store(e, ROOF_E_RCX, kScratch);
  roof_emit_mark(e, ROOF_MARK_RCX);
  roof_emit_load(e, ROOF_E_RCX, ROOF_AT_ROUNDS);
  roof_emit_bytes(e, kLess, sizeof kLess);
  roof_emit_store(e, ROOF_E_RCX, ROOF_AT_ROUNDS);
  roof_emit_bytes(e, kUnlessZero, sizeof kUnlessZero);
  block->full_from = roof_emit_jump(e, 0, 0xE9);
  roof_emit_load(e, ROOF_E_RCX, kScratch);
  roof_emit_mark(e, 0);
}

void roof_native_pause(struct roof_native_block* block, struct roof_native_emitter* e) {
  if (!block->pauses) return;
  roof_emit_at(e, block->in[0].pc);
  block->resume = e->at;
  block->full_quietly = block->in[0].flags_live != 0;
  if (block->full_quietly) {
    count_quietly(block, e);
  } else {
    roof_emit_add(e, ROOF_AT_ROUNDS, -1);
    block->full_from = roof_emit_jump(e, 0x0F, 0x84); /* jz */
  }
}

void roof_native_pause_stub(const struct roof_native_block* block, struct roof_native_emitter* e) {
  if (!block->pauses) return;
  roof_native_come_from_check(block, e);
  roof_native_ask_dispatcher(block, e);
}
