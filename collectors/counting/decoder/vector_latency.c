/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/decoder/operand_pass.h"

unsigned roof_latency_of_flops(unsigned counter) {
  const unsigned first = counter < ROOF_C_FLOPS(ROOF_SP, 0, 0) ? ROOF_L_DP_ADD : ROOF_L_SP_ADD;
  return first + counter % ROOF_KINDS;
}

static unsigned kind_of_flops(const struct roof_instruction* in) {
  struct roof_class class;
  if (in->map == 1 && (in->opcode == 0x52 || in->opcode == 0x53)) return ROOF_L_FP_APPROXIMATE;
  roof_classify(in, &class);
  if (class.terms == 0) return ROOF_L_VECTOR_OTHER; /* a dot product of nothing */
  return roof_latency_of_flops(class.term[0].counter);
}

unsigned roof_vector_latency(const struct roof_instruction* in, char kind) {
  switch (kind) {
    case 'f':
      return kind_of_flops(in);
    case 'v':
      return roof_is_register_form(in) ? ROOF_L_MOVE : ROOF_L_NONE;
    case 'i':
      return ROOF_L_VECTOR_INT;
    case 'm':
      return ROOF_L_VECTOR_INT_MUL;
    case 's':
      return ROOF_L_SHUFFLE;
    case 'x':
      return ROOF_L_CROSS;
    case 'w': /* from memory, the load does it */
      if (!roof_is_register_form(in)) return ROOF_L_NONE;
      return in->bits ? ROOF_L_CROSS : ROOF_L_SHUFFLE;
    case 'c':
      return ROOF_L_CONVERT;
    case 'g':
      return ROOF_L_FROM_VECTOR;
    case 'p':
      return ROOF_L_FP_COMPARE;
    default:
      return ROOF_L_VECTOR_OTHER;
  }
}
