/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kinds of operations whose results take equally long. How long is a property of the machine. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DECODER_LATENCY_CLASS_H_
#define ROOFMARK_COLLECTORS_COUNTING_DECODER_LATENCY_CLASS_H_

/* Where an instruction loads as well, the class is that of what it does with the loaded value. */
enum roof_latency_class {
  ROOF_L_NONE = 0, /* no operation: nop, zero idioms, mere loads and stores, jumps */
  ROOF_L_MOVE,     /* copies a register to one of its kind, unchanged */
  ROOF_L_INT,      /* add, logic, shift, compare, lea, setcc, bit counts, cmov */
  ROOF_L_INT_MUL,
  ROOF_L_INT_DIV_32, /* and shorter ones */
  ROOF_L_INT_DIV_64,
  ROOF_L_DP_ADD, /* the order of the kinds is that of enum roof_kind in schema.h */
  ROOF_L_DP_MUL,
  ROOF_L_DP_FMA,
  ROOF_L_DP_DIV,
  ROOF_L_DP_SQRT,
  ROOF_L_SP_ADD,
  ROOF_L_SP_MUL,
  ROOF_L_SP_FMA,
  ROOF_L_SP_DIV,
  ROOF_L_SP_SQRT,
  ROOF_L_FP_APPROXIMATE,  /* rcp, rsqrt */
  ROOF_L_FP_COMPARE,      /* min, max, and compares with a vector as result */
  ROOF_L_CONVERT,         /* between formats in vector registers, rounding included */
  ROOF_L_CONVERT_GENERAL, /* between a number in a general register and one in a vector register */
  ROOF_L_TO_VECTOR,       /* from a general register */
  ROOF_L_FROM_VECTOR,     /* to a general register or the flags */
  ROOF_L_VECTOR_INT,      /* integer add, compare, shift, blend; logic of any type */
  ROOF_L_VECTOR_INT_MUL,
  ROOF_L_VECTOR_OTHER, /* encryption, strings, carry-less multiplication */
  ROOF_L_SHUFFLE,      /* within lanes of 128 bits */
  ROOF_L_CROSS,        /* across them */
  ROOF_L_X87_MOVE,     /* fxch, fld st, fabs, fchs */
  ROOF_L_X87_ADD,      /* and compare, convert */
  ROOF_L_X87_MUL,
  ROOF_L_X87_DIV,
  ROOF_L_X87_SQRT,
  ROOF_L_X87_TRANSCENDENTAL,
  ROOF_LATENCY_CLASSES
};

#endif /* ROOFMARK_COLLECTORS_COUNTING_DECODER_LATENCY_CLASS_H_ */
