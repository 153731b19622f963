/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Executed code: what the blocks of all threads add up to. */
#include "collectors/counting/native/areas.h"
#include "collectors/counting/native/threads.h"

enum { kBlocks = 1 << 18, kMainThread = 1 };

const char* roof_native_want_blocks(int by_path) {
  struct roof_native_process* process = &roof_native_process;
  if (!roof_native_hold()) return roof_native_why_given_up();
  const int is_late = process->area_capacity != 0; /* somebody has counters */
  if (!is_late) {
    roof_native_take_slots(process->native, kBlocks);
    roof_native_keep_blocks(process->native);
    if (by_path) process->parts = roof_native_blocks(process->native);
  }
  roof_native_let_go();
  return is_late ? "the first region has begun already" : NULL;
}

struct roof_executor roof_native_executor_of(const struct roof_context* context) {
  const struct roof_executor nobody = {0, ROOF_LAYER_OWN, 0};
  const struct roof_executor by = {context->path, context->layer, context->thread == kMainThread};
  const int is_outside = context->path == 0 && !roof_native_process.asks.outside;
  if (roof_native_process.gave_blocks || is_outside || context->path == ROOF_NATIVE_NOWHERE ||
      context->extent == ROOF_NATIVE_NOTHING)
    return nobody;
  return by;
}

/* Sums that were harvested before stay as they are. */
static void add_blocks(struct roof_native_process* process, uint32_t number) {
  static uint64_t unused[ROOF_COUNTERS];
  const struct roof_context* context = process->contexts.all.item[number];
  const struct roof_executor by = roof_native_executor_of(context);
  uint32_t version;
  const struct roof_native_area* area = roof_native_area_with(context, &version);
  if (by.layer == ROOF_LAYER_OWN || !area) return;
  roof_native_sum_blocks(area, version, &by, unused, process->parts);
}

/* Once. What threads execute from then on, and what was added here when they end, is not added. */
static void add_all(void) {
  struct roof_native_process* process = &roof_native_process;
  if (!roof_native_hold()) return;
  if (!process->gave_blocks) {
    for (uint32_t i = 0; i < process->contexts.all.count; ++i) add_blocks(process, i);
    for (const struct roof_native_thread* each = process->threads; each; each = each->next)
      roof_native_fold_jumps(process->native, each->room);
    roof_native_keep_no_more(process->native);
  }
  process->gave_blocks = 1;
  roof_native_let_go();
}

static void give_block(void* cookie, const struct roof_block* block) {
  const struct roof_native_executed* to = cookie;
  to->block(to->cookie, roof_native_file(roof_native_process.native, block->code.module), block);
}
static void give_way(void* cookie, const struct roof_block_way* way) {
  const struct roof_native_executed* to = cookie;
  to->way(to->cookie, roof_native_file(roof_native_process.native, way->module), way);
}
static void give_part(void* cookie, const struct roof_block_part* part) {
  const struct roof_native_executed* to = cookie;
  const uint64_t module = part->block->code.module;
  to->part(to->cookie, roof_native_file(roof_native_process.native, module), part);
}

static void give_call(void* cookie, const struct roof_called* called) {
  const struct roof_native_executed* to = cookie;
  const struct roof_native* native = roof_native_process.native;
  to->called(to->cookie, roof_native_file(native, called->module),
             roof_native_file(native, called->to_module), called);
}

/* The receiver allocates memory, so it is called without the lock; nothing is kept any more. The
 * thread goes on natively, up to the next call. */
uint64_t roof_native_give_blocks(const struct roof_native_executed* to) {
  const struct roof_blocks_taker taker = {(void*)(uintptr_t)to, give_block, give_way, give_call,
                                          give_part};
  if (!roof_native_process.native || !roof_native_come_out()) return 0;
  roof_native_let_signals_in();
  add_all();
  const struct roof_blocks* blocks = roof_native_blocks(roof_native_process.native);
  roof_blocks_give(blocks, &taker);
  return blocks->lost;
}
