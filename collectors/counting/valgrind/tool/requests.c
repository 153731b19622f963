/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/requests.h"

#include "collectors/counting/valgrind/protocol.h"
#include "collectors/counting/valgrind/tool/harvest.h"
#include "collectors/counting/valgrind/tool/instrument.h"
#include "collectors/counting/valgrind/tool/keep.h"
#include "collectors/counting/valgrind/tool/nests.h"
#include "collectors/counting/valgrind/tool/options.h"
#include "collectors/counting/valgrind/tool/owner_at.h"
#include "collectors/counting/valgrind/tool/pmu.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_tooliface.h"

static void fill_info(struct roof_tool_info* info) {
  VG_(memset)(info, 0, sizeof *info);
  info->levels = options.geometry.levels;
  info->line_bytes = ROOF_CACHE_LINE_BYTES;
  for (UInt i = 0; i < options.geometry.levels; ++i) {
    info->size_bytes[i] = options.geometry.size_bytes[i];
    info->ways[i] = options.geometry.ways[i];
  }
  info->line_sampling = options.line_sampling;
  info->three_cs = options.three_cs != 0;
  info->threads = contexts.threads_created;
  info->windows = options.windows;
}

static Bool counts_all(UInt count) {
  return count <= ROOF_COUNT_FIRST || count >= ROOF_COUNT_STRATUM;
}

static void set_counting(UInt count) {
  const Bool same_code = counts_all(count) && counts_all(contexts.extent);
  const UInt before = contexts.extent;
  contexts.extent = count;
  if (same_code) return;
  pmu_flush();
  pmu_finish_window();
  instrument_translate_anew();
  /* Code that is not counted does not say where it is. */
  if (before == ROOF_COUNT_NOTHING) roof_contexts_forget_layers(&contexts);
}

Bool requests_handle(ThreadId tid, UWord* arguments, UWord* result) {
  *result = 1;
  switch (arguments[0]) {
    case ROOF_REQ_HELLO:
      *result = ROOF_PROTOCOL_VERSION;
      return True;
    case ROOF_REQ_THREAD:
      *result = contexts.threads[tid].serial;
      return True;
    case ROOF_REQ_TEAM_PATH:
      roof_contexts_set_team_path(&contexts, arguments[1]);
      if (keep_wants_room()) *result = ROOF_ROOM_WANTED;
      return True;
    case ROOF_REQ_OWN_PATH:
      roof_contexts_set_own_path(&contexts, tid, arguments[1]);
      if (keep_wants_room()) *result = ROOF_ROOM_WANTED;
      return True;
    case ROOF_REQ_ENTER_LAYER:
      if (!roof_layers_enter(&contexts.threads[tid].layers, &contexts.memory, (UInt)arguments[1]))
        *result = 0;
      return True;
    case ROOF_REQ_LEAVE_LAYER:
      roof_layers_leave(&contexts.threads[tid].layers);
      return True;
    case ROOF_REQ_COUNT:
      set_counting((UInt)arguments[1]);
      return True;
    case ROOF_REQ_HARVEST:
      *result = harvest((struct roof_harvest*)arguments[1]);
      return True;
    case ROOF_REQ_INFO:
      fill_info((struct roof_tool_info*)arguments[1]);
      return True;
    case ROOF_REQ_ROOM:
      keep_take_room((const struct roof_room*)arguments[1]);
      return True;
    case ROOF_REQ_KEEP_BLOCKS:
      pmu_keeps_blocks = True;
      if (arguments[1]) contexts.parts = &kept_blocks;
      owner_at_wants_modules();
      instrument_translate_anew();
      return True;
    case ROOF_REQ_NESTS:
      *result = nests_set((const struct roof_nest_plan*)arguments[1]);
      owner_at_wants_modules();
      instrument_translate_anew();
      return True;
    case ROOF_REQ_NEST_PATHS:
      *result = harvest_nest_paths((struct roof_nest_paths*)arguments[1]);
      return True;
    case ROOF_REQ_MODULE:
      *result = harvest_module((struct roof_module*)arguments[1]);
      return True;
    case ROOF_REQ_BLOCKS:
      *result = harvest_blocks((struct roof_block_harvest*)arguments[1]);
      return True;
    case ROOF_REQ_LINE:
      *result = find_line((struct roof_line*)arguments[1]);
      return True;
    default:
      *result = 0;
      return VG_IS_TOOL_USERREQ('R', 'F', arguments[0]);
  }
}
