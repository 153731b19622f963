/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operands of AVX-512's instructions, which the decoder leaves out (decoder/operands.h), as
 * Zydis says. Without libc. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_EVEX_OPERANDS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_EVEX_OPERANDS_H_

#include "collectors/counting/decoder/operands.h"
#include "collectors/counting/native/instruction.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns 0 and no operands for what is neither encoded by EVEX nor works on mask registers.
 *
 *   - What a mask keeps of the destination is merged; nothing is where it clears.
 *   - Of a scalar operation with one operand, the register that its upper elements come from is
 *     merged.
 *   - The exclusive or, difference or and-not of a register with itself reads nothing, where there
 *     is no mask. */
int roof_native_find_evex_operands(const ZydisDecoder* decoder,
                                   const struct roof_native_instruction* in,
                                   struct roof_operands* out);

/* Its class, enum roof_latency_class; whether it writes or reads a general register, addresses
 * apart. */
unsigned roof_native_evex_latency(const struct roof_native_instruction* in, int to_general,
                                  int from_general);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_EVEX_OPERANDS_H_ */
