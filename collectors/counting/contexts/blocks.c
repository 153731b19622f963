/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/contexts/blocks.h"

#include <stddef.h>

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 29;
}

static int same(const struct roof_block_code* a, const struct roof_block_code* b) {
  return a->module == b->module && a->translation == b->translation && a->position == b->position &&
         a->begin == b->begin && a->end == b->end && a->last == b->last &&
         a->exit_to == b->exit_to && a->next == b->next && a->instructions == b->instructions &&
         a->calls == b->calls;
}

static int lose(struct roof_blocks* blocks) {
  ++blocks->lost;
  return 0;
}

/* What is `size` bytes large and begins with `entry`. 0 without memory: it is released then. */
static int add(struct roof_blocks* blocks, struct roof_table* table, struct roof_entry* entry,
               size_t size) {
  if (roof_table_add(table, &blocks->memory, entry)) return 1;
  roof_memory_release(&blocks->memory, entry, size);
  return 0;
}

static struct roof_block* make_block(const struct roof_blocks* blocks,
                                     const struct roof_block_code* code) {
  struct roof_block* block = roof_memory_allocate(&blocks->memory, sizeof *block);
  if (block) block->code = *code;
  return block;
}

static void link_in(struct roof_blocks* blocks, struct roof_block* block) {
  block->before = blocks->newest;
  blocks->newest = block;
}

struct roof_block* roof_blocks_intern(struct roof_blocks* blocks,
                                      const struct roof_block_code* code) {
  const uint64_t hash = mix(
      mix(mix(mix(code->module, code->translation), code->position), code->last), code->exit_to);
  for (struct roof_entry* entry = roof_table_find(&blocks->table, hash); entry;
       entry = roof_table_next(entry)) {
    if (same(&((struct roof_block*)entry)->code, code)) return (struct roof_block*)entry;
  }
  struct roof_block* block = make_block(blocks, code);
  if (!block) return NULL;
  block->entry.hash = hash;
  if (!add(blocks, &blocks->table, &block->entry, sizeof *block)) return NULL;
  link_in(blocks, block);
  return block;
}

struct roof_block* roof_blocks_behind(struct roof_blocks* blocks, struct roof_block* block,
                                      const struct roof_block_code* code) {
  if (block->behind) return block->behind;
  block->behind = make_block(blocks, code);
  if (block->behind) link_in(blocks, block->behind);
  return block->behind;
}

int roof_blocks_jump(struct roof_blocks* blocks, uint64_t module, uint64_t from, uint64_t to,
                     uint64_t times) {
  const uint64_t hash = mix(mix(module, from), to);
  for (struct roof_entry* entry = roof_table_find(&blocks->jump_table, hash); entry;
       entry = roof_table_next(entry)) {
    struct roof_jump* jump = (struct roof_jump*)entry;
    if (jump->module != module || jump->from != from || jump->to != to) continue;
    jump->times += times;
    return 1;
  }
  struct roof_jump* jump = roof_memory_allocate(&blocks->memory, sizeof *jump);
  if (!jump) return lose(blocks);
  jump->entry.hash = hash;
  jump->module = module;
  jump->from = from;
  jump->to = to;
  jump->times = times;
  if (!add(blocks, &blocks->jump_table, &jump->entry, sizeof *jump)) return lose(blocks);
  jump->before = blocks->newest_jump;
  blocks->newest_jump = jump;
  return 1;
}

struct roof_called* roof_blocks_called(struct roof_blocks* blocks, uint64_t module, uint64_t from,
                                       uint64_t address, int* is_new) {
  const uint64_t hash = mix(mix(module, from), address);
  *is_new = 0;
  for (struct roof_entry* entry = roof_table_find(&blocks->called_table, hash); entry;
       entry = roof_table_next(entry)) {
    struct roof_called* called = (struct roof_called*)entry;
    if (called->module == module && called->from == from && called->address == address)
      return called;
  }
  struct roof_called* called = roof_memory_allocate(&blocks->memory, sizeof *called);
  if (!called) return lose(blocks), NULL;
  called->entry.hash = hash;
  called->module = module;
  called->from = from;
  called->address = address;
  if (!add(blocks, &blocks->called_table, &called->entry, sizeof *called))
    return lose(blocks), NULL;
  called->before = blocks->newest_called;
  blocks->newest_called = called;
  *is_new = 1;
  return called;
}

static int same_executor(const struct roof_executor* a, const struct roof_executor* b) {
  return a->path == b->path && a->layer == b->layer && a->leads == b->leads;
}

int roof_blocks_part(struct roof_blocks* blocks, struct roof_block* block,
                     const struct roof_executor* by, uint64_t times) {
  for (struct roof_block_part* part = block->parts; part; part = part->beside) {
    if (!same_executor(&part->by, by)) continue;
    part->times += times;
    return 1;
  }
  struct roof_block_part* part = roof_memory_allocate(&blocks->memory, sizeof *part);
  if (!part) return lose(blocks);
  part->block = block;
  part->by = *by;
  part->times = times;
  part->beside = block->parts;
  block->parts = part;
  part->before = blocks->newest_part;
  blocks->newest_part = part;
  return 1;
}

void roof_blocks_clear(struct roof_blocks* blocks) {
  for (struct roof_block* block = blocks->newest; block; block = block->before) block->times = 0;
  for (struct roof_jump* jump = blocks->newest_jump; jump; jump = jump->before) jump->times = 0;
  for (struct roof_called* called = blocks->newest_called; called; called = called->before)
    called->times = 0;
  for (struct roof_block_part* part = blocks->newest_part; part; part = part->before)
    part->times = 0;
}

/* An instruction that leads to itself repeats a string operation. */
static void give_way(const struct roof_blocks_taker* taker, const struct roof_block_way* way) {
  if (way->times && way->to && way->to != way->from) taker->way(taker->cookie, way);
}

static void give_ways(const struct roof_blocks_taker* taker, const struct roof_block* block) {
  const struct roof_block_code* code = &block->code;
  const struct roof_block* behind = block->behind;
  const uint64_t on = behind ? behind->times : 0;
  struct roof_block_way way = {code->module, code->last, 0, on, 0};
  if (behind && behind->code.begin != code->end) {
    way.to = behind->code.begin;
    give_way(taker, &way);
  }
  way.to = code->exit_to;
  way.times = block->times > on ? block->times - on : 0;
  give_way(taker, &way);
  way.to = code->next;
  way.times = block->times;
  way.calls = code->calls;
  give_way(taker, &way);
}

void roof_blocks_give(const struct roof_blocks* blocks, const struct roof_blocks_taker* to) {
  for (const struct roof_block* block = blocks->newest; block; block = block->before) {
    if (block->times && block->code.begin) to->block(to->cookie, block);
    give_ways(to, block);
  }
  for (const struct roof_jump* jump = blocks->newest_jump; jump; jump = jump->before) {
    const struct roof_block_way way = {jump->module, jump->from, jump->to, jump->times, 0};
    give_way(to, &way);
  }
  for (const struct roof_called* called = blocks->newest_called; called; called = called->before)
    if (called->times && called->to_module) to->called(to->cookie, called);
  for (const struct roof_block_part* part = blocks->newest_part; part; part = part->before)
    if (part->times && part->block->code.begin) to->part(to->cookie, part);
}
