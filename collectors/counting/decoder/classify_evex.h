/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an EVEX-encoded instruction means to the counting collector. Unlike others it may work on
 * the lanes alone that a mask register selects, so its FLOPs are those of one lane.
 *
 * Plain C without libc, as decoder.h. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DECODER_CLASSIFY_EVEX_H_
#define ROOFMARK_COLLECTORS_COUNTING_DECODER_CLASSIFY_EVEX_H_

#include "collectors/counting/decoder/decoder.h"

#ifdef __cplusplus
extern "C" {
#endif

struct roof_evex_class {
  uint8_t flags; /* enum roof_class_flags: FP_OTHER, NT_STORE, GATHER */
  uint8_t terms;
  uint8_t lanes;            /* that can be active; a bit of the mask each. 0 without terms */
  struct roof_term term[2]; /* operations of one lane */
};

/* Returns 0 for what is not known. Complex numbers in half precision are lanes of 32 bits: a
 * product is two multiplications and two fused operations, a product that is added four fused ones.
 * A dot product of BF16 pairs is two fused operations, and a class of its own; so are the integer
 * operations of VNNI, which are FP_OTHER. */
int roof_classify_evex(const struct roof_instruction* instruction, struct roof_evex_class* out);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_DECODER_CLASSIFY_EVEX_H_ */
