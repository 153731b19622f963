/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opcode maps: Intel SDM volume 2, chapter 2.7 and the pages of the instructions; map 5 and 6 are
 * half precision (AVX512-FP16). */
#include "collectors/counting/decoder/classify_evex.h"

#include "collectors/counting/decoder/terms.h"

/* Exists since AVX-512 on Xeon Phi alone, with four products each: not known. */
static int is_of_xeon_phi(const struct roof_instruction* in) {
  return in->map == 2 && in->prefix == ROOF_F2 &&
         (in->opcode == 0x9A || in->opcode == 0x9B || in->opcode == 0xAA || in->opcode == 0xAB ||
          in->opcode == 0x52 || in->opcode == 0x53);
}

static unsigned width_of(const struct roof_instruction* in) {
  /* Rounding takes the place of the length, which is then 512 bits. */
  const unsigned bits = in->b && roof_is_register_form(in) ? 2 : in->bits;
  return ROOF_128 + bits;
}

static unsigned lanes_of(unsigned precision, unsigned width) {
  return (precision == ROOF_DP ? 2u : precision == ROOF_SP ? 4u : 8u) << (width - ROOF_128);
}

static void add(unsigned precision, unsigned width, unsigned kind, unsigned operations,
                struct roof_evex_class* out) {
  struct roof_term* term = &out->term[out->terms++];
  term->counter = (uint8_t)ROOF_C_FLOPS(precision, width, kind);
  term->operations = (uint8_t)operations;
  out->lanes = (uint8_t)(width == ROOF_SCALAR ? 1 : lanes_of(precision, width));
}

/* Two fused operations in each lane of single precision. */
static void add_bf16(unsigned width, struct roof_evex_class* out) {
  add(ROOF_SP, width, ROOF_FMA, 4, out);
  out->term[out->terms - 1].counter = ROOF_C_BF16_FLOPS;
}

static void add_vnni(const struct roof_instruction* in, struct roof_evex_class* out) {
  add(ROOF_SP, width_of(in), ROOF_FMA, roof_vnni_operations(in->opcode), out);
  out->term[out->terms - 1].counter = ROOF_C_VNNI_OPERATIONS;
  out->flags |= ROOF_IS_FP_OTHER;
}

static int kind_of_arithmetic(const struct roof_instruction* in) {
  switch (in->opcode) {
    case 0x51:
      return ROOF_SQRT;
    case 0x58:
    case 0x5C:
      return ROOF_ADD;
    case 0x59:
      return ROOF_MUL;
    case 0x5E:
      return ROOF_DIV;
    default:
      return -1;
  }
}

/* Maps 1 and 5: the prefix tells ps, pd, ss, sd, or ph, sh. */
static void classify_arithmetic(const struct roof_instruction* in, struct roof_evex_class* out) {
  const int kind = kind_of_arithmetic(in);
  const unsigned scalar = in->prefix >= ROOF_F3;
  if (kind < 0) return;
  if (in->map == 5) {
    if (in->prefix == ROOF_NP || in->prefix == ROOF_F3)
      add(ROOF_HP, scalar ? (unsigned)ROOF_SCALAR : width_of(in), (unsigned)kind, 1, out);
    return;
  }
  add(in->prefix == ROOF_66 || in->prefix == ROOF_F2 ? ROOF_DP : ROOF_SP,
      scalar ? (unsigned)ROOF_SCALAR : width_of(in), (unsigned)kind, 1, out);
}

/* 96 to 9F, A6 to AF, B6 to BF. The low digit tells the form; 9, B, D, F are scalar. */
static int is_fma(const struct roof_instruction* in) {
  return in->prefix == ROOF_66 && in->opcode >= 0x90 && in->opcode <= 0xBF &&
         (in->opcode & 15) >= 6;
}

/* rcp14, rsqrt14, rcp28, rsqrt28, rcpph, rsqrtph: -1 for others. Odd ones are scalar. */
static int kind_of_approximation(const struct roof_instruction* in) {
  if (in->prefix != ROOF_66) return -1;
  if ((in->opcode & 0xFE) == 0x4C) return ROOF_DIV;
  if ((in->opcode & 0xFE) == 0x4E) return ROOF_SQRT;
  if (in->map == 2 && (in->opcode & 0xFE) == 0xCA) return ROOF_DIV;
  if (in->map == 2 && (in->opcode & 0xFE) == 0xCC) return ROOF_SQRT;
  return -1;
}

/* Complex half precision: prefixes F3 and F2 are the conjugated ones. Odd ones are scalar. */
static void classify_complex(const struct roof_instruction* in, struct roof_evex_class* out) {
  const unsigned width = in->opcode & 1 ? (unsigned)ROOF_SCALAR : width_of(in);
  if ((in->opcode & 0xFE) == 0x56) {
    add(ROOF_HP, width, ROOF_FMA, 8, out);
  } else {
    add(ROOF_HP, width, ROOF_MUL, 2, out);
    add(ROOF_HP, width, ROOF_FMA, 4, out);
  }
  if (width != ROOF_SCALAR) out->lanes = (uint8_t)lanes_of(ROOF_SP, width);
}

/* Maps 2 and 6. */
static void classify_products(const struct roof_instruction* in, struct roof_evex_class* out) {
  const unsigned precision = in->map == 6 ? ROOF_HP : in->rex_w ? ROOF_DP : ROOF_SP;
  const unsigned odd = in->opcode & 1;
  const int approximation = kind_of_approximation(in);
  if (is_fma(in)) {
    const unsigned scalar = (in->opcode & 15) >= 9 && odd;
    add(precision, scalar ? (unsigned)ROOF_SCALAR : width_of(in), ROOF_FMA, 2, out);
  } else if (approximation >= 0) {
    add(precision, odd ? (unsigned)ROOF_SCALAR : width_of(in), (unsigned)approximation, 1, out);
  } else if (in->map == 2 && in->opcode == 0x52 && in->prefix == ROOF_F3) {
    add_bf16(width_of(in), out);
  } else if (in->map == 2 && in->opcode >= 0x50 && in->opcode <= 0x53 && in->prefix == ROOF_66 &&
             !in->rex_w) {
    add_vnni(in, out);
  } else if (in->map == 6 && in->prefix >= ROOF_F3 &&
             ((in->opcode & 0xFE) == 0x56 || (in->opcode & 0xFE) == 0xD6)) {
    classify_complex(in, out);
  }
}

/* Merely loads or stores if it has a memory operand. */
static int is_move(const struct roof_instruction* in) {
  const uint8_t op = in->opcode;
  switch (in->map) {
    case 1:
      return op == 0x10 || op == 0x11 || op == 0x12 || op == 0x13 || op == 0x16 || op == 0x17 ||
             op == 0x28 || op == 0x29 || op == 0x2B || op == 0x6E || op == 0x6F || op == 0x7E ||
             op == 0x7F || op == 0xD6 || op == 0xE7;
    case 2: /* broadcasts, movntdqa, compress, expand, gathers, scatters */
      return (op >= 0x18 && op <= 0x1B) || (op == 0x2A && in->prefix == ROOF_66) ||
             (op >= 0x58 && op <= 0x5B) || op == 0x62 || op == 0x63 || op == 0x78 || op == 0x79 ||
             (op >= 0x88 && op <= 0x8B) || (op >= 0x90 && op <= 0x93) || (op >= 0xA0 && op <= 0xA3);
    case 5:
      return op == 0x10 || op == 0x11 || op == 0x6E || op == 0x7E;
    default:
      return 0;
  }
}

int roof_classify_evex(const struct roof_instruction* in, struct roof_evex_class* out) {
  const struct roof_evex_class none = {0, 0, 0, {{0, 0}, {0, 0}}};
  *out = none;
  if (in->encoding != ROOF_EVEX || in->map == 0 || in->map == 4 || in->map > 6 ||
      is_of_xeon_phi(in))
    return 0;
  if (width_of(in) > ROOF_512) return 0;
  if (in->map == 1 || in->map == 5) classify_arithmetic(in, out);
  if (in->map == 2 || in->map == 6) classify_products(in, out);
  if (out->terms) return 1;
  if (!is_move(in) || roof_is_register_form(in)) out->flags |= ROOF_IS_FP_OTHER;
  if (in->map == 1 && (in->opcode == 0x2B || in->opcode == 0xE7)) out->flags |= ROOF_IS_NT_STORE;
  if (in->map == 2 && in->opcode >= 0x90 && in->opcode <= 0x93) out->flags |= ROOF_IS_GATHER;
  return 1;
}
