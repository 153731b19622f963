/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the decoder: which operands the vector instructions have, and what kind of work they
 * do. Opcode maps: Intel SDM volume 2, appendix A; FMA4: AMD64 APM volume 6. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DECODER_VECTOR_FORMS_H_
#define ROOFMARK_COLLECTORS_COUNTING_DECODER_VECTOR_FORMS_H_

/* Two letters per opcode: the form of its operands, and the kind of its work. Rows are the opcode's
 * high digit. `.` is no vector instruction.
 *
 * Forms (reg and rm of modrm; merging: what legacy SSE keeps of reg and VEX takes from vvvv):
 *   b  reg = reg op rm; VEX: vvvv op rm       u  reg = f(rm)         n  reg = f(rm), merging
 *   t  reg = f(reg, vvvv, rm)                 s  rm = f(reg)         c  flags = reg compared with
 * rm U  u, or n for scalars (F3, F2)           4  reg = f(vvvv, rm, register in the immediate) B as
 * b and xmm0                          S  rm, or vvvv of VEX = rm shifted by an immediate R  general
 * reg = f(rm)                    D  reg = general rm    N  reg = f(general rm), merging P  general
 * rm = f(reg)                    I, O  convert from and to general or MMX registers M  scalar and
 * packed movups, movss        H  movlps, movhps and what shares their opcodes E, Q  movd and the
 * movq of many kinds     z  emms, vzeroupper    K  maskmovdqu L, T  masked load and store G  gather
 * C  pcmpistri and its kin
 *
 * Kinds: f FLOPs; v moves; i integers and logic; m their multiplication; s shuffles; x shuffles
 * across lanes; w across lanes where there are two; c converts; g between kinds of registers;
 * p compares, min, max; q others. */
static const char kForms0F[16][48] = {
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* 0 */
    "Mv Mv Hs sv bs bs Hs sv .  .  .  .  .  .  .  . ", /* 1: mov, unpck */
    ".  .  .  .  .  .  .  .  uv sv Ic sv Oc Oc cg cg", /* 2: movaps, cvt, comis */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* 3 */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* 4 */
    "Rg Uf Uf Uf bi bi bi bi bf bf Uc uc bf bp bf bp", /* 5: movmsk, sqrt, logic, add, mul, cvt */
    "bs bs bs bs bi bi bi bs bs bs bs bs bs bs Dg uv", /* 6: packs, unpck; movd, movdqa */
    "us Si Si Si bi bi bi zv .  .  .  .  bf bf Eg sv", /* 7: shuffles, shifts; hadd; movq, movdqa */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* 8 */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* 9 */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* A */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* B */
    ".  .  bp .  Ng Rg bs .  .  .  .  .  .  .  .  . ", /* C: cmp, pinsrw, pextrw, shufps */
    "bf bi bi bi bi bm Qv Rg bi bi bi bi bi bi bi bi", /* D: addsub; D6 movq */
    "bi bi bi bi bm bm uc sv bi bi bi bi bi bi bi bi", /* E: E6 cvt; E7 movntdq */
    "uv bi bi bi bm bm bm Kv bi bi bi bi bi bi bi . ", /* F: F0 lddqu, F7 maskmov */
};
static const char kForms0F38[16][48] = {
    "bs bi bi bi bm bi bi bi bi bi bi bm bs bs cg cg", /* 0: pshufb, phadd; vpermilps, vtestps */
    "Bi .  .  uc Bi Bi bx cg uw uw uw .  ui ui ui . ", /* 1: blendv, vcvtph2ps, ptest, broadcast,
                                                          pabs */
    "uw uw uw uw uw uw .  .  bm bi uv bs Lv Lv Tv Tv", /* 2: pmovsx; 2A movntdqa, 2C vmaskmov */
    "uw uw uw uw uw uw bx bi bi bi bi bi bi bi bi bi", /* 3: pmovzx, pmin, pmax */
    "bm uq .  .  .  bi bi bi .  .  .  .  .  .  .  . ", /* 4: pmulld, variable shifts */
    "tm tm tm tm .  .  .  .  uw uw uw .  .  .  .  . ", /* 5: vpdp, vpbroadcast */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* 6 */
    ".  .  .  .  .  .  .  .  uw uw .  .  .  .  .  . ", /* 7: vpbroadcast */
    ".  .  .  .  .  .  .  .  .  .  .  .  Lv .  Tv . ", /* 8: vpmaskmov */
    "Gv Gv Gv Gv .  .  tf tf tf tf tf tf tf tf tf tf", /* 9: gathers; fused multiply-add */
    ".  .  .  .  .  .  tf tf tf tf tf tf tf tf tf tf", /* A */
    ".  .  .  .  tm tm tf tf tf tf tf tf tf tf tf tf", /* B */
    ".  .  .  .  .  .  .  .  bq bq bq Bq bq bq .  bq", /* C: sha */
    ".  .  .  .  .  .  .  .  .  .  .  uq bq bq bq bq", /* D: aes */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* E */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* F */
};
static const char kForms0F3A[16][48] = {
    "ux ux bi .  us us bx .  uc uc nc nc bi bi bi bs", /* 0: vperm, round, blend, palignr */
    ".  .  .  .  Pg Pg Pg Pg bx sx .  .  .  sc .  . ", /* 1: pextr, vinsertf128, vextractf128,
                                                          vcvtps2ph */
    "Ng bs Ng .  .  .  .  .  .  .  .  .  .  .  .  . ", /* 2: pinsr, insertps */
    ".  .  .  .  .  .  .  .  bx sx .  .  .  .  .  . ", /* 3: vinserti128, vextracti128 */
    "bf bf bm .  bq .  bx .  .  .  4i 4i 4i .  .  . ", /* 4: dpps, mpsadbw, pclmul, vperm2i128,
                                                          vblendv */
    ".  .  .  .  .  .  .  .  .  .  .  .  4f 4f 4f 4f", /* 5: FMA4 */
    "Cq Cq Cq Cq .  .  .  .  4f 4f 4f 4f 4f 4f 4f 4f", /* 6: pcmpstr; FMA4 */
    ".  .  .  .  .  .  .  .  4f 4f 4f 4f 4f 4f 4f 4f", /* 7: FMA4 */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* 8 */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* 9 */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* A */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* B */
    ".  .  .  .  .  .  .  .  .  .  .  .  bq .  bq bq", /* C: sha, gf2p8 */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  uq", /* D: aeskeygen */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* E */
    ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . ", /* F */
};

#endif /* ROOFMARK_COLLECTORS_COUNTING_DECODER_VECTOR_FORMS_H_ */
