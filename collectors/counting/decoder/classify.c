/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector instructions and branches. Opcode maps: Intel SDM volume 2, appendix A; FMA4: AMD64 APM
 * volume 6. */
#include "collectors/counting/decoder/classify_x87.h"
#include "collectors/counting/decoder/terms.h"

/* One letter per opcode: f FLOPs, d dot products of integers, o other vector work, r vector work
 * only between registers (with a memory operand it is a plain load or store), . neither. Rows are
 * the opcode's high digit. */
static const char kMap0F[16][17] = {
    "................", /* 0 */
    "rrrroorr........", /* 1: mov, unpck */
    "........rro.oooo", /* 2: movaps, cvt, comis; 2B movntps */
    "................", /* 3 */
    "................", /* 4: cmov */
    "offfooooffoofofo", /* 5: sqrt rsqrt rcp, logic, add mul cvt cvt, sub min div max */
    "oooooooooooooorr", /* 6: packs, unpck; 6E movd, 6F movdqa */
    "ooooooo.oo..ffrr", /* 7: shuffles, shifts, extrq; hadd hsub; 7E 7F movq movdqa */
    "................", /* 8 */
    "................", /* 9 */
    "................", /* A */
    "................", /* B */
    "..o.ooo.........", /* C: cmp, pinsrw, pextrw, shufps */
    "fooooorooooooooo", /* D: addsub; D6 movq */
    "ooooooo.oooooooo", /* E: E6 cvt; E7 movntdq */
    ".oooooo.ooooooo.", /* F: F0 lddqu, F7 maskmov */
};
static const char kMap0F38[16][17] = {
    "oooooooooooooooo", /* 0: pshufb, phadd ...; vpermilps, vtestps */
    "o..ooooorr..ooo.", /* 1: blendv, vcvtph2ps, ptest, vbroadcast, pabs */
    "oooooo..oo.o....", /* 2: pmovsx; 2A movntdqa, 2C vmaskmov */
    "oooooooooooooooo", /* 3: pmovzx, pmin, pmax */
    "oo...ooo........", /* 4: pmulld, variable shifts */
    "dddd....rr......", /* 5: vpdp..., vpbroadcast */
    "................", /* 6 */
    "........rr......", /* 7: vpbroadcast */
    "................", /* 8 */
    "......ffffffffff", /* 9: fused multiply-add, 132; 90 gathers */
    "......ffffffffff", /* A: 213 */
    "....ooffffffffff", /* B: 231 */
    "........oooooo.o", /* C: sha */
    "..dd.......ooooo", /* D: vpdpw..., aes */
    "................", /* E */
    "................", /* F: movbe, crc32, bmi */
};
static const char kMap0F3A[16][17] = {
    "ooo.ooo.oooooooo", /* 0: vperm, round, blend, palignr */
    "....oooooo...o..", /* 1: pextr, vinsertf128, vextractf128, vcvtps2ph */
    "ooo.............", /* 2: pinsr, insertps */
    "........oo......", /* 3: vinserti128 */
    "ffo.o.o.ooooo...", /* 4: dpps dppd, mpsadbw, pclmul, vblendv */
    "............ffff", /* 5: FMA4 fmaddsub, fmsubadd */
    "oooo....ffffffff", /* 6: pcmpstr; FMA4 fmadd, fmsub */
    "........ffffffff", /* 7: FMA4 fnmadd, fnmsub */
    "................", /* 8 */
    "................", /* 9 */
    "................", /* A */
    "................", /* B */
    "............o.oo", /* C: sha, gf2p8 */
    "...............o", /* D: aeskeygen */
    "................", /* E */
    "................", /* F: rorx */
};

static unsigned lanes(const struct roof_instruction* in, unsigned precision) {
  return (precision == ROOF_DP ? 2u : 4u) << in->bits;
}

static void add_packed(const struct roof_instruction* in, unsigned precision, unsigned kind,
                       unsigned per_lane, struct roof_class* out) {
  roof_add_term(out, ROOF_C_FLOPS(precision, ROOF_128 + in->bits, kind),
                per_lane * lanes(in, precision));
}

static void add_scalar(unsigned precision, unsigned kind, unsigned operations,
                       struct roof_class* out) {
  roof_add_term(out, ROOF_C_FLOPS(precision, ROOF_SCALAR, kind), operations);
}

/* Horizontal and alternating forms do one addition a lane: 66 pd, F2 ps. */
static void classify_horizontal(const struct roof_instruction* in, struct roof_class* out) {
  add_packed(in, in->prefix == ROOF_66 ? ROOF_DP : ROOF_SP, ROOF_ADD, 1, out);
}

static void classify_arithmetic(const struct roof_instruction* in, struct roof_class* out) {
  unsigned kind = ROOF_ADD; /* 58, 5C */
  switch (in->opcode) {
    case 0x51:
    case 0x52:
      kind = ROOF_SQRT;
      break;
    case 0x53:
    case 0x5E:
      kind = ROOF_DIV;
      break;
    case 0x59:
      kind = ROOF_MUL;
      break;
    case 0x7C:
    case 0x7D:
    case 0xD0:
      classify_horizontal(in, out);
      return;
    default:
      break;
  }
  switch (in->prefix) {
    case ROOF_NP:
      add_packed(in, ROOF_SP, kind, 1, out);
      break;
    case ROOF_66:
      add_packed(in, ROOF_DP, kind, 1, out);
      break;
    case ROOF_F3:
      add_scalar(ROOF_SP, kind, 1, out);
      break;
    default:
      add_scalar(ROOF_DP, kind, 1, out);
      break;
  }
}

/* FMA3: the low digit tells the form; 9, B, D, F are scalar. */
static void classify_fma3(const struct roof_instruction* in, struct roof_class* out) {
  unsigned precision = in->rex_w ? ROOF_DP : ROOF_SP;
  unsigned form = in->opcode & 15;
  if (form >= 9 && (form & 1)) {
    add_scalar(precision, ROOF_FMA, 2, out);
  } else {
    add_packed(in, precision, ROOF_FMA, 2, out);
  }
}

/* FMA4: the low two bits tell ps, pd, ss, sd; the fmaddsub row has no scalar forms. */
static void classify_fma4(const struct roof_instruction* in, struct roof_class* out) {
  unsigned precision = (in->opcode & 1) ? ROOF_DP : ROOF_SP;
  if (in->opcode >= 0x60 && (in->opcode & 2)) {
    add_scalar(precision, ROOF_FMA, 2, out);
  } else {
    add_packed(in, precision, ROOF_FMA, 2, out);
  }
}

/* dpps, dppd: the high half of the immediate selects the products that are formed and summed. */
static void classify_dot_product(const struct roof_instruction* in, struct roof_class* out) {
  unsigned precision = in->opcode == 0x40 ? ROOF_SP : ROOF_DP;
  unsigned selected = in->immediate >> 4;
  unsigned products = 0;
  if (precision == ROOF_DP) selected &= 3;
  for (; selected; selected &= selected - 1) ++products;
  if (products == 0) {
    out->flags |= ROOF_IS_FP_OTHER;
    return;
  }
  roof_add_term(out, ROOF_C_FLOPS(precision, ROOF_128 + in->bits, ROOF_MUL), products << in->bits);
  roof_add_term(out, ROOF_C_FLOPS(precision, ROOF_128 + in->bits, ROOF_ADD),
                (products - 1) << in->bits);
}

/* AVX-VNNI; with other prefixes, other signs. Prefix F2 has no products of words. */
static void classify_vnni(const struct roof_instruction* in, struct roof_class* out) {
  const unsigned each = roof_vnni_operations(in->opcode);
  if (in->encoding != ROOF_VEX) return;
  out->flags |= ROOF_IS_FP_OTHER;
  if (each == 8 || in->prefix == ROOF_66 || (in->opcode >= 0xD2 && in->prefix != ROOF_F2))
    roof_add_term(out, ROOF_C_VNNI_OPERATIONS, each * lanes(in, ROOF_SP));
}

static char row_letter(const struct roof_instruction* in) {
  unsigned row = in->opcode >> 4, column = in->opcode & 15;
  switch (in->map) {
    case 1:
      return kMap0F[row][column];
    case 2:
      return kMap0F38[row][column];
    case 3:
      return kMap0F3A[row][column];
    default:
      return '.';
  }
}

static void classify_vector(const struct roof_instruction* in, struct roof_class* out) {
  switch (row_letter(in)) {
    case 'f':
      if (in->map == 1) classify_arithmetic(in, out);
      if (in->map == 2) classify_fma3(in, out);
      if (in->map == 3 && in->opcode < 0x42) classify_dot_product(in, out);
      if (in->map == 3 && in->opcode >= 0x5C) classify_fma4(in, out);
      break;
    case 'd':
      classify_vnni(in, out);
      break;
    case 'o':
      out->flags |= ROOF_IS_FP_OTHER;
      break;
    case 'r':
      if (roof_is_register_form(in)) out->flags |= ROOF_IS_FP_OTHER;
      break;
    default:
      break;
  }
}

/* movntps/pd/ss/sd, movntq/dq, movnti, maskmovq/dqu. */
static int is_nt_store(const struct roof_instruction* in) {
  if (in->map != 1) return 0;
  return in->opcode == 0x2B || in->opcode == 0xE7 || in->opcode == 0xF7 ||
         (in->opcode == 0xC3 && in->encoding == ROOF_LEGACY);
}

/* Instructions on mask registers are VEX-encoded but belong to AVX-512. */
static int is_mask_instruction(const struct roof_instruction* in) {
  if (in->encoding != ROOF_VEX) return 0;
  if (in->map == 3) return in->opcode >= 0x30 && in->opcode <= 0x33;
  return in->map == 1 &&
         ((in->opcode >= 0x41 && in->opcode <= 0x4B) ||
          (in->opcode >= 0x90 && in->opcode <= 0x93) || in->opcode == 0x98 || in->opcode == 0x99);
}

static int is_one_byte_branch(const struct roof_instruction* in) {
  uint8_t opcode = in->opcode, extension = (in->modrm >> 3) & 7;
  if (opcode == 0xFF) return extension >= 2 && extension <= 5; /* call, jmp */
  return (opcode & 0xF0) == 0x70 || (opcode >= 0xE0 && opcode <= 0xE3) || opcode == 0xE8 ||
         opcode == 0xE9 || opcode == 0xEB || opcode == 0xC2 || opcode == 0xC3 || opcode == 0xCA ||
         opcode == 0xCB || opcode == 0xCF;
}

/* ins, outs, movs, cmps, stos, lods, scas. */
static int is_string(uint8_t opcode) {
  return (opcode >= 0x6C && opcode <= 0x6F) || (opcode >= 0xA4 && opcode <= 0xA7) ||
         (opcode >= 0xAA && opcode <= 0xAF);
}

static void classify_one_byte(const struct roof_instruction* in, struct roof_class* out) {
  if (in->opcode >= 0xD8 && in->opcode <= 0xDF) roof_classify_x87(in, out);
  if (is_one_byte_branch(in)) out->flags |= ROOF_IS_BRANCH;
  if (in->prefix >= ROOF_F3 && is_string(in->opcode)) out->flags |= ROOF_IS_REPEATED_STRING;
}

void roof_classify(const struct roof_instruction* in, struct roof_class* out) {
  struct roof_class none = {0, 0, {{0, 0}, {0, 0}}};
  *out = none;
  if (in->encoding == ROOF_EVEX || is_mask_instruction(in)) {
    out->flags = ROOF_IS_AVX512;
    return;
  }
  if (in->encoding == ROOF_XOP) { /* no FLOPs there; general registers in map 10 and low opcodes */
    if (in->map == 8 || (in->map == 9 && in->opcode >= 0x80)) out->flags = ROOF_IS_FP_OTHER;
    return;
  }
  if (in->map == 0) {
    classify_one_byte(in, out);
    return;
  }
  if (in->encoding == ROOF_LEGACY && in->map == 1 && (in->opcode & 0xF0) == 0x80)
    out->flags |= ROOF_IS_BRANCH;
  if (in->encoding == ROOF_VEX && in->map == 2 && in->opcode >= 0x90 && in->opcode <= 0x93)
    out->flags |= ROOF_IS_GATHER;
  if (is_nt_store(in)) out->flags |= ROOF_IS_NT_STORE;
  classify_vector(in, out);
}
