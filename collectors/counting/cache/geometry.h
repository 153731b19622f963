/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of the modelled cache levels and the reader of ROOFMARK_CACHE. Plain C without libc, shared
 * by the engine and the library. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_GEOMETRY_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_GEOMETRY_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOF_CACHE_LEVELS 3
#define ROOF_CACHE_LINE_BYTES 64u
#define ROOF_CACHE_MAX_WAYS 1024u
#define ROOF_CACHE_MAX_BYTES (UINT64_C(1) << 36)

struct roof_geometry {
  uint32_t levels;                        /* 1..3 */
  uint64_t size_bytes[ROOF_CACHE_LEVELS]; /* strictly increasing, whole sets of 64-byte lines */
  uint32_t ways[ROOF_CACHE_LEVELS];
};

/* Reads "L1:48K:12,L2:2M:16,L3:32M:16": level, size (K, M, G: powers of 1024), ways. Returns 1, or
 * 0 with a message in error, which names the field and what is expected and never exceeds capacity
 * (ROOF_GEOMETRY_ERROR is enough). geometry is unchanged on error. */
#define ROOF_GEOMETRY_ERROR 256
int roof_geometry_parse(const char* text, struct roof_geometry* geometry, char* error,
                        size_t capacity);

/* The same checks on a geometry that came from elsewhere. */
int roof_geometry_check(const struct roof_geometry* geometry, char* error, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_GEOMETRY_H_ */
