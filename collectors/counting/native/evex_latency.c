/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long AVX-512's instructions take, as a class. FLOPs are the decoder's; of other instructions
 * a table has ranges of names, in the order of the alphabet as Zydis has them. What is in neither
 * works on integers, or on masks. */
#include "collectors/counting/decoder/classify_evex.h"
#include "collectors/counting/native/evex.h"
#include "collectors/counting/native/evex_operands.h"
#include "collectors/counting/schema.h"

struct row {
  struct roof_names names;
  uint8_t latency;
  uint8_t with_memory; /* where it loads or stores as well */
};
#define ROOF_ROW(first, last, latency, with_memory) \
  { ROOF_NAMES(first, last), ROOF_L_##latency, ROOF_L_##with_memory }

/* The first row counts that has it. */
static const struct row kRows[] = {
    /* masks */
    ROOF_ROW(KMOVB, KMOVW, VECTOR_INT, NONE),
    ROOF_ROW(KORTESTB, KORTESTW, FROM_VECTOR, NONE),
    ROOF_ROW(KTESTB, KTESTW, FROM_VECTOR, NONE),
    /* copies, gathers, scatters */
    ROOF_ROW(VMOVAPD, VMOVD, MOVE, NONE),
    ROOF_ROW(VMOVDQA, VMOVDQU8, MOVE, NONE),
    ROOF_ROW(VMOVNTDQ, VMOVNTPS, NONE, NONE),
    ROOF_ROW(VMOVQ, VMOVQ, MOVE, NONE),
    ROOF_ROW(VMOVSD, VMOVSH, VECTOR_INT, NONE),
    ROOF_ROW(VMOVSS, VMOVSS, VECTOR_INT, NONE),
    ROOF_ROW(VMOVUPD, VMOVW, MOVE, NONE),
    ROOF_ROW(VGATHERDPD, VGATHERQPS, NONE, NONE),
    ROOF_ROW(VPGATHERDD, VPGATHERQQ, NONE, NONE),
    ROOF_ROW(VSCATTERDPD, VSCATTERQPS, NONE, NONE),
    ROOF_ROW(VPSCATTERDD, VPSCATTERQQ, NONE, NONE),
    /* within 128 bits */
    ROOF_ROW(VINSERTPS, VINSERTPS, SHUFFLE, SHUFFLE),
    ROOF_ROW(VMOVDDUP, VMOVDDUP, SHUFFLE, NONE),
    ROOF_ROW(VMOVHLPS, VMOVLPS, SHUFFLE, SHUFFLE),
    ROOF_ROW(VMOVSHDUP, VMOVSLDUP, SHUFFLE, NONE),
    ROOF_ROW(VPACKSSDW, VPACKUSWB, SHUFFLE, SHUFFLE),
    ROOF_ROW(VPALIGNR, VPALIGNR, SHUFFLE, SHUFFLE),
    ROOF_ROW(VPERMILPD, VPERMILPS, SHUFFLE, SHUFFLE),
    ROOF_ROW(VPINSRB, VPINSRW, SHUFFLE, SHUFFLE),
    ROOF_ROW(VPSHUFB, VPSHUFLW, SHUFFLE, SHUFFLE),
    ROOF_ROW(VPSLLDQ, VPSLLDQ, SHUFFLE, SHUFFLE),
    ROOF_ROW(VPSRLDQ, VPSRLDQ, SHUFFLE, SHUFFLE),
    ROOF_ROW(VPUNPCKHBW, VPUNPCKLWD, SHUFFLE, SHUFFLE),
    ROOF_ROW(VSHUFPD, VSHUFPS, SHUFFLE, SHUFFLE),
    ROOF_ROW(VUNPCKHPD, VUNPCKLPS, SHUFFLE, SHUFFLE),
    /* across them */
    ROOF_ROW(VALIGND, VALIGNQ, CROSS, CROSS),
    ROOF_ROW(VBROADCASTF128, VBROADCASTSS, CROSS, NONE),
    ROOF_ROW(VCOMPRESSPD, VCOMPRESSPS, CROSS, CROSS),
    ROOF_ROW(VEXPANDPD, VEXPANDPS, CROSS, CROSS),
    ROOF_ROW(VEXTRACTF128, VEXTRACTPS, CROSS, NONE),
    ROOF_ROW(VINSERTF128, VINSERTI64X4, CROSS, CROSS),
    ROOF_ROW(VPBROADCASTB, VPBROADCASTW, CROSS, NONE),
    ROOF_ROW(VPCOMPRESSB, VPCOMPRESSW, CROSS, CROSS),
    ROOF_ROW(VPERM2F128, VPERMW, CROSS, CROSS),
    ROOF_ROW(VPEXPANDB, VPEXPANDW, CROSS, CROSS),
    ROOF_ROW(VPEXTRB, VPEXTRW, CROSS, NONE),
    ROOF_ROW(VPMOVDB, VPMOVDW, CROSS, CROSS),
    ROOF_ROW(VPMOVQB, VPMOVUSWB, CROSS, CROSS),
    ROOF_ROW(VPMOVWB, VPMOVZXWQ, CROSS, CROSS),
    ROOF_ROW(VSHUFF32X4, VSHUFI64X2, CROSS, CROSS),
    /* floating point that is no FLOP, or an approximate one */
    ROOF_ROW(VCMPPD, VCMPSS, FP_COMPARE, FP_COMPARE),
    ROOF_ROW(VCOMISD, VCOMISS, FROM_VECTOR, FROM_VECTOR),
    ROOF_ROW(VCVTDQ2PD, VCVTW2PH, CONVERT, CONVERT),
    ROOF_ROW(VFIXUPIMMPD, VFIXUPIMMSS, CONVERT, CONVERT),
    ROOF_ROW(VFPCLASSPD, VFPCLASSSS, FP_COMPARE, FP_COMPARE),
    ROOF_ROW(VGETEXPPD, VGETMANTSS, CONVERT, CONVERT),
    ROOF_ROW(VMAXPD, VMAXSS, FP_COMPARE, FP_COMPARE),
    ROOF_ROW(VMINPD, VMINSS, FP_COMPARE, FP_COMPARE),
    ROOF_ROW(VRANGEPD, VRANGESS, FP_COMPARE, FP_COMPARE),
    ROOF_ROW(VRCP14PD, VRCPSS, FP_APPROXIMATE, FP_APPROXIMATE),
    ROOF_ROW(VREDUCEPD, VROUNDSS, CONVERT, CONVERT),
    ROOF_ROW(VRSQRT14PD, VRSQRTSS, FP_APPROXIMATE, FP_APPROXIMATE),
    ROOF_ROW(VSCALEFPD, VSCALEFSS, CONVERT, CONVERT),
    ROOF_ROW(VUCOMISD, VUCOMISS, FROM_VECTOR, FROM_VECTOR),
    /* integers */
    ROOF_ROW(VDBPSADBW, VDBPSADBW, VECTOR_INT_MUL, VECTOR_INT_MUL),
    ROOF_ROW(VPDPBUSD, VPDPWSSDS, VECTOR_INT_MUL, VECTOR_INT_MUL),
    ROOF_ROW(VPMADD52HUQ, VPMADDWD, VECTOR_INT_MUL, VECTOR_INT_MUL),
    ROOF_ROW(VPMULDQ, VPMULUDQ, VECTOR_INT_MUL, VECTOR_INT_MUL),
    ROOF_ROW(VPSADBW, VPSADBW, VECTOR_INT_MUL, VECTOR_INT_MUL),
    ROOF_ROW(VAESDEC, VAESENCLAST, VECTOR_OTHER, VECTOR_OTHER),
    ROOF_ROW(VGF2P8AFFINEINVQB, VGF2P8MULB, VECTOR_OTHER, VECTOR_OTHER),
    ROOF_ROW(VP2INTERSECTD, VP2INTERSECTQ, VECTOR_OTHER, VECTOR_OTHER),
    ROOF_ROW(VPCLMULQDQ, VPCLMULQDQ, VECTOR_OTHER, VECTOR_OTHER),
    ROOF_ROW(VPCONFLICTD, VPCONFLICTQ, VECTOR_OTHER, VECTOR_OTHER),
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
  return roof_latency_of_flops(counter);
}

static unsigned by_name(const struct roof_native_instruction* in) {
  for (unsigned i = 0; i < sizeof kRows / sizeof *kRows; ++i)
    if (roof_is_among(in->zydis.mnemonic, &kRows[i].names))
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
  return latency == ROOF_L_MOVE && roof_has_evex_mask(in) ? ROOF_L_VECTOR_INT
                                                          : latency; /* a blend */
}
