/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/instruction.h"

static void leave(struct roof_native_instruction* out, unsigned reason) {
  out->kind = ROOF_LEAVES;
  out->reason = (uint8_t)reason;
}

static int writes(const ZydisDecodedOperand* operand) {
  return (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
}

/* gs is taken; the other segment registers are none of a program's business either. */
static int uses_segments(const struct roof_native_instruction* in) {
  for (unsigned i = 0; i < in->zydis.operand_count; ++i) {
    const ZydisDecodedOperand* operand = &in->operands[i];
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.segment == ZYDIS_REGISTER_GS)
      return 1;
    if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
        ZydisRegisterGetClass(operand->reg.value) == ZYDIS_REGCLASS_SEGMENT &&
        (operand->reg.value == ZYDIS_REGISTER_GS || writes(operand)))
      return 1;
  }
  return in->zydis.mnemonic == ZYDIS_MNEMONIC_RDGSBASE ||
         in->zydis.mnemonic == ZYDIS_MNEMONIC_WRGSBASE;
}

/* What is not executed in translated code at all. */
static int find_reason(const struct roof_native_instruction* in, unsigned* reason) {
  *reason = ROOF_LEAVE_CONTROL;
  if (in->zydis.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED ||
      in->zydis.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
    return 1;
  switch (in->zydis.meta.category) {
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_VTX:
    case ZYDIS_CATEGORY_SGX:
    case ZYDIS_CATEGORY_UINTR:
      return 1;
    default:
      break;
  }
  switch (in->zydis.mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
    case ZYDIS_MNEMONIC_SYSENTER:
    case ZYDIS_MNEMONIC_IRET:
    case ZYDIS_MNEMONIC_IRETD:
    case ZYDIS_MNEMONIC_IRETQ:
    case ZYDIS_MNEMONIC_POPF: /* alignment checks, single steps */
    case ZYDIS_MNEMONIC_POPFQ:
      return 1;
    case ZYDIS_MNEMONIC_XBEGIN:
    case ZYDIS_MNEMONIC_XEND:
    case ZYDIS_MNEMONIC_XABORT:
      *reason = ROOF_LEAVE_TRANSACTION;
      return 1;
    case ZYDIS_MNEMONIC_RDSSPD: /* nothing happens, since there is none: roof_native_missing */
    case ZYDIS_MNEMONIC_RDSSPQ:
    case ZYDIS_MNEMONIC_ENDBR32:
    case ZYDIS_MNEMONIC_ENDBR64:
      return 0;
    default:
      break;
  }
  if (in->zydis.meta.category == ZYDIS_CATEGORY_CET) {
    *reason = ROOF_LEAVE_SHADOW_STACK;
    return 1;
  }
  *reason = ROOF_LEAVE_GS;
  /* A system call sets cs and ss, to what they were. */
  return in->kind != ROOF_SYSTEM_CALL && uses_segments(in);
}

static int is_indirect(const struct roof_native_instruction* in) {
  return in->operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

static void find_kind(struct roof_native_instruction* out) {
  const ZydisDecodedInstruction* in = &out->zydis;
  switch (in->meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
      out->kind = in->opcode_map == ZYDIS_OPCODE_MAP_0F || (in->opcode & 0xF0) == 0x70
                      ? ROOF_CONDITIONAL
                      : ROOF_BY_COUNT;
      break;
    case ZYDIS_CATEGORY_UNCOND_BR:
      out->kind = is_indirect(out) ? ROOF_INDIRECT_JUMP : ROOF_JUMP;
      break;
    case ZYDIS_CATEGORY_CALL:
      out->kind = is_indirect(out) ? ROOF_INDIRECT_CALL : ROOF_CALL;
      break;
    case ZYDIS_CATEGORY_RET:
      out->kind = ROOF_RETURN;
      break;
    case ZYDIS_CATEGORY_SYSCALL:
      out->kind = ROOF_SYSTEM_CALL;
      return;
    default:
      out->kind = ROOF_PLAIN;
      return;
  }
  /* Processors differ in what a 16-bit branch does. Where REX.W is there, too, it is none: so
   * linkers expect calls of __tls_get_addr. */
  if (in->attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE && !in->raw.rex.W)
    leave(out, ROOF_LEAVE_CONTROL);
}

static int uses_short_addresses(const struct roof_native_instruction* in) {
  return (in->zydis.attributes & ZYDIS_ATTRIB_HAS_ADDRESSSIZE) != 0;
}

/* Linkers put the prefix before direct calls and jumps, too, where they replace longer ones. */
static int is_distance_from_eip(const struct roof_native_instruction* in) {
  for (unsigned i = 0; i < in->zydis.operand_count; ++i) {
    const ZydisDecodedOperand* operand = &in->operands[i];
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.base == ZYDIS_REGISTER_EIP)
      return 1;
  }
  return 0;
}

static int is_repeated(const struct roof_native_instruction* in) {
  return (in->zydis.attributes &
          (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0;
}

void roof_native_decode(const ZydisDecoder* decoder, uint64_t pc, uint64_t size,
                        struct roof_native_instruction* out) {
  unsigned reason;
  out->pc = pc;
  out->bytes = (const uint8_t*)(uintptr_t)pc;
  out->length = 0;
  out->target = 0;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(decoder, out->bytes, size > 15 ? 15 : size, &out->zydis,
                                           out->operands))) {
    leave(out, ROOF_LEAVE_UNDECODABLE);
    return;
  }
  out->length = out->zydis.length;
  find_kind(out);
  if (out->zydis.raw.imm[0].is_relative)
    out->target = pc + out->length + (uint64_t)out->zydis.raw.imm[0].value.s;
  if (out->kind != ROOF_LEAVES && find_reason(out, &reason)) leave(out, reason);
  /* Repetitions have their counts in ecx. */
  if (uses_short_addresses(out) && (is_distance_from_eip(out) || is_repeated(out)))
    leave(out, ROOF_LEAVE_CONTROL);
  if (out->kind != ROOF_LEAVES) roof_native_find_flags(out);
}
