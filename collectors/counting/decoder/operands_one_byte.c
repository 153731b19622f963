/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Instructions of one opcode byte. Opcode map: Intel SDM volume 2, table A-2. */
#include "collectors/counting/decoder/operand_pass.h"

/* xor and sub of a register with itself, at least 32 bits of it. */
static int is_zero_idiom(const struct roof_instruction* in, unsigned operation, unsigned bytes) {
  return (operation == 5 || operation == 6) && bytes >= 4 && roof_is_register_form(in) &&
         roof_reg(in) == roof_rm(in);
}

/* add or adc sbb and sub xor cmp. */
static void arithmetic_flags(struct roof_operand_pass* pass, unsigned operation) {
  if (operation == 2 || operation == 3) roof_add_read(pass->out, ROOF_R_CARRY, ROOF_FOR_DATA);
  roof_write_all_flags(pass);
}

/* 00 to 3F: columns 0, 1: rm op= reg; 2, 3: reg op= rm; 4, 5: rax op= immediate. */
static int arithmetic(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  const unsigned operation = in->opcode >> 3, column = in->opcode & 7;
  const unsigned bytes = roof_bytes_by_opcode(in);
  const int writes = operation != 7;
  if (column >= 6) return 0;
  pass->out->latency = ROOF_L_INT;
  if (column < 4 && is_zero_idiom(in, operation, bytes)) {
    pass->out->latency = ROOF_L_NONE;
    roof_write_rm(pass, bytes);
    roof_write_all_flags(pass);
    return 1;
  }
  if (column >= 4) {
    roof_read_general(pass, ROOF_RAX, bytes, ROOF_FOR_DATA);
    if (writes) roof_write_general(pass, ROOF_RAX, bytes);
  } else {
    roof_read_rm(pass, bytes);
    roof_read_general(pass, roof_reg(in), bytes, ROOF_FOR_DATA);
    if (writes && column < 2) roof_write_rm(pass, bytes);
    if (writes && column >= 2) roof_write_general(pass, roof_reg(in), bytes);
  }
  arithmetic_flags(pass, operation);
  return 1;
}

/* 80, 81, 83. */
static int arithmetic_immediate(struct roof_operand_pass* pass) {
  const unsigned bytes = roof_bytes_by_opcode(&pass->in);
  pass->out->latency = ROOF_L_INT;
  roof_read_rm(pass, bytes);
  if (roof_extension(&pass->in) != 7) roof_write_rm(pass, bytes);
  arithmetic_flags(pass, roof_extension(&pass->in));
  return 1;
}

/* rol ror rcl rcr shl shr sal sar; D2, D3 by cl. Rotates leave all flags but CF alone, and OF,
 * which is not worth a dependence. */
static int shift(struct roof_operand_pass* pass) {
  const unsigned bytes = roof_bytes_by_opcode(&pass->in), operation = roof_extension(&pass->in);
  pass->out->latency = ROOF_L_INT;
  roof_read_rm(pass, bytes);
  if (pass->in.opcode >= 0xD2) roof_add_read(pass->out, ROOF_R_GENERAL + ROOF_RCX, ROOF_FOR_DATA);
  if (operation == 2 || operation == 3) roof_add_read(pass->out, ROOF_R_CARRY, ROOF_FOR_DATA);
  roof_write_rm(pass, bytes);
  roof_add_write(pass->out, ROOF_R_CARRY);
  if (operation >= 4) roof_add_write(pass->out, ROOF_R_FLAGS);
  return 1;
}

/* rax by the operand; the high half is in rdx, or in ah for bytes. */
static void multiply_or_divide(struct roof_operand_pass* pass, unsigned bytes, int divide) {
  roof_read_rm(pass, bytes);
  roof_read_general(pass, ROOF_RAX, bytes, ROOF_FOR_DATA);
  if (divide && bytes > 1) roof_read_general(pass, ROOF_RDX, bytes, ROOF_FOR_DATA);
  roof_write_general(pass, ROOF_RAX, bytes);
  if (bytes > 1) roof_write_general(pass, ROOF_RDX, bytes);
  pass->out->latency = ROOF_L_INT_MUL;
  if (divide) pass->out->latency = bytes == 8 ? ROOF_L_INT_DIV_64 : ROOF_L_INT_DIV_32;
  if (!divide) roof_write_all_flags(pass);
}

/* F6, F7: test test not neg mul imul div idiv. */
static int group_3(struct roof_operand_pass* pass) {
  const unsigned bytes = roof_bytes_by_opcode(&pass->in), operation = roof_extension(&pass->in);
  if (operation >= 4) {
    multiply_or_divide(pass, bytes, operation >= 6);
    return 1;
  }
  pass->out->latency = ROOF_L_INT;
  roof_read_rm(pass, bytes);
  if (operation >= 2) roof_write_rm(pass, bytes);
  if (operation != 2) roof_write_all_flags(pass);
  return 1;
}

/* FE, FF: inc dec call call jmp jmp push. */
static int group_5(struct roof_operand_pass* pass) {
  const unsigned bytes = roof_bytes_by_opcode(&pass->in), operation = roof_extension(&pass->in);
  if (operation < 2) {
    pass->out->latency = ROOF_L_INT;
    roof_read_rm(pass, bytes);
    roof_write_rm(pass, bytes);
    roof_add_write(pass->out, ROOF_R_FLAGS);
    return 1;
  }
  if (bytes == 1 || operation == 3 || operation == 5 || operation == 7) return 0; /* far */
  roof_read_rm(pass, 8);
  if (operation != 4) roof_use_stack(pass, ROOF_STORES);
  if (operation != 6) pass->out->flags |= ROOF_INDIRECT;
  return 1;
}

/* 88 to 8B, C6, C7. */
static int move(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  const unsigned bytes = roof_bytes_by_opcode(in);
  const int whole = roof_is_register_form(in) && bytes >= 4;
  if (in->opcode >= 0xC6) {
    if (roof_extension(in) != 0) return 0;
    pass->out->latency = roof_is_register_form(in) ? ROOF_L_INT : ROOF_L_NONE;
    roof_write_rm(pass, bytes);
    return 1;
  }
  pass->out->latency = whole ? ROOF_L_MOVE : roof_is_register_form(in) ? ROOF_L_INT : ROOF_L_NONE;
  if (in->opcode & 2) {
    roof_read_rm(pass, bytes);
    roof_write_general(pass, roof_reg(in), bytes);
  } else {
    roof_read_general(pass, roof_reg(in), bytes, ROOF_FOR_DATA);
    roof_write_rm(pass, bytes);
  }
  return 1;
}

static void swap_whole(struct roof_operand_pass* pass, unsigned bytes) {
  if (bytes >= 4 && pass->out->reads == 2 && pass->out->writes == 2) pass->out->flags |= ROOF_SWAPS;
}

/* 86, 87: with memory it is locked, and reads and writes there. */
static int exchange(struct roof_operand_pass* pass) {
  const unsigned bytes = roof_bytes_by_opcode(&pass->in);
  pass->out->latency = ROOF_L_INT;
  roof_read_rm(pass, bytes);
  roof_read_general(pass, roof_reg(&pass->in), bytes, ROOF_FOR_DATA);
  roof_write_rm(pass, bytes);
  roof_write_general(pass, roof_reg(&pass->in), bytes);
  if (roof_is_register_form(&pass->in)) {
    swap_whole(pass, bytes);
  } else {
    pass->out->flags |= ROOF_LOCKED;
  }
  return 1;
}

/* 90 to 97: with rax. */
static int exchange_rax(struct roof_operand_pass* pass) {
  const unsigned bytes = roof_operand_bytes(&pass->in), other = roof_in_opcode(&pass->in);
  if (other == ROOF_RAX) return 1;                                     /* nop */
  if (pass->in.opcode == 0x90 && pass->in.prefix == ROOF_F3) return 1; /* pause */
  pass->out->latency = ROOF_L_INT;
  roof_read_general(pass, ROOF_RAX, bytes, ROOF_FOR_DATA);
  roof_read_general(pass, other, bytes, ROOF_FOR_DATA);
  roof_write_general(pass, ROOF_RAX, bytes);
  roof_write_general(pass, other, bytes);
  swap_whole(pass, bytes);
  return 1;
}

static void step(struct roof_operand_pass* pass, unsigned pointer) {
  roof_add_read(pass->out, ROOF_R_GENERAL + pointer, ROOF_FOR_ADDRESS);
  roof_add_write(pass->out, ROOF_R_GENERAL + pointer);
}

/* A4 movs, A6 cmps, AA stos, AC lods, AE scas. Their pointers advance with the direction flag,
 * which is not followed. */
static int string(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  const unsigned bytes = roof_bytes_by_opcode(in), kind = in->opcode & 0xFE;
  struct roof_operands* out = pass->out;
  out->latency = ROOF_L_INT;
  if (kind == 0xA4 || kind == 0xA6 || kind == 0xAC) step(pass, ROOF_RSI);
  if (kind != 0xAC) step(pass, ROOF_RDI);
  if (kind == 0xAA || kind == 0xAE) roof_read_general(pass, ROOF_RAX, bytes, ROOF_FOR_DATA);
  if (kind == 0xAC) roof_write_general(pass, ROOF_RAX, bytes);
  if (kind != 0xAA) out->flags |= ROOF_LOADS;
  if (kind == 0xA4 || kind == 0xAA) out->flags |= ROOF_STORES;
  if (kind == 0xA6 || kind == 0xAE) roof_write_all_flags(pass);
  if (in->prefix >= ROOF_F3) {
    out->flags |= ROOF_MASKED; /* lods may not take place, either */
    if (kind == 0xAC) roof_add_read(out, ROOF_R_GENERAL + ROOF_RAX, ROOF_FOR_DATA);
    roof_add_read(out, ROOF_R_GENERAL + ROOF_RCX, ROOF_FOR_DATA);
    roof_add_write(out, ROOF_R_GENERAL + ROOF_RCX);
  }
  return 1;
}

/* Where the columns of a row have nothing in common. */
static int others(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  const unsigned bytes = roof_operand_bytes(in);
  struct roof_operands* out = pass->out;
  out->latency = ROOF_L_INT;
  switch (in->opcode) {
    case 0x63: /* movsxd */
      roof_read_rm(pass, 4);
      roof_write_general(pass, roof_reg(in), bytes);
      if (!roof_is_register_form(in)) out->latency = ROOF_L_NONE;
      return 1;
    case 0x69: /* imul by an immediate */
    case 0x6B:
      out->latency = ROOF_L_INT_MUL;
      roof_read_rm(pass, bytes);
      roof_write_general(pass, roof_reg(in), bytes);
      roof_write_all_flags(pass);
      return 1;
    case 0x84: /* test */
    case 0x85:
      roof_read_rm(pass, roof_bytes_by_opcode(in));
      roof_read_general(pass, roof_reg(in), roof_bytes_by_opcode(in), ROOF_FOR_DATA);
      roof_write_all_flags(pass);
      return 1;
    case 0x8D: /* lea computes with what others load from */
      if (roof_is_register_form(in)) return 0;
      roof_add_address(pass, ROOF_R_GENERAL, ROOF_FOR_DATA);
      roof_write_general(pass, roof_reg(in), bytes);
      return 1;
    case 0x98: /* cbw, cwde, cdqe */
      roof_read_general(pass, ROOF_RAX, bytes / 2, ROOF_FOR_DATA);
      roof_write_general(pass, ROOF_RAX, bytes);
      return 1;
    case 0x99: /* cwd, cdq, cqo */
      roof_read_general(pass, ROOF_RAX, bytes, ROOF_FOR_DATA);
      roof_write_general(pass, ROOF_RDX, bytes);
      return 1;
    case 0x9E: /* sahf writes all flags but OF, which is one with them */
      roof_add_read(out, ROOF_R_GENERAL + ROOF_RAX, ROOF_FOR_DATA);
      roof_write_all_flags(pass);
      return 1;
    case 0x9F: /* lahf */
      roof_add_read(out, ROOF_R_CARRY, ROOF_FOR_DATA);
      roof_add_read(out, ROOF_R_FLAGS, ROOF_FOR_DATA);
      roof_write_general(pass, ROOF_RAX, 2);
      return 1;
    case 0xA0: /* mov between rax and an address in the instruction */
    case 0xA1:
    case 0xA2:
    case 0xA3:
      out->latency = ROOF_L_NONE;
      if (in->opcode & 2) {
        roof_read_general(pass, ROOF_RAX, roof_bytes_by_opcode(in), ROOF_FOR_DATA);
      } else {
        roof_write_general(pass, ROOF_RAX, roof_bytes_by_opcode(in));
      }
      out->flags |= in->opcode & 2 ? ROOF_STORES : ROOF_LOADS;
      return 1;
    case 0xA8: /* test */
    case 0xA9:
      roof_read_general(pass, ROOF_RAX, roof_bytes_by_opcode(in), ROOF_FOR_DATA);
      roof_write_all_flags(pass);
      return 1;
    case 0xC9: /* leave: rsp = rbp, pop rbp */
      out->latency = ROOF_L_NONE;
      roof_add_read(out, ROOF_R_GENERAL + ROOF_RBP, ROOF_FOR_ADDRESS);
      roof_add_write(out, ROOF_R_RSP);
      roof_add_write(out, ROOF_R_GENERAL + ROOF_RBP);
      out->flags |= ROOF_LOADS | ROOF_MOVES_STACK;
      return 1;
    case 0xF5: /* cmc */
      roof_add_read(out, ROOF_R_CARRY, ROOF_FOR_DATA);
      roof_add_write(out, ROOF_R_CARRY);
      return 1;
    case 0xF8: /* clc, stc */
    case 0xF9:
      roof_add_write(out, ROOF_R_CARRY);
      return 1;
    case 0x9B: /* fwait */
      out->latency = ROOF_L_NONE;
      return 1;
    case 0xFC: /* cld, std */
    case 0xFD:
      return 1;
    default:
      return 0;
  }
}

static int stack_or_jump(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  if (in->opcode >= 0x50 && in->opcode <= 0x57) {
    roof_add_read(pass->out, ROOF_R_GENERAL + roof_in_opcode(in), ROOF_FOR_DATA);
    roof_use_stack(pass, ROOF_STORES);
    return 1;
  }
  if (in->opcode >= 0x58 && in->opcode <= 0x5F) {
    roof_use_stack(pass, ROOF_LOADS);
    roof_write_general(pass, roof_in_opcode(in), in->word && !in->rex_w ? 2 : 8);
    return 1;
  }
  if ((in->opcode & 0xF0) == 0x70) {
    roof_branch_by_condition(pass);
    return 1;
  }
  switch (in->opcode) {
    case 0x68: /* push of an immediate */
    case 0x6A:
    case 0xE8: /* call */
      roof_use_stack(pass, ROOF_STORES);
      return 1;
    case 0x8F: /* pop to an operand */
      if (roof_extension(in) != 0) return 0;
      roof_use_stack(pass, ROOF_LOADS);
      roof_write_rm(pass, in->word && !in->rex_w ? 2 : 8);
      return 1;
    case 0x9C: /* pushf */
      roof_add_read(pass->out, ROOF_R_CARRY, ROOF_FOR_DATA);
      roof_add_read(pass->out, ROOF_R_FLAGS, ROOF_FOR_DATA);
      roof_use_stack(pass, ROOF_STORES);
      return 1;
    case 0x9D: /* popf */
      roof_use_stack(pass, ROOF_LOADS);
      roof_write_all_flags(pass);
      return 1;
    case 0xC2: /* ret */
    case 0xC3:
      roof_use_stack(pass, ROOF_LOADS);
      return 1;
    case 0xE0: /* loopne, loope, loop */
    case 0xE1:
    case 0xE2:
      if (in->opcode != 0xE2) roof_add_read(pass->out, ROOF_R_FLAGS, ROOF_FOR_DATA);
      roof_add_write(pass->out, ROOF_R_GENERAL + ROOF_RCX);
      pass->out->latency = ROOF_L_INT;
      roof_add_read(pass->out, ROOF_R_GENERAL + ROOF_RCX, ROOF_FOR_DATA);
      pass->out->flags |= ROOF_BRANCHES;
      return 1;
    case 0xE3: /* jrcxz */
      roof_add_read(pass->out, ROOF_R_GENERAL + ROOF_RCX, ROOF_FOR_DATA);
      pass->out->flags |= ROOF_BRANCHES;
      return 1;
    case 0xE9: /* jmp */
    case 0xEB:
      return 1;
    default:
      return 0;
  }
}

int roof_one_byte_operands(struct roof_operand_pass* pass) {
  const unsigned opcode = pass->in.opcode;
  if (opcode < 0x40) return arithmetic(pass);
  if (opcode == 0x80 || opcode == 0x81 || opcode == 0x83) return arithmetic_immediate(pass);
  if (opcode == 0x86 || opcode == 0x87) return exchange(pass);
  if ((opcode >= 0x88 && opcode <= 0x8B) || opcode == 0xC6 || opcode == 0xC7) return move(pass);
  if (opcode >= 0x90 && opcode <= 0x97) return exchange_rax(pass);
  if ((opcode >= 0xA4 && opcode <= 0xA7) || (opcode >= 0xAA && opcode <= 0xAF)) return string(pass);
  if (opcode >= 0xB0 && opcode <= 0xBF) { /* an immediate: no operation to wait for */
    roof_write_general(pass, roof_in_opcode(&pass->in),
                       opcode < 0xB8 ? 1 : roof_operand_bytes(&pass->in));
    return 1;
  }
  if (opcode == 0xC0 || opcode == 0xC1 || (opcode >= 0xD0 && opcode <= 0xD3)) return shift(pass);
  if (opcode == 0xF6 || opcode == 0xF7) return group_3(pass);
  if (opcode == 0xFE || opcode == 0xFF) return group_5(pass);
  return stack_or_jump(pass) || others(pass);
}
