/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks told apart by their place: each has a counter of its own. How often the condition at its
 * end leads on is counted as well, so that the rest is how often it is taken; jumps through
 * registers and memory go to the dispatcher, which notes where they lead. */
#include "collectors/counting/contexts/owner.h"
#include "collectors/counting/native/translator.h"

void roof_native_keep_blocks(struct roof_native* native) {
  native->keeps_blocks = 1;
  native->blocks.memory = native->memory;
}

void roof_native_keep_no_more(struct roof_native* native) { native->keeps_blocks = 0; }

struct roof_blocks* roof_native_blocks(struct roof_native* native) {
  return &native->blocks;
}

int roof_native_is_same_text(const char* one, const char* other) {
  while (*one && *one == *other) ++one, ++other;
  return *one == *other;
}

const char* roof_native_copy_text(const struct roof_memory* memory, const char* text) {
  size_t size = 1;
  while (text[size - 1]) ++size;
  char* copy = roof_memory_allocate(memory, size);
  for (size_t i = 0; copy && i < size; ++i) copy[i] = text[i];
  return copy;
}

uint64_t roof_native_file_number(struct roof_native* native, const char* path) {
  if (!native->keeps_blocks) return 0;
  for (uint32_t i = 0; i < native->files; ++i)
    if (roof_native_is_same_text(native->file[i], path)) return i + 1;
  if (native->files == ROOF_MODULES) return 0;
  native->file[native->files] = roof_native_copy_text(&native->memory, path);
  if (!native->file[native->files]) return 0;
  return ++native->files;
}

const char* roof_native_file(const struct roof_native* native, uint64_t number) {
  return number && number <= native->files ? native->file[number - 1] : NULL;
}

static uint64_t next_of(const struct roof_native_block* block,
                        const struct roof_native_instruction* last) {
  switch (last->kind) {
    case ROOF_JUMP:
    case ROOF_CALL:
      return last->target;
    case ROOF_INDIRECT_JUMP:
    case ROOF_INDIRECT_CALL:
    case ROOF_RETURN:
      return block->module->base; /* none */
    default:
      return block->next;
  }
}

static uint32_t slot_of(struct roof_native* native, struct roof_block* behind) {
  roof_native_clear_segment(native, &native->each);
  native->each.block = behind;
  const struct roof_descriptor* descriptor = roof_segments_intern(&native->segments, &native->each);
  return descriptor && descriptor->id < native->slots ? descriptor->id : 0;
}

/* The empty block behind a condition: where it leads on. */
static int keep_behind(struct roof_native* native, struct roof_block* place) {
  struct roof_native_block* block = &native->block;
  const struct roof_block_code code = {.module = place->code.module,
                                       .translation = place->code.translation,
                                       .position = 1,
                                       .last = place->code.last,
                                       .next = block->next - block->module->base};
  struct roof_block* behind = roof_blocks_behind(&native->blocks, place, &code);
  if (behind) block->behind_slot = slot_of(native, behind);
  return block->behind_slot != 0;
}

int roof_native_keep_place(struct roof_native* native) {
  struct roof_native_block* block = &native->block;
  const struct roof_native_module* module = block->module;
  const struct roof_native_instruction* last = &block->in[block->count - 1];
  const int divides = last->kind == ROOF_CONDITIONAL || last->kind == ROOF_BY_COUNT;
  block->place = NULL;
  block->behind_slot = 0;
  if (!native->keeps_blocks || !module->number) return 1;
  const uint64_t begin = block->in[0].pc - module->base;
  const struct roof_block_code code = {.module = module->number,
                                       .translation = begin,
                                       .begin = begin,
                                       .end = block->next - module->base,
                                       .last = last->pc - module->base,
                                       .exit_to = divides ? last->target - module->base : 0,
                                       .next = divides ? 0 : next_of(block, last) - module->base,
                                       .instructions = block->count,
                                       .calls = last->kind == ROOF_CALL};
  struct roof_block* place = roof_blocks_intern(&native->blocks, &code);
  if (!place || (divides && !keep_behind(native, place))) return 0;
  block->place = place;
  native->always.block = place;
  return 1;
}

void roof_native_count_on(const struct roof_native_block* block, struct roof_native_emitter* e) {
  if (!block->behind_slot) return;
  roof_emit_at(e, block->next);
  const unsigned offset = roof_native_slot_offset(block->behind_slot);
  if (block->behind_flags_live) {
    roof_emit_add_quietly(e, offset, 1, ROOF_AT_SPILL);
  } else {
    roof_emit_add(e, offset, 1);
  }
}

/* What is wanted of the end of a block: ways within its file, and, of code of the program, who
 * calls whom. The linker looks a function up when it is called first: its table leads back into the
 * same file then, and the linker jumps to what it found. */
static uint64_t kind_of(const struct roof_native_block* block, int linkage) {
  const struct roof_native_instruction* last = &block->in[block->count - 1];
  const uint32_t owner = block->module->owner;
  if (owner == ROOF_SERVICE) return linkage ? ROOF_NOTES_NOTHING : ROOF_NOTES_SERVICE;
  if (owner != ROOF_PROGRAM) return ROOF_NOTES_NOTHING;
  if (last->kind == ROOF_INDIRECT_CALL) return ROOF_NOTES_CALL;
  return linkage ? ROOF_NOTES_LINKAGE : ROOF_NOTES_JUMP;
}

/* The target is in rax; rcx is free. */
int roof_native_note_jump(const struct roof_native_block* block, struct roof_native_emitter* e,
                          int linkage, unsigned miss) {
  static const uint8_t kLea[] = {0x48, 0x8D, 0x0D}; /* lea rcx, [rip + distance] */
  const struct roof_native_module* module = block->module;
  const uint64_t kind = kind_of(block, linkage);
  if (!block->place || kind == ROOF_NOTES_NOTHING) return 0;
  roof_emit_bytes(e, kLea, sizeof kLea);
  uint8_t* from = e->at;
  roof_emit_u32(e, 0);
  roof_emit_store(e, ROOF_E_RCX, ROOF_AT_JUMPED);
  roof_emit_jump_through(e, miss);
  roof_emit_align(e, 8, 0);
  if (e->failed) return 1;
  roof_emit_distance(e, from, e->at);
  roof_emit_u64(e, (uint64_t)(uintptr_t)block->place);
  roof_emit_u64(e, module->base);
  roof_emit_u64(e, module->end - module->base);
  roof_emit_u64(e, kind);
  return 1;
}

/* Where an address is; 0: in no file whose blocks are kept. */
static uint64_t file_of(const struct roof_native* native, uint64_t address, uint64_t* place) {
  for (uint32_t i = 0; i < native->modules; ++i) {
    const struct roof_native_module* module = &native->module[i];
    if (address < module->begin || address >= module->end) continue;
    *place = address - module->base;
    return module->number;
  }
  return 0;
}

static void fold_call(struct roof_native* native, const struct roof_native_jumps* jumps,
                      uint64_t times) {
  const struct roof_block_code* from = &jumps->jump->from->code;
  const uint64_t address = jumps->to + jumps->jump->base;
  int is_new;
  struct roof_called* called =
      roof_blocks_called(&native->blocks, from->module, from->last, address, &is_new);
  if (!called) return;
  /* Code that was not translated yet lies in no file that is known. */
  if (!called->to_module) called->to_module = file_of(native, address, &called->to);
  called->times += times;
}

static void fold_jump(struct roof_native* native, const struct roof_native_jumps* jumps) {
  const uint64_t times = __atomic_load_n(&jumps->times, __ATOMIC_ACQUIRE);
  if (!times) return;
  const struct roof_native_jump* jump = jumps->jump;
  if (jump->kind == ROOF_NOTES_CALL || jumps->to >= jump->size) {
    fold_call(native, jumps, times);
  } else {
    roof_blocks_jump(&native->blocks, jump->from->code.module, jump->from->code.last, jumps->to,
                     times);
  }
}

void roof_native_fold_jumps(struct roof_native* native, const struct roof_native_room* room) {
  for (uint32_t i = 0; i < ROOF_NATIVE_JUMPS; ++i) fold_jump(native, &room->jumps[i]);
}

void roof_native_make_room_for_jump(struct roof_native_area* area) {
  struct roof_native_jumps* place = roof_native_place_of_jump(area);
  if (area->native->keeps_blocks) fold_jump(area->native, place);
  place->times = 0;
}
