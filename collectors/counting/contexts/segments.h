/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A segment is a stretch of translated code that executes as a whole: from one possible exit to the
 * next. What one execution of it adds to the counters is known when it is translated and kept as a
 * descriptor; running code then merely counts executions. Segments that do the same share a
 * descriptor, unless their instructions or their places are kept, which keeps the arrays of
 * execution counts short (some thousand entries) and lets code be translated again without growing
 * anything.
 *
 * Plain C without libc, for every engine. No call may overlap another one on the same table. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_SEGMENTS_H_
#define ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_SEGMENTS_H_

#include <stdint.h>

#include "collectors/counting/contexts/blocks.h"
#include "collectors/counting/contexts/table.h"
#include "collectors/counting/memory.h"
#include "collectors/counting/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one execution adds to one counter. Negative where a repeated instruction is taken back. */
struct roof_share {
  uint32_t counter;
  int32_t amount;
};

struct roof_code;
struct roof_descriptor {
  struct roof_entry entry;              /* by content, unless its place is kept */
  const struct roof_code* code;         /* its instructions, for windows; NULL: not kept */
  struct roof_block* block;             /* its place, for whoever looks for loops; NULL: not kept */
  const struct roof_descriptor* beside; /* of the same block */
  uint32_t version;                     /* of the code, where an engine has several; else 0 */
  uint32_t id;                          /* from 1; the place of its execution count */
  uint16_t shares;
  uint16_t accesses;
  uint16_t guarded; /* accesses that may not take place: their address is 0 then */
  const struct roof_share* share;
  const uint64_t* tag; /* of each access, as the cache model wants it; addresses are in the trace.
                          Padded to a multiple of ROOF_TAG_PADDING */
};

#define ROOF_MAX_ACCESSES 512
#define ROOF_TAG_PADDING 4

/* A descriptor under construction. */
struct roof_segment {
  int32_t sum[ROOF_COUNTERS];
  uint32_t accesses;
  uint32_t guarded;
  const struct roof_code* code;
  struct roof_block* block;
  uint32_t version;
  uint64_t tag[ROOF_MAX_ACCESSES];
};

/* The descriptors of one version, oldest first. Ids stand apart, because most are looked at only to
 * see that they were not executed. */
struct roof_version {
  struct roof_numbered {
    const struct roof_descriptor* descriptor;
    uint32_t id;
  } * item;
  uint32_t count, capacity;
};

/* All descriptors of an engine. All zero but `memory`: empty. */
struct roof_segments {
  struct roof_memory memory;
  struct roof_table table;
  struct roof_version* version; /* [0 .. versions) */
  uint32_t versions;
  uint32_t count; /* ids in use are 1 .. count */
};

void roof_segment_clear(struct roof_segment* segment);

/* The descriptor of this content, a new one if it is the first of its kind. NULL without memory. */
const struct roof_descriptor* roof_segments_intern(struct roof_segments* segments,
                                                   const struct roof_segment* segment);

/* Execution counts by descriptor. */
struct roof_executions {
  uint64_t* times;
  uint32_t size; /* of `times` */
  uint32_t stay; /* 1: they are not cleared, and whoever executes may go on counting */
  struct roof_executor by;
  uint32_t version; /* those of others stay as they are */
};

/* Adds times[id] times the descriptor of id, for all ids below size, and clears them. Blocks were
 * executed so often as well: as work, and in `parts` by whom, unless that is NULL. */
void roof_segments_fold(const struct roof_segments* segments,
                        const struct roof_executions* executions, uint64_t* counters,
                        struct roof_blocks* parts);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_SEGMENTS_H_ */
