/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/harvest.h"

#include "collectors/counting/valgrind/tool/pmu.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"

static Bool has_counts(const struct roof_context* context) {
  for (UInt i = 0; i < ROOF_COUNTERS; ++i)
    if (context->counters[i]) return True;
  return False;
}

static void write_record(const struct roof_context* context, struct roof_record* record) {
  record->thread = context->thread;
  record->path = context->path;
  record->layer = context->layer;
  record->count = context->extent;
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
