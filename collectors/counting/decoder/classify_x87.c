/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The x87 unit: counted as scalar double precision, the precision in which engines keep it and
 * compilers use it. Opcode map: Intel SDM volume 2, table A-7 ff. */
#include "collectors/counting/decoder/classify_x87.h"

#include "collectors/counting/decoder/terms.h"

static void add(unsigned kind, struct roof_class* out) {
  roof_add_term(out, ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, kind), 1);
}

/* The operation in bits 3 to 5 of modrm that D8, DC, DA and DE share: add, mul, com, comp, sub,
 * subr, div, divr. */
static void classify_basic(unsigned operation, struct roof_class* out) {
  static const uint8_t kKinds[8] = {ROOF_ADD, ROOF_MUL, 0,        0,
                                    ROOF_ADD, ROOF_ADD, ROOF_DIV, ROOF_DIV};
  if (operation == 2 || operation == 3) {
    out->flags |= ROOF_IS_FP_OTHER;
  } else {
    add(kKinds[operation], out);
  }
}

static void classify_d9_register(uint8_t modrm, struct roof_class* out) {
  switch (modrm) {
    case 0xF0:
    case 0xF1:
    case 0xF2:
    case 0xF3:
    case 0xF9:
    case 0xFB:
    case 0xFE:
    case 0xFF:
      out->flags |= ROOF_IS_X87_TRANSCENDENTAL; /* 2xm1 yl2x ptan patan yl2xp1 sincos sin cos */
      break;
    case 0xFA:
      add(ROOF_SQRT, out);
      break;
    case 0xD0:
    case 0xF6:
    case 0xF7: /* nop, decstp, incstp */
      break;
    default: /* fld, fxch, chs, abs, tst, xam, constants, rndint, scale, prem, xtract */
      out->flags |= ROOF_IS_FP_OTHER;
      break;
  }
}

void roof_classify_x87(const struct roof_instruction* in, struct roof_class* out) {
  unsigned operation = (in->modrm >> 3) & 7;
  if (!roof_is_register_form(in)) {
    /* Even opcodes compute with the operand; DB, DD, DF convert integers; the rest moves. */
    if ((in->opcode & 1) == 0) {
      classify_basic(operation, out);
    } else if ((in->opcode == 0xDB && operation < 4) || in->opcode == 0xDF ||
               (in->opcode == 0xDD && operation == 1)) {
      out->flags |= ROOF_IS_FP_OTHER;
    }
    return;
  }
  switch (in->opcode) {
    case 0xD8:
    case 0xDC:
    case 0xDE: /* DE: faddp ...; D9 is fcompp, which falls under comp */
      classify_basic(operation, out);
      break;
    case 0xD9:
      classify_d9_register(in->modrm, out);
      break;
    case 0xDB:
      if ((in->modrm & 0xF8) != 0xE0) out->flags |= ROOF_IS_FP_OTHER; /* E0: clex, init */
      break;
    case 0xDF:
      if (in->modrm >= 0xC8 && in->modrm != 0xE0) out->flags |= ROOF_IS_FP_OTHER;
      break;   /* C0: ffreep, E0: fnstsw ax */
    case 0xDD: /* C0: ffree */
      if (operation != 0) out->flags |= ROOF_IS_FP_OTHER;
      break;
    default: /* DA: fcmov, fucompp */
      out->flags |= ROOF_IS_FP_OTHER;
      break;
  }
}
