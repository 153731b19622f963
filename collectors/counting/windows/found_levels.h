/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a window's accesses are found if the cache model simulates one line in 2^shift alone. A
 * line that the window touched before is in L1, or in the next level if as many accesses came in
 * between as L1 has lines. Another one that is not simulated is found where the same instruction
 * finds those that are: each level gets the share that it has there, evenly (with what is left over
 * carried on), so that no random numbers are needed.
 *
 * Plain C without libc. No call may overlap another one on the same levels. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_WINDOWS_FOUND_LEVELS_H_
#define ROOFMARK_COLLECTORS_COUNTING_WINDOWS_FOUND_LEVELS_H_

#include <stdint.h>

#include "collectors/counting/dataflow/dataflow.h"
#include "collectors/counting/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

struct roof_line_sampling {
  uint32_t shift;       /* one line in 2^shift is simulated */
  uint32_t first_lines; /* that L1 has */
  uint32_t second;      /* the level behind it: enum roof_flow_level */
};

struct roof_found_levels;

/* NULL without memory; 2.5 MB, as far as it is touched. */
struct roof_found_levels* roof_found_levels_create(const struct roof_memory* memory,
                                                   const struct roof_line_sampling* sampling);

/* A window begins: nothing was touched in it. */
void roof_found_levels_begin(struct roof_found_levels* levels);

/* The level of one access, below ROOF_FLOW_LEVELS. `key` stands for the instruction and which of
 * its accesses it is, `found` is where the model finds it if that simulates its line. */
unsigned roof_found_levels_of(struct roof_found_levels* levels, uint64_t key, uint64_t address,
                              unsigned found);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_WINDOWS_FOUND_LEVELS_H_ */
