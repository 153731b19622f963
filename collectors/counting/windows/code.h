/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The instructions of a segment: what must be known of it beside its counts and its accesses to
 * execute it once more in a simulator. Kept once for each place in the code, however often that is
 * translated.
 *
 * Plain C without libc. No call may overlap another one on the same codes. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_WINDOWS_CODE_H_
#define ROOFMARK_COLLECTORS_COUNTING_WINDOWS_CODE_H_

#include <stdint.h>

#include "collectors/counting/contexts/table.h"
#include "collectors/counting/decoder/operands.h"
#include "collectors/counting/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Instructions of a segment, at most. */
#define ROOF_CODE_MOST 256
struct roof_code_instruction {
  uint64_t place;
  uint32_t accesses; /* the next so many of its segment are its own */
  int32_t distance;  /* of a conditional branch, from its end to its target; else 0 */
  struct roof_operands operands;
  uint8_t length; /* bytes */
};

struct roof_code {
  struct roof_entry entry;
  int32_t counted; /* what the segment adds to ROOF_C_INSTRUCTIONS */
  uint32_t instructions;
  const struct roof_code_instruction* instruction;
};

/* All zero but `memory`: empty. */
struct roof_codes {
  struct roof_memory memory;
  struct roof_table table;
};

/* The instruction in bytes[0 .. length) at the place, which has no accesses yet. 0, and no
 * operands, if these are not known; see operands.h. */
int roof_code_read(const uint8_t* bytes, unsigned length, uint64_t place,
                   struct roof_code_instruction* out);

/* NULL without memory. */
const struct roof_code* roof_codes_intern(struct roof_codes* codes,
                                          const struct roof_code_instruction* instruction,
                                          uint32_t instructions, int32_t counted);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_WINDOWS_CODE_H_ */
