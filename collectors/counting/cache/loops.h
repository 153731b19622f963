/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the cache model: its loops, compiled once for each instruction set. The counters are
 * the same whichever runs. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_LOOPS_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_LOOPS_H_

#include "collectors/counting/cache/hierarchy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For every processor. A C name. NOLINTNEXTLINE(readability-identifier-naming) */
extern const struct roof_loops roof_loops_base;

/* NULL if the processor, the system or the build has no AVX2. */
const struct roof_loops* roof_loops_avx2(void);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_LOOPS_H_ */
