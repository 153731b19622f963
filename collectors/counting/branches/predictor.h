/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which branches a core would have expected to go another way. A predictor learns from what is
 * executed, as those of cores do: TAGE for conditional branches, and ITTAGE, which has targets in
 * the place of directions, for indirect ones (Seznec, Michaud, A case for (partially) TAgged
 * GEometric history length branch prediction, Journal of Instruction-Level Parallelism 8, 2006).
 * Sizes and histories are about those of Zen 3. Random outcomes are missed about as often as the
 * rarer one of the two occurs.
 *
 * Plain C without libc. No call may overlap another one on the same predictor. Cost: 20 to 30 ns a
 * branch, 50 where outcomes are random. A predictor has 130 KiB. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_BRANCHES_PREDICTOR_H_
#define ROOFMARK_COLLECTORS_COUNTING_BRANCHES_PREDICTOR_H_

#include <stdint.h>

#include "collectors/counting/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

struct roof_predictor;

/* One that has seen nothing. NULL without memory. */
struct roof_predictor* roof_predictor_create(const struct roof_memory* memory);

/* The branch at `place` was taken: 1, or not: 0. Returns 1 if the other was expected. One that was
 * not seen before, or was forgotten among thousands of others, is taken for expected. */
int roof_predictor_branch(struct roof_predictor* predictor, uint64_t place, int taken);
/* The indirect jump or call at `place` went to `target`: the same. */
int roof_predictor_jump(struct roof_predictor* predictor, uint64_t place, uint64_t target);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_BRANCHES_PREDICTOR_H_ */
