/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_CONFIG_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_CONFIG_H_

#include <stdint.h>

#include "collectors/counting/cache/geometry.h"
#include "collectors/counting/memory.h"

struct roof_cache_config {
  struct roof_geometry geometry; /* shared levels already divided among the processes */
  uint32_t line_sampling;        /* N: 1 simulates every line, 2..256 (a power of two) one in N */
  uint32_t three_cs;             /* 0 off, 1 exact, else one in this power of two, up to 256 */
  /* Aligned to 64 bytes, best straight from mmap so that untouched sets cost nothing. */
  struct roof_memory memory;
};

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_CONFIG_H_ */
