/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/harvest.h"

#include "collectors/counting/valgrind/tool/modules.h"
#include "collectors/counting/valgrind/tool/pmu.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"

static Bool has_counts(const struct roof_context* context) {
  if (context->entries) return True;
  for (UInt i = 0; i < ROOF_COUNTERS; ++i)
    if (context->counters[i]) return True;
  return False;
}

static void write_record(const struct roof_context* context, struct roof_record* record) {
  record->thread = context->thread;
  record->path = context->path;
  record->layer = context->layer;
  record->count = context->extent;
  record->entries = context->entries;
  VG_(memcpy)(record->counters, context->counters, sizeof record->counters);
  VG_(memcpy)(record->critical, context->critical, sizeof record->critical);
}

Bool find_line(struct roof_line* line) {
  const HChar *file, *folder;
  if (!VG_(get_filename_linenum)(VG_(current_DiEpoch)(), (Addr)line->place, &file, &folder,
                                 &line->line))
    return False;
  const SizeT length = VG_(strlen)(file), most = sizeof line->file - 1;
  VG_(strcpy)(line->file, length > most ? file + (length - most) : file);
  return True;
}

static void fold_all(void) {
  pmu_flush();
  for (UInt i = 0; i < contexts.all.count; ++i) roof_context_fold(&contexts, contexts.all.item[i]);
}

static void take_block(void* cookie, const struct roof_block* block) {
  struct roof_block_harvest* out = cookie;
  const struct roof_block_code* code = &block->code;
  if (out->needed_blocks++ >= out->block_capacity) return;
  const struct roof_executed given = {code->module, code->begin, block->times,
                                      (UInt)(code->end - code->begin), code->instructions};
  out->blocks[out->block_count++] = given;
}

static void take_way(void* cookie, const struct roof_block_way* way) {
  struct roof_block_harvest* out = cookie;
  if (out->needed_ways++ >= out->way_capacity) return;
  const struct roof_way given = {way->module, way->from, way->to, way->times, way->calls};
  out->ways[out->way_count++] = given;
}

static void take_called(void* cookie, const struct roof_called* called) {
  struct roof_block_harvest* out = cookie;
  if (out->needed_calls++ >= out->call_capacity) return;
  const struct roof_executed_call given = {called->module, called->from, called->to_module,
                                           called->to, called->times};
  out->calls[out->call_count++] = given;
}

static void take_part(void* cookie, const struct roof_block_part* part) {
  struct roof_block_harvest* out = cookie;
  const struct roof_block_code* code = &part->block->code;
  if (part->by.path == ROOF_NOWHERE) return;
  if (out->needed_parts++ >= out->part_capacity) return;
  const struct roof_executed_part given = {code->module, code->begin, part->times,
                                           (UInt)(code->end - code->begin), part->by};
  out->parts[out->part_count++] = given;
}

Bool harvest_blocks(struct roof_block_harvest* out) {
  const struct roof_blocks_taker taker = {out, take_block, take_way, take_called, take_part};
  fold_all();
  out->block_count = out->needed_blocks = out->way_count = out->needed_ways = 0;
  out->call_count = out->needed_calls = out->part_count = out->needed_parts = 0;
  roof_blocks_give(&kept_blocks, &taker);
  return out->needed_blocks <= out->block_capacity && out->needed_ways <= out->way_capacity &&
         out->needed_calls <= out->call_capacity && out->needed_parts <= out->part_capacity;
}

Bool harvest_nest_paths(struct roof_nest_paths* out) {
  const struct roof_nests* nests = &contexts.nests;
  out->needed = nests->paths;
  out->lost = nests->lost_paths;
  for (out->count = 0; out->count < out->capacity && out->count < nests->paths; ++out->count) {
    const struct roof_nest_path* path = nests->path[out->count];
    const struct roof_nest_row row = {path->parent, path->nest, path->path};
    out->rows[out->count] = row;
  }
  return out->needed <= out->capacity;
}

Bool harvest_module(struct roof_module* module) {
  const HChar* file = module_file((UInt)module->number);
  if (!file || VG_(strlen)(file) >= sizeof module->file) return False;
  VG_(strcpy)(module->file, file);
  return True;
}

Bool harvest(struct roof_harvest* out) {
  pmu_flush();
  pmu_finish_window();
  pmu_count_dirty();
  out->count = 0;
  out->needed = 0;
  out->lost_paths = contexts.lost_paths;
  for (UInt i = 0; i < contexts.all.count; ++i) {
    struct roof_context* context = contexts.all.item[i];
    roof_context_fold(&contexts, context);
    if (!has_counts(context)) continue;
    if (out->needed++ < out->capacity) write_record(context, &out->records[out->count++]);
  }
  return out->needed <= out->capacity;
}
