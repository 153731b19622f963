/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/evex_operands.h"

#include "collectors/counting/native/evex.h"

/* 0: what it holds is not followed. */
static int register_of(ZydisRegister reg, unsigned* which) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
  switch (ZydisRegisterGetClass(whole ? whole : reg)) {
    case ZYDIS_REGCLASS_GPR64:
      *which = ROOF_R_GENERAL;
      break;
    case ZYDIS_REGCLASS_ZMM:
      *which = ROOF_R_VECTOR;
      break;
    case ZYDIS_REGCLASS_MASK:
      *which = ROOF_R_MASK;
      break;
    default:
      return 0;
  }
  *which += (unsigned)ZydisRegisterGetId(whole ? whole : reg);
  return 1;
}

static int is_evex(const struct roof_native_instruction* in) {
  return in->zydis.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
}

static int works_on_masks(const struct roof_native_instruction* in) {
  static const struct roof_names kMasks = ROOF_NAMES(KADDB, KXORW);
  return roof_is_among(in->zydis.mnemonic, &kMasks);
}

/* Whether the operation reads its destination: as it does where the same bytes name no mask, which
 * stands in the last three bits of EVEX. Without a mask gathers and scatters do not exist. */
static int reads_destination(const ZydisDecoder* decoder,
                             const struct roof_native_instruction* in) {
  uint8_t bytes[ZYDIS_MAX_INSTRUCTION_LENGTH];
  ZydisDecodedInstruction other;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  for (unsigned i = 0; i < in->length; ++i) bytes[i] = in->bytes[i];
  bytes[in->zydis.raw.evex.offset + 3] &= 0xF8;
  return ZYAN_SUCCESS(ZydisDecoderDecodeFull(decoder, bytes, in->length, &other, operands)) &&
         (operands[0].actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
}

static int has(const struct roof_names* names, unsigned count, ZydisMnemonic mnemonic) {
  for (unsigned i = 0; i < count; ++i)
    if (roof_is_among(mnemonic, &names[i])) return 1;
  return 0;
}

/* Their first source is where the upper elements come from. */
static int has_one_scalar_operand(ZydisMnemonic mnemonic) {
  static const struct roof_names kNames[] = {
      ROOF_NAMES(VCVTSD2SH, VCVTSS2USI),  ROOF_NAMES(VCVTUSI2SD, VCVTUSI2SS),
      ROOF_NAMES(VGETEXPSD, VGETEXPSS),   ROOF_NAMES(VGETMANTSD, VGETMANTSS),
      ROOF_NAMES(VMOVSD, VMOVSH),         ROOF_NAMES(VMOVSS, VMOVSS),
      ROOF_NAMES(VRCP14SD, VRCP14SS),     ROOF_NAMES(VRCPSH, VRCPSS),
      ROOF_NAMES(VREDUCESD, VREDUCESS),   ROOF_NAMES(VRNDSCALESD, VRNDSCALESS),
      ROOF_NAMES(VRSQRT14SD, VRSQRT14SS), ROOF_NAMES(VRSQRTSH, VRSQRTSS),
      ROOF_NAMES(VSQRTSD, VSQRTSS)};
  return has(kNames, sizeof kNames / sizeof *kNames, mnemonic);
}

static int is_zero_of_itself(ZydisMnemonic mnemonic) {
  static const struct roof_names kNames[] = {
      ROOF_NAMES(VANDNPD, VANDNPS), ROOF_NAMES(VPANDND, VPANDNQ), ROOF_NAMES(VPSUBB, VPSUBQ),
      ROOF_NAMES(VPXORD, VPXORQ), ROOF_NAMES(VXORPD, VXORPS)};
  return has(kNames, sizeof kNames / sizeof *kNames, mnemonic);
}

/* The destination, the mask's place, two sources. */
static int is_zero_idiom(const struct roof_native_instruction* in) {
  if (!is_evex(in) || roof_has_evex_mask(in) || in->zydis.operand_count < 3) return 0;
  const ZydisDecodedOperand* source = &in->operands[in->zydis.operand_count - 2];
  return is_zero_of_itself(in->zydis.mnemonic) && source[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         source[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         source[0].reg.value == source[1].reg.value;
}

struct pass {
  const ZydisDecoder* decoder;
  const struct roof_native_instruction* in;
  struct roof_operands* out;
  int to_general, from_general;
};

static unsigned role_of(const struct pass* pass, const ZydisDecodedOperand* operand) {
  const struct roof_native_instruction* in = pass->in;
  if (operand == &in->operands[0] && roof_has_evex_mask(in))
    return reads_destination(pass->decoder, in) ? ROOF_FOR_DATA : ROOF_FOR_MERGE;
  if (operand->encoding == ZYDIS_OPERAND_ENCODING_NDSNDD &&
      has_one_scalar_operand(in->zydis.mnemonic))
    return ROOF_FOR_MERGE;
  return ROOF_FOR_DATA;
}

/* The place of a mask has k0 where there is none. */
static void add_register(struct pass* pass, const ZydisDecodedOperand* operand) {
  const struct roof_native_instruction* in = pass->in;
  const int writes = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  const int may_stay = writes && !(operand->actions & ZYDIS_OPERAND_ACTION_WRITE);
  const int clears = in->zydis.avx.mask.mode == ZYDIS_MASK_MODE_ZEROING ||
                     in->zydis.avx.mask.mode == ZYDIS_MASK_MODE_CONTROL_ZEROING;
  unsigned which;
  if (operand->encoding == ZYDIS_OPERAND_ENCODING_MASK && !roof_has_evex_mask(in)) return;
  if (!register_of(operand->reg.value, &which)) return;
  const int is_first = operand == &in->operands[0];
  const int merges = is_first && may_stay && !clears;
  if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ || merges)
    roof_add_read(pass->out, which, role_of(pass, operand));
  if (writes) roof_add_write(pass->out, which);
  if (which < ROOF_R_VECTOR) writes ? (pass->to_general = 1) : (pass->from_general = 1);
}

static void add_memory(struct pass* pass, const ZydisDecodedOperand* operand) {
  const ZydisRegister parts[] = {operand->mem.base, operand->mem.index};
  unsigned which;
  for (unsigned i = 0; i < 2; ++i)
    if (register_of(parts[i], &which)) roof_add_read(pass->out, which, ROOF_FOR_ADDRESS);
  if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) pass->out->flags |= ROOF_LOADS;
  if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) pass->out->flags |= ROOF_STORES;
  if (roof_has_evex_mask(pass->in)) pass->out->flags |= ROOF_MASKED;
}

static void add_all(struct pass* pass) {
  const struct roof_native_instruction* in = pass->in;
  for (unsigned i = 0; i < in->zydis.operand_count; ++i) {
    const ZydisDecodedOperand* operand = &in->operands[i];
    if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER) add_register(pass, operand);
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY) add_memory(pass, operand);
  }
  const ZydisAccessedFlags* flags = in->zydis.cpu_flags;
  if (flags && (flags->modified | flags->set_0 | flags->set_1)) {
    roof_add_write(pass->out, ROOF_R_CARRY);
    roof_add_write(pass->out, ROOF_R_FLAGS);
  }
}

int roof_native_find_evex_operands(const ZydisDecoder* decoder,
                                   const struct roof_native_instruction* in,
                                   struct roof_operands* out) {
  static const struct roof_operands kNone;
  struct pass pass = {decoder, in, out, 0, 0};
  unsigned which;
  *out = kNone;
  if (!is_evex(in) && !works_on_masks(in)) return 0;
  if (is_zero_idiom(in)) {
    if (register_of(in->operands[0].reg.value, &which)) roof_add_write(out, which);
    return 1;
  }
  add_all(&pass);
  out->latency = (uint8_t)roof_native_evex_latency(in, pass.to_general, pass.from_general);
  return 1;
}
