/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long AVX-512's instructions take, as a class. FLOPs are the decoder's; of other instructions
 * a table has ranges of names, in the order of the alphabet as Zydis has them. What is in neither
 * works on integers, or on masks. */
#include "collectors/counting/decoder/classify_evex.h"
#include "collectors/counting/native/evex_operands.h"
#include "collectors/counting/schema.h"

struct row {
  ZydisMnemonic first, last;
  uint8_t latency;
  uint8_t with_memory; /* where it loads or stores as well */
};
#define ROOF_RANGE(first, last, latency, with_memory) \
  { ZYDIS_MNEMONIC_##first, ZYDIS_MNEMONIC_##last, ROOF_L_##latency, ROOF_L_##with_memory }

/* The first row counts that has it. */
static const struct row kRows[] = {
    /* masks */
    ROOF_RANGE(KMOVB, KMOVW, VECTOR_INT, NONE),
    ROOF_RANGE(KORTESTB, KORTESTW, FROM_VECTOR, NONE),
    ROOF_RANGE(KTESTB, KTESTW, FROM_VECTOR, NONE),
    /* copies, gathers, scatters */
    ROOF_RANGE(VMOVAPD, VMOVD, MOVE, NONE),
    ROOF_RANGE(VMOVDQA, VMOVDQU8, MOVE, NONE),
    ROOF_RANGE(VMOVNTDQ, VMOVNTPS, NONE, NONE),
    ROOF_RANGE(VMOVQ, VMOVQ, MOVE, NONE),
    ROOF_RANGE(VMOVSD, VMOVSH, VECTOR_INT, NONE),
    ROOF_RANGE(VMOVSS, VMOVSS, VECTOR_INT, NONE),
    ROOF_RANGE(VMOVUPD, VMOVW, MOVE, NONE),
    ROOF_RANGE(VGATHERDPD, VGATHERQPS, NONE, NONE),
    ROOF_RANGE(VPGATHERDD, VPGATHERQQ, NONE, NONE),
    ROOF_RANGE(VSCATTERDPD, VSCATTERQPS, NONE, NONE),
    ROOF_RANGE(VPSCATTERDD, VPSCATTERQQ, NONE, NONE),
    /* within 128 bits */
    ROOF_RANGE(VINSERTPS, VINSERTPS, SHUFFLE, SHUFFLE),
    ROOF_RANGE(VMOVDDUP, VMOVDDUP, SHUFFLE, NONE),
    ROOF_RANGE(VMOVHLPS, VMOVLPS, SHUFFLE, SHUFFLE),
    ROOF_RANGE(VMOVSHDUP, VMOVSLDUP, SHUFFLE, NONE),
    ROOF_RANGE(VPACKSSDW, VPACKUSWB, SHUFFLE, SHUFFLE),
    ROOF_RANGE(VPALIGNR, VPALIGNR, SHUFFLE, SHUFFLE),
    ROOF_RANGE(VPERMILPD, VPERMILPS, SHUFFLE, SHUFFLE),
    ROOF_RANGE(VPINSRB, VPINSRW, SHUFFLE, SHUFFLE),
    ROOF_RANGE(VPSHUFB, VPSHUFLW, SHUFFLE, SHUFFLE),
    ROOF_RANGE(VPSLLDQ, VPSLLDQ, SHUFFLE, SHUFFLE),
    ROOF_RANGE(VPSRLDQ, VPSRLDQ, SHUFFLE, SHUFFLE),
    ROOF_RANGE(VPUNPCKHBW, VPUNPCKLWD, SHUFFLE, SHUFFLE),
    ROOF_RANGE(VSHUFPD, VSHUFPS, SHUFFLE, SHUFFLE),
    ROOF_RANGE(VUNPCKHPD, VUNPCKLPS, SHUFFLE, SHUFFLE),
    /* across them */
    ROOF_RANGE(VALIGND, VALIGNQ, CROSS, CROSS),
    ROOF_RANGE(VBROADCASTF128, VBROADCASTSS, CROSS, NONE),
    ROOF_RANGE(VCOMPRESSPD, VCOMPRESSPS, CROSS, CROSS),
    ROOF_RANGE(VEXPANDPD, VEXPANDPS, CROSS, CROSS),
    ROOF_RANGE(VEXTRACTF128, VEXTRACTPS, CROSS, NONE),
    ROOF_RANGE(VINSERTF128, VINSERTI64X4, CROSS, CROSS),
    ROOF_RANGE(VPBROADCASTB, VPBROADCASTW, CROSS, NONE),
    ROOF_RANGE(VPCOMPRESSB, VPCOMPRESSW, CROSS, CROSS),
    ROOF_RANGE(VPERM2F128, VPERMW, CROSS, CROSS),
    ROOF_RANGE(VPEXPANDB, VPEXPANDW, CROSS, CROSS),
    ROOF_RANGE(VPEXTRB, VPEXTRW, CROSS, NONE),
    ROOF_RANGE(VPMOVDB, VPMOVDW, CROSS, CROSS),
    ROOF_RANGE(VPMOVQB, VPMOVUSWB, CROSS, CROSS),
    ROOF_RANGE(VPMOVWB, VPMOVZXWQ, CROSS, CROSS),
    ROOF_RANGE(VSHUFF32X4, VSHUFI64X2, CROSS, CROSS),
    /* floating point that is no FLOP, or an approximate one */
    ROOF_RANGE(VCMPPD, VCMPSS, FP_COMPARE, FP_COMPARE),
    ROOF_RANGE(VCOMISD, VCOMISS, FROM_VECTOR, FROM_VECTOR),
    ROOF_RANGE(VCVTDQ2PD, VCVTW2PH, CONVERT, CONVERT),
    ROOF_RANGE(VFIXUPIMMPD, VFIXUPIMMSS, CONVERT, CONVERT),
    ROOF_RANGE(VFPCLASSPD, VFPCLASSSS, FP_COMPARE, FP_COMPARE),
    ROOF_RANGE(VGETEXPPD, VGETMANTSS, CONVERT, CONVERT),
    ROOF_RANGE(VMAXPD, VMAXSS, FP_COMPARE, FP_COMPARE),
    ROOF_RANGE(VMINPD, VMINSS, FP_COMPARE, FP_COMPARE),
    ROOF_RANGE(VRANGEPD, VRANGESS, FP_COMPARE, FP_COMPARE),
    ROOF_RANGE(VRCP14PD, VRCPSS, FP_APPROXIMATE, FP_APPROXIMATE),
    ROOF_RANGE(VREDUCEPD, VROUNDSS, CONVERT, CONVERT),
    ROOF_RANGE(VRSQRT14PD, VRSQRTSS, FP_APPROXIMATE, FP_APPROXIMATE),
    ROOF_RANGE(VSCALEFPD, VSCALEFSS, CONVERT, CONVERT),
    ROOF_RANGE(VUCOMISD, VUCOMISS, FROM_VECTOR, FROM_VECTOR),
    /* integers */
    ROOF_RANGE(VDBPSADBW, VDBPSADBW, VECTOR_INT_MUL, VECTOR_INT_MUL),
    ROOF_RANGE(VPDPBUSD, VPDPWSSDS, VECTOR_INT_MUL, VECTOR_INT_MUL),
    ROOF_RANGE(VPMADD52HUQ, VPMADDWD, VECTOR_INT_MUL, VECTOR_INT_MUL),
    ROOF_RANGE(VPMULDQ, VPMULUDQ, VECTOR_INT_MUL, VECTOR_INT_MUL),
    ROOF_RANGE(VPSADBW, VPSADBW, VECTOR_INT_MUL, VECTOR_INT_MUL),
    ROOF_RANGE(VAESDEC, VAESENCLAST, VECTOR_OTHER, VECTOR_OTHER),
    ROOF_RANGE(VGF2P8AFFINEINVQB, VGF2P8MULB, VECTOR_OTHER, VECTOR_OTHER),
    ROOF_RANGE(VP2INTERSECTD, VP2INTERSECTQ, VECTOR_OTHER, VECTOR_OTHER),
    ROOF_RANGE(VPCLMULQDQ, VPCLMULQDQ, VECTOR_OTHER, VECTOR_OTHER),
    ROOF_RANGE(VPCONFLICTD, VPCONFLICTQ, VECTOR_OTHER, VECTOR_OTHER),
};

static int has_memory(const struct roof_native_instruction* in) {
  for (unsigned i = 0; i < in->zydis.operand_count; ++i)
    if (in->operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY) return 1;
  return 0;
}

static unsigned of_flops(const struct roof_native_instruction* in) {
  struct roof_instruction decoded;
  struct roof_evex_class class;
  if (!roof_decode(in->bytes, in->length, &decoded) || !roof_classify_evex(&decoded, &class) ||
      !class.terms)
    return ROOF_L_VECTOR_INT;
  const unsigned counter = class.term[0].counter;
  if (counter >= ROOF_C_FLOPS_COUNT) return ROOF_L_SP_FMA; /* products of BF16 */
  const unsigned first = counter < ROOF_C_FLOPS(ROOF_SP, 0, 0) ? ROOF_L_DP_ADD : ROOF_L_SP_ADD;
  return first + counter % ROOF_KINDS;
}

static unsigned by_name(const struct roof_native_instruction* in) {
  for (unsigned i = 0; i < sizeof kRows / sizeof *kRows; ++i)
    if (in->zydis.mnemonic >= kRows[i].first && in->zydis.mnemonic <= kRows[i].last)
      return has_memory(in) ? kRows[i].with_memory : kRows[i].latency;
  return of_flops(in);
}

unsigned roof_native_evex_latency(const struct roof_native_instruction* in, int to_general,
                                  int from_general) {
  const unsigned latency = by_name(in);
  if (to_general || from_general)
    return latency == ROOF_L_CONVERT ? ROOF_L_CONVERT_GENERAL
           : to_general              ? ROOF_L_FROM_VECTOR
                                     : ROOF_L_TO_VECTOR;
  const int is_masked = in->zydis.avx.mask.mode != ZYDIS_MASK_MODE_INVALID &&
                        in->zydis.avx.mask.mode != ZYDIS_MASK_MODE_DISABLED;
  return latency == ROOF_L_MOVE && is_masked ? ROOF_L_VECTOR_INT : latency; /* a blend */
}
