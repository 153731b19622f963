/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the decoder: what the classifiers of all instruction groups share. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DECODER_TERMS_H_
#define ROOFMARK_COLLECTORS_COUNTING_DECODER_TERMS_H_

#include "collectors/counting/decoder/decoder.h"
#include "collectors/counting/schema.h"

static inline void roof_add_term(struct roof_class* out, int counter, unsigned operations) {
  if (operations == 0) return;
  out->term[out->terms].counter = (uint8_t)counter;
  out->term[out->terms].operations = (uint8_t)operations;
  ++out->terms;
}

/* Of the dot products with this opcode, in each lane of 32 bits: four products of bytes, or two of
 * words. */
static inline unsigned roof_vnni_operations(uint8_t opcode) {
  return opcode == 0x50 || opcode == 0x51 ? 8 : 4;
}

static inline int roof_is_register_form(const struct roof_instruction* in) {
  return in->modrm >= 0xC0;
}

#endif /* ROOFMARK_COLLECTORS_COUNTING_DECODER_TERMS_H_ */
