/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/trace.h"

#include "collectors/counting/valgrind/tool/cache_model.h"
#include "collectors/counting/valgrind/tool/options.h"
#include "collectors/counting/valgrind/tool/segments.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"

enum { kRecords = 2048, kRecordsPerSegment = kMaxAccesses };

static ULong* buffer; /* aligned to twice kTraceBytes */
static ULong* position;
static Context* owner; /* of what is in the buffer */
static ThreadId owner_tid;
static UInt sampling_shift;
static uint64_t records[kRecords + kRecordsPerSegment + kTagPadding];

void trace_init(void) {
  SizeT alignment = 2 * kTraceBytes;
  if (!options.model_caches) return;
  Addr memory = (Addr)VG_(am_shadow_alloc)(2 * alignment);
  if (!memory) {
    VG_(printf)("roofmark: no memory for the address trace\n");
    VG_(exit)(2);
  }
  buffer = (ULong*)((memory + alignment - 1) & ~(alignment - 1));
  position = buffer;
  while ((1u << sampling_shift) < options.line_sampling) ++sampling_shift;
}

/* Copies kTagPadding accesses at a time, beyond the last one, too: both arrays have room. */
static UInt convert_all(const Descriptor* descriptor, const ULong* address,
                        uint64_t* restrict out) {
  const UInt accesses = descriptor->accesses;
  const ULong* tag = descriptor->tag;
  for (UInt i = 0; i < accesses; i += kTagPadding)
    for (UInt k = 0; k < kTagPadding; ++k) out[i + k] = address[i + k] | tag[i + k];
  return accesses;
}

static UInt convert_guarded(const Descriptor* descriptor, const ULong* address, uint64_t* out) {
  UInt n = 0;
  for (UInt i = 0; i < descriptor->accesses; ++i) {
    out[n] = address[i] | descriptor->tag[i];
    n += address[i] != 0; /* 0: the access did not take place */
  }
  return n;
}

/* Keeps what touches a sampled line with its first or its last byte. */
static UInt convert_sampled(const Descriptor* descriptor, const ULong* address, uint64_t* out) {
  UInt n = 0;
  for (UInt i = 0; i < descriptor->accesses; ++i) {
    ULong first = address[i], tag = descriptor->tag[i];
    ULong last = first + ROOF_RECORD_EXTENT(tag);
    out[n] = first | tag;
    n += first != 0 && (ROOF_SAMPLE_SELECTED(first, sampling_shift) ||
                        ROOF_SAMPLE_SELECTED(last, sampling_shift));
  }
  return n;
}

/* The loop over the buffer; sampled is a constant of each of its copies below. */
static inline __attribute__((always_inline)) void hand_over(const ULong* next, const ULong* end,
                                                            Bool sampled) {
  ULong* executions = owner->executions;
  UInt count = 0;
  while (next < end) {
    const Descriptor* descriptor = (const Descriptor*)*next++;
    ++executions[descriptor->id];
    if (sampled) {
      count += convert_sampled(descriptor, next, records + count);
    } else if (UNLIKELY(descriptor->guarded)) {
      count += convert_guarded(descriptor, next, records + count);
    } else {
      count += convert_all(descriptor, next, records + count);
    }
    next += descriptor->accesses;
    if (LIKELY(count < kRecords)) continue;
    cache_model_run(owner_tid, owner, records, count);
    count = 0;
  }
  if (count) cache_model_run(owner_tid, owner, records, count);
}

/* Cost: about half a nanosecond per access besides the model's own. */
void trace_flush(void) {
  const ULong* end = position;
  if (end == buffer) return;
  position = buffer;
  context_prepare(owner);
  if (sampling_shift) {
    hand_over(buffer, end, True);
  } else {
    hand_over(buffer, end, False);
  }
}

void trace_thread_runs(ThreadId tid, Context* context) {
  if (!buffer) return;
  if (context != owner) {
    trace_flush();
    owner = context;
    owner_tid = tid;
  }
  VG_(set_shadow_regs_area)(tid, 1, kShadowTrace, sizeof position, (const UChar*)&position);
}

void trace_thread_stops(ThreadId tid) {
  if (!buffer) return;
  VG_(get_shadow_regs_area)(tid, (UChar*)&position, 1, kShadowTrace, sizeof position);
}

void trace_flush_running(void) {
  ThreadId tid = VG_(get_running_tid)();
  trace_thread_stops(tid);
  trace_flush();
  trace_thread_runs(tid, owner);
}
