/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts of all threads, while they go on, and why some of them are not all there. */
#include "collectors/counting/native/areas.h"
#include "collectors/counting/native/handlers.h"
#include "collectors/counting/native/threads.h"

static int copy_sums(uint32_t number, struct roof_context* copy) {
  struct roof_native_process* process = &roof_native_process;
  if (!roof_native_hold()) return 0;
  const int there = number < process->contexts.all.count;
  if (there) {
    const struct roof_context* context = process->contexts.all.item[number];
    *copy = *context;
    copy->thread = roof_native_whose(context->thread);
    uint32_t version;
    const struct roof_native_area* area = roof_native_area_with(context, &version);
    if (area) roof_native_sum(area, version, copy->counters);
  }
  roof_native_let_go();
  return there;
}

static int copy_gap(uint32_t number, struct roof_native_gap* copy) {
  const struct roof_native_process* process = &roof_native_process;
  if (!roof_native_hold()) return 0;
  const int there = number < process->gaps;
  if (there) *copy = process->gap[number];
  roof_native_let_go();
  return there;
}

/* Which of them executed it is not known. */
static void note_changed_code(void) {
  struct roof_native_process* process = &roof_native_process;
  if (!roof_native_hold()) return;
  if (!process->sandboxed) roof_native_ask_for_strangers();
  roof_native_count_dirty();
  if (!process->said_changed && !process->sandboxed && roof_native_is_changed(process->native)) {
    process->said_changed = 1;
    for (uint32_t i = 0; i < process->contexts.all.count; ++i)
      roof_native_note_gap(process->contexts.all.item[i]->path, ROOF_LEAVE_CHANGED);
  }
  roof_native_let_go();
}

static void finish_windows(void) {
  if (!roof_native_hold()) return;
  for (struct roof_native_thread* each = roof_native_process.threads; each; each = each->next)
    roof_native_finish_windows(each);
  roof_native_let_go();
}

static void give(const struct roof_native_sums* to, const struct roof_context* context) {
  to->add(to->cookie, context->thread, context->path, context->layer, context->extent,
          context->counters);
  for (uint32_t i = 0; to->critical && i < ROOF_CRITICAL_PLACES; ++i)
    if (context->critical[i].cycles)
      to->critical(to->cookie, context->thread, context->path, context->layer, context->extent,
                   &context->critical[i]);
  if (context->entries)
    to->entered(to->cookie, context->thread, context->path, context->layer, context->extent,
                context->entries);
}

/* The receiver is called without the lock: it allocates memory, and a thread that is translated in
 * malloc may wait for the lock. */
void roof_native_harvest(const struct roof_native_sums* to) {
  struct roof_context context;
  struct roof_native_gap gap;
  if (!roof_native_come_out()) return;
  roof_native_let_signals_in();
  note_changed_code();
  finish_windows();
  for (uint32_t i = 0; copy_sums(i, &context); ++i)
    if (roof_native_is_promised(context.path) && context.extent != ROOF_NATIVE_NOTHING)
      give(to, &context);
  for (uint32_t i = 0; copy_gap(i, &gap); ++i)
    to->incomplete(to->cookie, gap.path, roof_native_reason_text(gap.reason), gap.exits);
  if (!roof_native_hold()) return;
  roof_native_go_on(roof_native_this_thread, (uint64_t)(uintptr_t)__builtin_frame_address(0));
}

const char* roof_native_why_given_up(void) {
  return roof_native_is_given_up(roof_native_process.native)
             ? roof_native_reason_text(ROOF_LEAVE_STRANGE_HANDLER)
             : NULL;
}
