/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/trace/trace.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

int roof_trace_start(struct roof_trace* trace, const struct roof_memory* memory,
                     struct roof_contexts* contexts, uint32_t line_sampling, roof_trace_sink sink,
                     void* cookie) {
  const uintptr_t alignment = 2 * (uintptr_t)ROOF_TRACE_BYTES;
  uint8_t* block = roof_memory_allocate(memory, 2 * alignment);
  if (!block) return 0;
  trace->buffer = (uint64_t*)(block + (-(uintptr_t)block & (alignment - 1)));
  trace->position = trace->buffer;
  trace->contexts = contexts;
  trace->owner = NULL;
  trace->sampling_shift = (uint32_t)__builtin_ctz(line_sampling);
  trace->sink = sink;
  trace->cookie = cookie;
  trace->window = NULL;
  return 1;
}

/* Copies ROOF_TAG_PADDING accesses at a time, beyond the last one, too: both arrays have room. */
static uint32_t convert_all(const struct roof_descriptor* descriptor, const uint64_t* address,
                            uint64_t* restrict out) {
  const uint32_t accesses = descriptor->accesses;
  const uint64_t* tag = descriptor->tag;
  for (uint32_t i = 0; i < accesses; i += ROOF_TAG_PADDING)
    for (uint32_t k = 0; k < ROOF_TAG_PADDING; ++k) out[i + k] = address[i + k] | tag[i + k];
  return accesses;
}

static uint32_t convert_guarded(const struct roof_descriptor* descriptor, const uint64_t* address,
                                uint64_t* out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < descriptor->accesses; ++i) {
    out[n] = address[i] | descriptor->tag[i];
    n += address[i] != 0; /* 0: the access did not take place */
  }
  return n;
}

/* Keeps what touches a sampled line with its first or its last byte. */
static uint32_t convert_sampled(const struct roof_descriptor* descriptor, const uint64_t* address,
                                uint64_t* out, uint32_t shift) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < descriptor->accesses; ++i) {
    const uint64_t first = address[i], tag = descriptor->tag[i];
    const uint64_t last = first + ROOF_RECORD_EXTENT(tag);
    out[n] = first | tag;
    n += first != 0 && (ROOF_SAMPLE_SELECTED(first, shift) || ROOF_SAMPLE_SELECTED(last, shift));
  }
  return n;
}

/* The loop over the buffer; shift is the constant 0 in one of its copies below. */
static inline __attribute__((always_inline)) void hand_over(struct roof_trace* trace,
                                                            const uint64_t* next,
                                                            const uint64_t* end, uint32_t shift) {
  uint64_t* const executions = trace->owner->executions;
  uint64_t* const records = trace->records;
  uint32_t count = 0;
  while (next < end) {
    const struct roof_descriptor* descriptor = (const struct roof_descriptor*)*next++;
    ++executions[descriptor->id];
    if (shift) {
      count += convert_sampled(descriptor, next, records + count, shift);
    } else if (UNLIKELY(descriptor->guarded)) {
      count += convert_guarded(descriptor, next, records + count);
    } else {
      count += convert_all(descriptor, next, records + count);
    }
    next += descriptor->accesses;
    if (LIKELY(count < ROOF_TRACE_RECORDS)) continue;
    trace->sink(trace->cookie, trace->slot, trace->owner, records, count);
    count = 0;
  }
  if (count) trace->sink(trace->cookie, trace->slot, trace->owner, records, count);
}

void roof_trace_flush(struct roof_trace* trace) {
  const uint64_t* end = trace->position;
  if (end == trace->buffer) return;
  trace->position = trace->buffer;
  if (!roof_context_prepare(trace->contexts, trace->owner)) return;
  const uint64_t* begin = trace->buffer;
  if (trace->window)
    begin = trace->window(trace->window_cookie, trace->slot, trace->owner, begin, end);
  if (trace->sampling_shift) {
    hand_over(trace, begin, end, trace->sampling_shift);
  } else {
    hand_over(trace, begin, end, 0);
  }
}

void roof_trace_enter(struct roof_trace* trace, uint32_t slot, struct roof_context* context) {
  if (context == trace->owner) return;
  roof_trace_flush(trace);
  trace->owner = context;
  trace->slot = slot;
}
