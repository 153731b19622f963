/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/harvest.h"

#include "collectors/counting/valgrind/tool/cache_model.h"
#include "collectors/counting/valgrind/tool/contexts.h"
#include "collectors/counting/valgrind/tool/trace.h"
#include "pub_tool_libcbase.h"

static Bool has_counts(const Context* context) {
  for (UInt i = 0; i < ROOF_COUNTERS; ++i)
    if (context->counters[i]) return True;
  return False;
}

static void write_record(const Context* context, struct roof_record* record) {
  record->thread = context->thread;
  record->path = context->path;
  VG_(memcpy)(record->counters, context->counters, sizeof record->counters);
}

Bool harvest(struct roof_harvest* out) {
  trace_flush();
  cache_model_count_dirty();
  out->count = 0;
  out->needed = 0;
  out->lost_paths = contexts_lost_paths();
  for (UInt i = 0; i < contexts_count(); ++i) {
    Context* context = contexts_by_number(i);
    context_fold(context);
    if (!has_counts(context)) continue;
    if (out->needed++ < out->capacity) write_record(context, &out->records[out->count++]);
  }
  return out->needed <= out->capacity;
}
