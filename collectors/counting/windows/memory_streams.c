/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/windows/memory_streams.h"

/* Lines that a stream may leave out: as far as prefetchers were seen to follow one. */
enum { kNearby = 4 };

static int is_near(uint64_t one, uint64_t other) {
  return (one > other ? one - other : other - one) <= kNearby;
}

void roof_memory_streams_add(struct roof_memory_streams* streams, uint64_t line, int counts) {
  struct roof_memory_stream* oldest = &streams->stream[0];
  struct roof_memory_stream* own = 0;
  for (uint32_t i = 0; i < ROOF_MEMORY_STREAMS && !own; ++i) {
    struct roof_memory_stream* stream = &streams->stream[i];
    if (stream->came_at && is_near(stream->line, line)) own = stream;
    if (stream->came_at < oldest->came_at) oldest = stream;
  }
  if (!own) {
    own = oldest;
    own->lines = 0;
  }
  own->line = line;
  own->came_at = ++streams->came;
  if (!counts) return;
  ++streams->lines;
  if (++own->lines > streams->most) streams->most = own->lines;
}
