/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which memory an instruction accesses, and what translated code writes down of it: for each access
 * some slots of 64 bits, from which whoever reads them finds the addresses (trail.h). */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_ACCESSES_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_ACCESSES_H_

#include "collectors/counting/native/instruction.h"
#include "collectors/counting/native/meaning.h"
#include "collectors/counting/native/trail.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ROOF_ACCESSES_MOST = 4 }; /* of an instruction */

struct roof_native_found_access {
  struct roof_native_access access;
  uint8_t operand;    /* that names the address */
  uint8_t mask;       /* number of the register that selects lanes, of the kind that access says */
  uint8_t mask_size;  /* bytes of a vector mask */
  uint8_t index_size; /* bytes of a vector of indices */
  int32_t further;    /* bytes from what the operand says */
};

/* Loads come first. Returns how many there are. */
unsigned roof_native_find_accesses(const struct roof_native_instruction* in,
                                   struct roof_native_found_access* out);

/* Bits, by encoding, of the general registers that the instruction names or uses. */
uint32_t roof_native_registers_of(const struct roof_native_instruction* in);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_ACCESSES_H_ */
