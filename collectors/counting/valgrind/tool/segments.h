/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A segment is a stretch of translated code that executes as a whole: from one possible exit to the
 * next. What one execution of it adds to the counters is known when it is translated and kept as a
 * descriptor; running code then merely counts executions. Segments that do the same share a
 * descriptor, which keeps the arrays of execution counts short (some thousand entries) and lets
 * code be translated again without growing anything. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_SEGMENTS_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_SEGMENTS_H_

#include <stdint.h>

#include "collectors/counting/schema.h"
#include "pub_tool_basics.h"

/* What one execution adds to one counter. Negative where a repeated instruction is taken back. */
typedef struct {
  UInt counter;
  Int amount;
} Share;

typedef struct Descriptor {
  struct Descriptor* next; /* these two as VgHashNode wants them */
  UWord hash;
  UInt id; /* from 1; the place of its execution count */
  UShort shares;
  UShort accesses;
  const Share* share;
  UShort guarded;   /* accesses that may not take place: their address is 0 then */
  const ULong* tag; /* of each access, as the cache model wants it; addresses are in the trace.
                       Padded to a multiple of kTagPadding */
} Descriptor;

enum { kMaxAccesses = 512, kTagPadding = 4 };

/* A descriptor under construction. */
typedef struct {
  Int sum[ROOF_COUNTERS];
  UInt accesses;
  UInt guarded;
  ULong tag[kMaxAccesses];
} Segment;

void segments_init(void);
void segment_clear(Segment* segment);
Bool segment_is_empty(const Segment* segment);
/* The descriptor of this content, a new one if it is the first of its kind. */
const Descriptor* segment_intern(const Segment* segment);

/* Ids in use are 1 .. segments_count(). */
UInt segments_count(void);
/* Adds executions[id] times the descriptor of id, for all ids below size, and clears them. */
void segments_fold(ULong* executions, UInt size, uint64_t* counters);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_SEGMENTS_H_ */
