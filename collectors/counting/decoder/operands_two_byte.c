/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Instructions on general registers in the maps 0F, 0F38 and 0F3A. Opcode maps: Intel SDM volume 2,
 * tables. */
#include "collectors/counting/decoder/operand_pass.h"

/* bt bts btr btc, by `operation`, of rm by a register or an immediate; with memory and a register
 * the bit may be far away from the address. */
static void bit_test(struct roof_operand_pass* pass, unsigned operation) {
  const unsigned bytes = roof_operand_bytes(&pass->in);
  roof_read_rm(pass, bytes);
  if (operation) roof_write_rm(pass, bytes);
  roof_add_write(pass->out, ROOF_R_CARRY);
}

/* shld, shrd; odd: by cl. */
static void double_shift(struct roof_operand_pass* pass) {
  const unsigned bytes = roof_operand_bytes(&pass->in);
  roof_read_rm(pass, bytes);
  roof_read_general(pass, roof_reg(&pass->in), bytes, ROOF_FOR_DATA);
  if (pass->in.opcode & 1) roof_add_read(pass->out, ROOF_R_GENERAL + ROOF_RCX, ROOF_FOR_DATA);
  roof_write_rm(pass, bytes);
  roof_write_all_flags(pass);
}

/* reg = f(rm), flags: imul reads reg as well. */
static void to_register(struct roof_operand_pass* pass, unsigned from_bytes, int reads, int carry,
                        int flags) {
  const unsigned bytes = roof_operand_bytes(&pass->in);
  roof_read_rm(pass, from_bytes);
  if (reads) roof_read_general(pass, roof_reg(&pass->in), bytes, ROOF_FOR_DATA);
  roof_write_general(pass, roof_reg(&pass->in), bytes);
  if (carry) roof_add_write(pass->out, ROOF_R_CARRY);
  if (flags) roof_add_write(pass->out, ROOF_R_FLAGS);
}

static void compare_and_exchange(struct roof_operand_pass* pass) {
  const unsigned bytes = roof_bytes_by_opcode(&pass->in);
  roof_read_rm(pass, bytes);
  roof_read_general(pass, ROOF_RAX, bytes, ROOF_FOR_DATA);
  roof_read_general(pass, roof_reg(&pass->in), bytes, ROOF_FOR_DATA);
  roof_write_rm(pass, bytes);
  roof_write_general(pass, ROOF_RAX, bytes);
  roof_write_all_flags(pass);
}

static void exchange_and_add(struct roof_operand_pass* pass) {
  const unsigned bytes = roof_bytes_by_opcode(&pass->in);
  roof_read_rm(pass, bytes);
  roof_read_general(pass, roof_reg(&pass->in), bytes, ROOF_FOR_DATA);
  roof_write_rm(pass, bytes);
  roof_write_general(pass, roof_reg(&pass->in), bytes);
  roof_write_all_flags(pass);
}

/* C7: cmpxchg8b, cmpxchg16b; the rest is random numbers and states. */
static int group_9(struct roof_operand_pass* pass) {
  static const uint8_t kUsed[] = {ROOF_RAX, ROOF_RDX, ROOF_RBX, ROOF_RCX};
  if (roof_extension(&pass->in) != 1 || roof_is_register_form(&pass->in)) return 0;
  roof_load(pass);
  roof_store(pass);
  for (unsigned i = 0; i < 4; ++i)
    roof_add_read(pass->out, ROOF_R_GENERAL + kUsed[i], ROOF_FOR_DATA);
  roof_add_write(pass->out, ROOF_R_GENERAL + ROOF_RAX);
  roof_add_write(pass->out, ROOF_R_GENERAL + ROOF_RDX);
  roof_add_write(pass->out, ROOF_R_FLAGS);
  return 1;
}

/* AE: ldmxcsr, stmxcsr, fences, clflush; states are not known. */
static int group_15(struct roof_operand_pass* pass) {
  const unsigned operation = roof_extension(&pass->in);
  pass->out->latency = ROOF_L_NONE;
  if (roof_is_register_form(&pass->in)) return pass->in.prefix == ROOF_NP && operation >= 5;
  if (pass->in.prefix != ROOF_NP) return 0;
  if (operation == 2) roof_load(pass);
  if (operation == 3) roof_store(pass);
  return operation == 2 || operation == 3;
}

static int by_opcode(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  const unsigned bytes = roof_operand_bytes(in);
  switch (in->opcode) {
    case 0xA3: /* bt bts btr btc by a register */
    case 0xAB:
    case 0xB3:
    case 0xBB:
      roof_read_general(pass, roof_reg(in), bytes, ROOF_FOR_DATA);
      bit_test(pass, in->opcode >> 3 & 3);
      return 1;
    case 0xBA:
      if (roof_extension(in) < 4) return 0;
      bit_test(pass, roof_extension(in) & 3);
      return 1;
    case 0xA4:
    case 0xA5:
    case 0xAC:
    case 0xAD:
      double_shift(pass);
      return 1;
    case 0xAE:
      return group_15(pass);
    case 0xAF:
      pass->out->latency = ROOF_L_INT_MUL;
      to_register(pass, bytes, 1, 1, 1);
      return 1;
    case 0xB0:
    case 0xB1:
      compare_and_exchange(pass);
      return 1;
    case 0xB6: /* movzx, movsx */
    case 0xB7:
    case 0xBE:
    case 0xBF:
      if (!roof_is_register_form(in)) pass->out->latency = ROOF_L_NONE;
      to_register(pass, in->opcode & 1 ? 2 : 1, 0, 0, 0);
      return 1;
    case 0xB8: /* popcnt */
      if (in->prefix != ROOF_F3) return 0;
      to_register(pass, bytes, 0, 1, 1);
      return 1;
    case 0xBC: /* bsf, bsr keep the register where the operand is 0; tzcnt, lzcnt do not */
    case 0xBD:
      to_register(pass, bytes, in->prefix != ROOF_F3, in->prefix == ROOF_F3, 1);
      return 1;
    case 0xC0:
    case 0xC1:
      exchange_and_add(pass);
      return 1;
    case 0xC3: /* movnti */
      pass->out->latency = ROOF_L_NONE;
      roof_read_general(pass, roof_reg(in), bytes, ROOF_FOR_DATA);
      roof_store(pass);
      return 1;
    case 0xC7:
      return group_9(pass);
    default:
      return 0;
  }
}

int roof_two_byte_operands(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  const unsigned row = in->opcode & 0xF0;
  pass->out->latency = ROOF_L_INT;
  if (row == 0x40) { /* cmov: a load takes place whatever the condition */
    roof_read_condition(pass, in->opcode);
    to_register(pass, roof_operand_bytes(in), 1, 0, 0);
    return 1;
  }
  if (row == 0x80) {
    pass->out->latency = ROOF_L_NONE;
    roof_branch_by_condition(pass);
    return 1;
  }
  if (row == 0x90) { /* setcc */
    roof_read_condition(pass, in->opcode);
    roof_write_rm(pass, 1);
    return 1;
  }
  if (in->opcode >= 0xC8 && in->opcode <= 0xCF) { /* bswap */
    roof_read_general(pass, roof_in_opcode(in), roof_operand_bytes(in), ROOF_FOR_DATA);
    roof_write_general(pass, roof_in_opcode(in), roof_operand_bytes(in));
    return 1;
  }
  if (in->opcode == 0x1E && in->prefix == ROOF_F3 && roof_is_register_form(in) &&
      roof_extension(in) == 1)
    return 0; /* rdssp */
  /* Prefetches, hints and nops do not wait for anything; nor does anything wait for them. */
  if (in->opcode == 0x0D || (in->opcode >= 0x18 && in->opcode <= 0x1F)) {
    pass->out->latency = ROOF_L_NONE;
    return 1;
  }
  return by_opcode(pass);
}

/* reg = rm by vvvv, which comes from the manual as reg, rm, vvvv or reg, vvvv, rm. */
static void three_operands(struct roof_operand_pass* pass, int flags) {
  const unsigned bytes = pass->in.rex_w ? 8 : 4;
  roof_read_rm(pass, bytes);
  roof_read_general(pass, pass->in.vvvv, bytes, ROOF_FOR_DATA);
  roof_write_general(pass, roof_reg(&pass->in), bytes);
  if (flags) roof_write_all_flags(pass);
}

static int vex_bits(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  const unsigned bytes = in->rex_w ? 8 : 4;
  switch (in->opcode) {
    case 0xF2: /* andn */
      three_operands(pass, 1);
      return 1;
    case 0xF3: /* blsr, blsmsk, blsi: the destination is vvvv */
      roof_read_rm(pass, bytes);
      roof_write_general(pass, in->vvvv, bytes);
      roof_write_all_flags(pass);
      return 1;
    case 0xF5: /* bzhi; F3, F2: pext, pdep */
      if (in->prefix >= ROOF_F3) pass->out->latency = ROOF_L_INT_MUL;
      three_operands(pass, in->prefix == ROOF_NP);
      return 1;
    case 0xF6: /* mulx: by rdx, to two registers */
      pass->out->latency = ROOF_L_INT_MUL;
      roof_read_rm(pass, bytes);
      roof_read_general(pass, ROOF_RDX, bytes, ROOF_FOR_DATA);
      roof_write_general(pass, in->vvvv, bytes);
      roof_write_general(pass, roof_reg(in), bytes);
      return 1;
    case 0xF7: /* bextr; 66, F3, F2: shlx, sarx, shrx */
      three_operands(pass, in->prefix == ROOF_NP);
      return 1;
    default:
      return 0;
  }
}

int roof_bit_operands(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  const unsigned bytes = roof_operand_bytes(in);
  pass->out->latency = ROOF_L_INT;
  if (in->encoding == ROOF_VEX && in->map == 2) return vex_bits(pass);
  if (in->encoding == ROOF_VEX) { /* rorx */
    if (in->opcode != 0xF0) return 0;
    roof_read_rm(pass, in->rex_w ? 8 : 4);
    roof_write_general(pass, roof_reg(in), in->rex_w ? 8 : 4);
    return 1;
  }
  if (in->map != 2) return 0;
  if (in->opcode == 0xF6 && (in->prefix == ROOF_66 || in->prefix == ROOF_F3)) { /* adcx, adox */
    const unsigned flag = in->prefix == ROOF_66 ? ROOF_R_CARRY : ROOF_R_FLAGS;
    roof_add_read(pass->out, flag, ROOF_FOR_DATA);
    to_register(pass, in->rex_w ? 8 : 4, 1, flag == ROOF_R_CARRY, flag == ROOF_R_FLAGS);
    return 1;
  }
  if (in->opcode != 0xF0 && in->opcode != 0xF1) return 0;
  if (in->prefix == ROOF_F2) { /* crc32 */
    pass->out->latency = ROOF_L_INT_MUL;
    roof_read_rm(pass, in->opcode & 1 ? bytes : 1);
    roof_read_general(pass, roof_reg(in), in->rex_w ? 8 : 4, ROOF_FOR_DATA);
    roof_write_general(pass, roof_reg(in), in->rex_w ? 8 : 4);
    return 1;
  }
  if (roof_is_register_form(in)) return 0;
  if (in->opcode == 0xF0) { /* movbe */
    roof_load(pass);
    roof_write_general(pass, roof_reg(in), bytes);
  } else {
    roof_read_general(pass, roof_reg(in), bytes, ROOF_FOR_DATA);
    roof_store(pass);
  }
  return 1;
}
