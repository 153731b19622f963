/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Only a few instructions are trusted to write flags in any case: a shift by a register leaves all
 * of them alone if that is zero, and what the manuals call undefined may be what was there. */
#include "collectors/counting/native/instruction.h"

static unsigned from_zydis(ZyanU32 mask) {
  unsigned flags = 0;
  if (mask & ZYDIS_CPUFLAG_CF) flags |= ROOF_CF;
  if (mask & ZYDIS_CPUFLAG_PF) flags |= ROOF_PF;
  if (mask & ZYDIS_CPUFLAG_AF) flags |= ROOF_AF;
  if (mask & ZYDIS_CPUFLAG_ZF) flags |= ROOF_ZF;
  if (mask & ZYDIS_CPUFLAG_SF) flags |= ROOF_SF;
  if (mask & ZYDIS_CPUFLAG_OF) flags |= ROOF_OF;
  return flags;
}

static unsigned killed_by(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_ADC:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_SBB:
    case ZYDIS_MNEMONIC_CMP:
    case ZYDIS_MNEMONIC_NEG:
    case ZYDIS_MNEMONIC_AND: /* AF becomes 0 */
    case ZYDIS_MNEMONIC_OR:
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_TEST:
    case ZYDIS_MNEMONIC_COMISD:
    case ZYDIS_MNEMONIC_COMISS:
    case ZYDIS_MNEMONIC_UCOMISD:
    case ZYDIS_MNEMONIC_UCOMISS:
    case ZYDIS_MNEMONIC_VCOMISD:
    case ZYDIS_MNEMONIC_VCOMISS:
    case ZYDIS_MNEMONIC_VUCOMISD:
    case ZYDIS_MNEMONIC_VUCOMISS:
    case ZYDIS_MNEMONIC_PTEST:
    case ZYDIS_MNEMONIC_VPTEST:
      return ROOF_ALL_FLAGS;
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC:
      return ROOF_ALL_FLAGS & ~(unsigned)ROOF_CF;
    default:
      return 0;
  }
}

void roof_native_find_flags(struct roof_native_instruction* in) {
  in->flags_read = 0;
  if (in->zydis.cpu_flags) in->flags_read = (uint8_t)from_zydis(in->zydis.cpu_flags->tested);
  /* r11 gets the flags. */
  if (in->kind == ROOF_SYSTEM_CALL) in->flags_read = ROOF_ALL_FLAGS;
  in->flags_killed = (uint8_t)killed_by(in->zydis.mnemonic);
}

void roof_native_find_live_flags(struct roof_native_instruction* instructions, unsigned count) {
  unsigned live = ROOF_ALL_FLAGS;
  for (unsigned i = count; i-- > 0;) {
    live = (live & ~(unsigned)instructions[i].flags_killed) | instructions[i].flags_read;
    instructions[i].flags_live = (uint8_t)live;
  }
}
