/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a block: instructions that execute one after the other, up to the first branch. */
#include "collectors/counting/native/translator.h"

struct roof_native_module* roof_native_module_of(struct roof_native* native, uint64_t pc) {
  for (uint32_t i = 0; i < native->modules; ++i)
    if (pc >= native->module[i].begin && pc < native->module[i].end) return &native->module[i];
  return NULL;
}

static int is_stop(const struct roof_native* native, uint64_t pc) {
  for (uint32_t i = 0; i < native->stops; ++i)
    if (native->stop[i] == pc) return 1;
  return 0;
}

/* Everything in the cache reaches what a distance names. */
static int is_in_reach(const struct roof_native_module* module,
                       const struct roof_native_instruction* in) {
  if (!(in->zydis.attributes & ZYDIS_ATTRIB_IS_RELATIVE) || in->target) return 1;
  const uint64_t to = in->pc + in->length + (uint64_t)in->zydis.raw.disp.value;
  const int64_t low = (int64_t)(to - (uint64_t)(uintptr_t)module->code);
  const int64_t high = (int64_t)(to - (uint64_t)(uintptr_t)module->code_end);
  return low == (int32_t)low && high == (int32_t)high;
}

static uint32_t slot_of(struct roof_native* native, const struct roof_segment* segment) {
  const struct roof_descriptor* descriptor = roof_segments_intern(&native->segments, segment);
  return descriptor && descriptor->id < native->slots ? descriptor->id : 0;
}

/* Counts the instruction; ROOF_LEAVE_REASONS, or why that is not possible. */
static unsigned count(struct roof_native* native, unsigned i) {
  struct roof_native_block* block = &native->block;
  roof_native_clear_segment(native, &native->each);
  if (!roof_native_find_meaning(&block->in[i], &native->always, &native->each, &block->varying[i]))
    return ROOF_LEAVE_UNCOUNTABLE;
  if (block->varying[i].kind == ROOF_VARIES_NOT) return ROOF_LEAVE_REASONS;
  block->varying_slot[i] = slot_of(native, &native->each);
  return block->varying_slot[i] ? ROOF_LEAVE_REASONS : ROOF_LEAVE_NO_MEMORY;
}

/* What it writes to the trail. 0: the block ends before it, because there are no registers left, or
 * no room. */
static int follow_accesses(struct roof_native* native, const struct roof_native_instruction* in) {
  struct roof_native_block* block = &native->block;
  const unsigned i = block->count;
  const uint32_t used = block->used | roof_native_registers_of(in);
  unsigned slots = block->slots;
  block->accesses[i] = (uint8_t)roof_native_find_accesses(in, block->access[i]);
  for (unsigned a = 0; a < block->accesses[i]; ++a) slots += block->access[i][a].access.slots;
  if ((slots || native->window) && !roof_native_choose_trail(block, used)) return 0;
  block->used = used;
  block->slots = slots;
  return 1;
}

/* Where `module` ends: the next one of its file, if that goes on there. A program that makes a page
 * of its code writable divides the mapping, in the middle of an instruction for all it knows. */
static const struct roof_native_module* next_of(struct roof_native* native,
                                                const struct roof_native_module* module) {
  const struct roof_native_guide* guide = &native->guide;
  const struct roof_native_module* next = roof_native_module_of(native, module->end);
  if (!next && guide->find && guide->find(guide->cookie, module->end) == ROOF_LEAVE_REASONS)
    next = roof_native_module_of(native, module->end);
  return next && next->file == module->file && next->owner == module->owner ? next : NULL;
}

static void decode(struct roof_native* native, const struct roof_native_module* module, uint64_t pc,
                   struct roof_native_instruction* in) {
  const uint64_t left = module->end - pc;
  roof_native_decode(&native->decoder, pc, left, in);
  if (in->kind != ROOF_LEAVES || left >= ZYDIS_MAX_INSTRUCTION_LENGTH) return;
  const struct roof_native_module* next = next_of(native, module);
  if (next) roof_native_decode(&native->decoder, pc, next->end - pc, in);
}

/* ROOF_LEAVE_REASONS, or why the instruction at `pc` is not part of the block. */
static unsigned read_instruction(struct roof_native* native, uint64_t pc) {
  struct roof_native_block* block = &native->block;
  struct roof_native_instruction* in = &block->in[block->count];
  if (is_stop(native, pc)) return ROOF_LEAVE_STOP;
  if (pc >= block->module->end) return ROOF_LEAVE_OUTSIDE;
  decode(native, block->module, pc, in);
  if (in->kind == ROOF_LEAVES) return in->reason;
  if (!is_in_reach(block->module, in)) return ROOF_LEAVE_OUT_OF_REACH;
  if (block->follows && !follow_accesses(native, in)) return ROOF_LEAVE_NO_MEMORY;
  return count(native, block->count);
}

static int is_loop(const struct roof_native_block* block) {
  const struct roof_native_instruction* last = &block->in[block->count - 1];
  return last->kind == ROOF_CONDITIONAL && last->target == block->in[0].pc &&
         block->count <= ROOF_LOOP_MOST && block->slots <= ROOF_LOOP_SLOTS;
}

/* Whether a flag that is set before `pc` may be read there or later. */
static int are_flags_live_at(const struct roof_native* native, uint64_t pc) {
  enum { kMostRead = 4 };
  const struct roof_native_module* module = native->block.module;
  struct roof_native_instruction in;
  unsigned live = ROOF_ALL_FLAGS;
  for (unsigned i = 0; i < kMostRead && pc < module->end; ++i) {
    roof_native_decode(&native->decoder, pc, module->end - pc, &in);
    if (in.kind != ROOF_PLAIN || in.flags_read & live) return 1;
    live &= ~(unsigned)in.flags_killed;
    if (!live) return 0;
    pc += in.length;
  }
  return 1;
}

static void find_count_at(struct roof_native_block* block) {
  block->count_at = 0;
  for (unsigned i = 0; i < block->count; ++i) {
    if (block->in[i].flags_live) continue;
    block->count_at = i;
    return;
  }
}

void roof_native_clear_segment(const struct roof_native* native, struct roof_segment* segment) {
  roof_segment_clear(segment);
  segment->version = native->block.version;
}

void roof_native_read_block(struct roof_native* native, uint64_t pc, uint32_t version) {
  struct roof_native_block* block = &native->block;
  block->version = version;
  block->follows = native->traced && !(version & ROOF_NATIVE_QUIET);
  block->count = 0;
  block->exits = 0;
  block->borders = 0;
  block->slots = 0;
  block->used = 0;
  block->reason = is_stop(native, pc) ? ROOF_LEAVE_STOP : ROOF_LEAVE_OUTSIDE;
  block->module = roof_native_module_of(native, pc);
  if (!block->module || block->reason == ROOF_LEAVE_STOP) return;
  block->reason = ROOF_LEAVE_NO_MEMORY;
  if (!block->module->code || block->module->code_end - block->module->at < ROOF_BLOCK_ROOM) return;
  roof_native_clear_segment(native, &native->always);
  block->nest = roof_native_nest_at(native, block->module, pc);
  do {
    if (block->count && roof_native_nest_at(native, block->module, pc) != block->nest) break;
    block->reason = read_instruction(native, pc);
    if (block->reason != ROOF_LEAVE_REASONS) break;
    pc += block->in[block->count].length;
  } while (block->in[block->count++].kind == ROOF_PLAIN && block->count < ROOF_BLOCK_MOST);
  block->next = pc;
  if (block->count == 0) return;
  block->slot = roof_native_keep_place(native) ? slot_of(native, &native->always) : 0;
  if (!block->slot) {
    block->count = 0;
    block->reason = ROOF_LEAVE_NO_MEMORY;
    return;
  }
  roof_native_find_live_flags(block->in, block->count);
  find_count_at(block);
  block->behind_flags_live = block->behind_slot && are_flags_live_at(native, block->next);
  block->is_loop = (unsigned)is_loop(block);
  block->trails = block->follows && (native->window || block->slots);
  roof_native_find_pause(block, native->traced && !block->trails);
}
