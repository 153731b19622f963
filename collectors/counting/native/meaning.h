/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an instruction adds to the counters of schema.h. Most is the same in every execution. The
 * rest depends on a mask or on how often a string instruction repeats: translated code then adds
 * up lanes or repetitions. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_MEANING_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_MEANING_H_

#include "collectors/counting/contexts/segments.h"
#include "collectors/counting/native/instruction.h"

#ifdef __cplusplus
extern "C" {
#endif

enum roof_native_varying_kind {
  ROOF_VARIES_NOT,
  ROOF_BY_MASK,           /* by the lanes that a mask register selects */
  ROOF_BY_SIGNS_PS,       /* by the sign bits of a vector register, 32-bit lanes */
  ROOF_BY_SIGNS_PD,       /* 64-bit lanes */
  ROOF_BY_REPETITION,     /* by what rcx counts down from */
  ROOF_BY_REPETITION_LEFT /* the same, and less what it holds in the end */
};

struct roof_native_varying {
  uint8_t kind;
  uint8_t reg;   /* of the mask */
  uint8_t wide;  /* the vector register has 256 bits */
  uint8_t lanes; /* of the mask that matter */
};

/* Adds what every execution counts to `always`, and what each lane or repetition counts to `each`,
 * which is left alone if `varying` says that there is none. 0 if it is not known. */
int roof_native_find_meaning(const struct roof_native_instruction* instruction,
                             struct roof_segment* always, struct roof_segment* each,
                             struct roof_native_varying* varying);

/* Bytes of each lane, where a mask, `varying`, says which lanes of the operand are accessed; 0: all
 * are, and `varying` is left alone. */
unsigned roof_native_find_mask(const struct roof_native_instruction* in,
                               const ZydisDecodedOperand* memory,
                               struct roof_native_varying* varying);
/* Names memory without an access that the program sees. */
int roof_native_touches_nothing(const struct roof_native_instruction* in);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_MEANING_H_ */
