/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The address trace between translated code and whoever wants the accesses. Each executed segment
 * that touches memory writes its descriptor and then one address per access; when the buffer is
 * full, or another context begins, it is converted to records and handed over. Sizes and kinds are
 * not written: the descriptor has them. The descriptor also stands for the segment's execution
 * count.
 *
 * Plain C without libc. One trace per thread that runs, or one for all where one runs at a time. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_TRACE_TRACE_H_
#define ROOFMARK_COLLECTORS_COUNTING_TRACE_TRACE_H_

#include <stddef.h>
#include <stdint.h>

#include "collectors/counting/cache/record.h"
#include "collectors/counting/contexts/contexts.h"
#include "collectors/counting/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Filled before it is handed over; fits a second-level cache. There is room for as much again, more
 * than any one block writes. */
#define ROOF_TRACE_BYTES (1 << 17)
/* Set in every address beyond the filled part, in none of it: one test instruction. */
#define ROOF_TRACE_FULL_BIT ROOF_TRACE_BYTES

/* Takes accesses in their order, all of the thread in one slot and in one context. */
typedef void (*roof_trace_sink)(void* cookie, uint32_t slot, const struct roof_context* context,
                                const uint64_t* records, size_t count);

/* Takes what was written from `next` on, itself and as it was written, before the sink does: as
 * much as it wants. Counts the executions of what it takes. Returns where it stopped. */
typedef const uint64_t* (*roof_trace_window)(void* cookie, uint32_t slot,
                                             struct roof_context* context, const uint64_t* next,
                                             const uint64_t* end);

#define ROOF_TRACE_RECORDS 2048
struct roof_trace {
  uint64_t* buffer;   /* aligned to twice ROOF_TRACE_BYTES */
  uint64_t* position; /* where running code writes next; it keeps its own copy while it runs */
  struct roof_contexts* contexts;
  struct roof_context* owner; /* of what is in the buffer */
  uint32_t slot;              /* of the owner's thread */
  uint32_t sampling_shift;    /* one line in 2^shift is wanted */
  roof_trace_sink sink;
  void* cookie;
  roof_trace_window window; /* NULL: none */
  void* window_cookie;
  uint64_t records[ROOF_TRACE_RECORDS + ROOF_MAX_ACCESSES + ROOF_TAG_PADDING];
};

/* `memory` is best straight from mmap. line_sampling is a power of two. 0 without memory. */
int roof_trace_start(struct roof_trace* trace, const struct roof_memory* memory,
                     struct roof_contexts* contexts, uint32_t line_sampling, roof_trace_sink sink,
                     void* cookie);

/* What is written from now on belongs to this context. Hands over what another one wrote. */
void roof_trace_enter(struct roof_trace* trace, uint32_t slot, struct roof_context* context);

/* Hands over what was written up to `position`. Cost: about half a nanosecond per access besides
 * the sink's own. */
void roof_trace_flush(struct roof_trace* trace);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_TRACE_TRACE_H_ */
