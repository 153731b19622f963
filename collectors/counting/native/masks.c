/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which lanes of an operand in memory a mask selects. */
#include "collectors/counting/native/meaning.h"

static int is_evex(const struct roof_native_instruction* in) {
  return in->zydis.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
}

static unsigned vector_bits(const struct roof_native_instruction* in) {
  return in->zydis.avx.vector_length;
}

/* Lanes of a gather or scatter: as many as fit with the wider one of element and index. */
static unsigned lanes_of_gather(const struct roof_native_instruction* in, unsigned* element) {
  unsigned index = 32;
  switch (in->zydis.mnemonic) {
    case ZYDIS_MNEMONIC_VGATHERQPS:
    case ZYDIS_MNEMONIC_VPGATHERQD:
    case ZYDIS_MNEMONIC_VSCATTERQPS:
    case ZYDIS_MNEMONIC_VPSCATTERQD:
      index = 64;
      *element = 32;
      break;
    case ZYDIS_MNEMONIC_VGATHERDPS:
    case ZYDIS_MNEMONIC_VPGATHERDD:
    case ZYDIS_MNEMONIC_VSCATTERDPS:
    case ZYDIS_MNEMONIC_VPSCATTERDD:
      *element = 32;
      break;
    default:
      *element = 64;
      break;
  }
  return vector_bits(in) / (index > *element ? index : *element);
}

/* Lanes that the mask of an EVEX instruction has a bit for. */
static unsigned lanes_of_mask(const struct roof_native_instruction* in,
                              const ZydisDecodedOperand* memory) {
  const ZydisDecodedOperand* first = &in->operands[0];
  if (memory->element_count == 1) return 1;
  if (first->type == ZYDIS_OPERAND_TYPE_MEMORY) return memory->element_count;
  if (first->type == ZYDIS_OPERAND_TYPE_REGISTER &&
      ZydisRegisterGetClass(first->reg.value) != ZYDIS_REGCLASS_MASK)
    return first->element_count;
  return memory->element_count;
}

static void vary_by_register(struct roof_native_varying* varying, ZydisRegister reg,
                             unsigned element, unsigned lanes) {
  varying->kind = element == 32 ? ROOF_BY_SIGNS_PS : ROOF_BY_SIGNS_PD;
  varying->reg = (uint8_t)ZydisRegisterGetId(reg);
  varying->wide = ZydisRegisterGetClass(reg) == ZYDIS_REGCLASS_YMM;
  varying->lanes = (uint8_t)lanes;
}

unsigned roof_native_find_mask(const struct roof_native_instruction* in,
                               const ZydisDecodedOperand* memory,
                               struct roof_native_varying* varying) {
  unsigned element = 0, lanes = 0;
  switch (in->zydis.mnemonic) {
    case ZYDIS_MNEMONIC_VMASKMOVPS:
    case ZYDIS_MNEMONIC_VPMASKMOVD:
      vary_by_register(varying, in->operands[1].reg.value, 32, vector_bits(in) / 32);
      return 4;
    case ZYDIS_MNEMONIC_VMASKMOVPD:
    case ZYDIS_MNEMONIC_VPMASKMOVQ:
      vary_by_register(varying, in->operands[1].reg.value, 64, vector_bits(in) / 64);
      return 8;
    default:
      break;
  }
  if (memory->mem.type == ZYDIS_MEMOP_TYPE_VSIB) {
    lanes = lanes_of_gather(in, &element);
    if (!is_evex(in)) {
      vary_by_register(varying, in->operands[2].reg.value, element, lanes);
      return element / 8;
    }
  } else {
    /* An element that is broadcast is read once. */
    if (!is_evex(in) || in->zydis.avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID) return 0;
    lanes = lanes_of_mask(in, memory);
    element = lanes ? memory->size / lanes : 0;
  }
  if (in->zydis.avx.mask.reg <= ZYDIS_REGISTER_K0 || lanes == 0 || element % 8 != 0) return 0;
  varying->kind = ROOF_BY_MASK;
  varying->reg = (uint8_t)(in->zydis.avx.mask.reg - ZYDIS_REGISTER_K0);
  varying->lanes = (uint8_t)lanes;
  return element / 8;
}
