/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DECODER_CLASSIFY_X87_H_
#define ROOFMARK_COLLECTORS_COUNTING_DECODER_CLASSIFY_X87_H_

#include "collectors/counting/decoder/decoder.h"

/* Adds the terms and flags of an instruction with an opcode from D8 to DF. */
void roof_classify_x87(const struct roof_instruction* in, struct roof_class* out);

#endif /* ROOFMARK_COLLECTORS_COUNTING_DECODER_CLASSIFY_X87_H_ */
