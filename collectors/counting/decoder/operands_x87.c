/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The x87 unit, whose registers are counted from the top of its stack before the instruction.
 * Opcode map: Intel SDM volume 2, tables. */
#include "collectors/counting/decoder/operand_pass.h"

enum { kPushed = 7 };

static void read_st(struct roof_operand_pass* pass, unsigned i) {
  roof_add_read(pass->out, ROOF_R_X87 + i, ROOF_FOR_DATA);
}
static void write_st(struct roof_operand_pass* pass, unsigned i) {
  roof_add_write(pass->out, ROOF_R_X87 + i);
}
static void push(struct roof_operand_pass* pass) {
  write_st(pass, kPushed);
  --pass->out->x87_pops;
}
static int with(struct roof_operand_pass* pass, unsigned latency) {
  pass->out->latency = (uint8_t)latency;
  return 1;
}

/* add mul com comp sub subr div divr, of st(0) and what was read already. */
static int basic(struct roof_operand_pass* pass, unsigned operation, unsigned destination) {
  static const uint8_t kLatency[8] = {ROOF_L_X87_ADD, ROOF_L_X87_MUL, ROOF_L_X87_ADD,
                                      ROOF_L_X87_ADD, ROOF_L_X87_ADD, ROOF_L_X87_ADD,
                                      ROOF_L_X87_DIV, ROOF_L_X87_DIV};
  read_st(pass, 0);
  if (operation == 2 || operation == 3) {
    roof_add_write(pass->out, ROOF_R_X87_FLAGS);
    if (operation == 3) ++pass->out->x87_pops;
  } else {
    write_st(pass, destination);
  }
  return with(pass, kLatency[operation]);
}

static int load(struct roof_operand_pass* pass, unsigned latency) {
  roof_load(pass);
  push(pass);
  return with(pass, latency);
}
static int store(struct roof_operand_pass* pass, int pops, unsigned latency) {
  read_st(pass, 0);
  roof_store(pass);
  pass->out->x87_pops = (int8_t)pops;
  return with(pass, latency);
}

static int memory_form(struct roof_operand_pass* pass) {
  const unsigned operation = roof_extension(&pass->in), opcode = pass->in.opcode;
  if ((opcode & 1) == 0) {
    roof_load(pass);
    return basic(pass, operation, 0);
  }
  if (operation == 1) return opcode != 0xD9 && store(pass, 1, ROOF_L_X87_ADD); /* fisttp */
  const int integer = opcode == 0xDB || opcode == 0xDF;
  const unsigned latency = integer ? ROOF_L_X87_ADD : ROOF_L_NONE;
  if (operation == 0) return load(pass, latency);
  if (operation == 2) return store(pass, 0, latency);
  if (operation == 3) return store(pass, 1, latency);
  switch (opcode << 4 | operation) {
    case 0xD95: /* fldcw */
      roof_load(pass);
      return 1;
    case 0xD97: /* fnstcw */
      roof_store(pass);
      return 1;
    case 0xDD7: /* fnstsw */
      roof_add_read(pass->out, ROOF_R_X87_FLAGS, ROOF_FOR_DATA);
      roof_store(pass);
      return 1;
    case 0xDB5: /* fld of 80 bits */
      return load(pass, ROOF_L_NONE);
    case 0xDB7:
      return store(pass, 1, ROOF_L_NONE);
    case 0xDF5: /* fild, fistp of 64 bits */
      return load(pass, ROOF_L_X87_ADD);
    case 0xDF7:
      return store(pass, 1, ROOF_L_X87_ADD);
    default: /* environments, states, decimals */
      return 0;
  }
}

static int transcendental(struct roof_operand_pass* pass, unsigned modrm) {
  read_st(pass, 0);
  with(pass, ROOF_L_X87_TRANSCENDENTAL);
  switch (modrm) {
    case 0xF1: /* fyl2x, fpatan, fyl2xp1 */
    case 0xF3:
    case 0xF9:
      read_st(pass, 1);
      write_st(pass, 1);
      ++pass->out->x87_pops;
      return 1;
    case 0xF2: /* fptan, fxtract, fsincos */
    case 0xF4:
    case 0xFB:
      write_st(pass, 0);
      push(pass);
      break;
    case 0xF5: /* fprem1, fprem, fscale */
    case 0xF8:
    case 0xFD:
      read_st(pass, 1);
      write_st(pass, 0);
      break;
    default:
      write_st(pass, 0);
      break;
  }
  if (modrm != 0xF0 && modrm != 0xF4 && modrm != 0xFD) /* fprem and the circle tell what is left */
    roof_add_write(pass->out, ROOF_R_X87_FLAGS);
  return 1;
}

static int d9_register(struct roof_operand_pass* pass, unsigned modrm) {
  if (modrm < 0xC8) { /* fld st(i) */
    read_st(pass, modrm & 7);
    push(pass);
    return with(pass, ROOF_L_X87_MOVE);
  }
  if (modrm < 0xD0) { /* fxch */
    read_st(pass, 0);
    read_st(pass, modrm & 7);
    write_st(pass, 0);
    write_st(pass, modrm & 7);
    if (modrm != 0xC8) pass->out->flags |= ROOF_SWAPS;
    return with(pass, ROOF_L_X87_MOVE);
  }
  if (modrm >= 0xE8 && modrm <= 0xEE) { /* constants */
    push(pass);
    return with(pass, ROOF_L_X87_MOVE);
  }
  switch (modrm) {
    case 0xD0: /* fnop */
      return 1;
    case 0xE0: /* fchs, fabs */
    case 0xE1:
      read_st(pass, 0);
      write_st(pass, 0);
      return with(pass, ROOF_L_X87_MOVE);
    case 0xE4: /* ftst, fxam */
    case 0xE5:
      read_st(pass, 0);
      roof_add_write(pass->out, ROOF_R_X87_FLAGS);
      return with(pass, ROOF_L_X87_ADD);
    case 0xF6: /* fdecstp, fincstp */
    case 0xF7:
      pass->out->x87_pops = modrm == 0xF7 ? 1 : -1;
      return 1;
    case 0xFA:
    case 0xFC: /* fsqrt, frndint */
      read_st(pass, 0);
      write_st(pass, 0);
      return with(pass, modrm == 0xFA ? ROOF_L_X87_SQRT : ROOF_L_X87_ADD);
    default:
      return modrm >= 0xF0 && transcendental(pass, modrm);
  }
}

/* fcmovcc: DA below, equal, below or equal, unordered; DB their opposites. */
static int conditional_move(struct roof_operand_pass* pass, unsigned modrm) {
  const unsigned condition = modrm >> 3 & 3;
  if (condition != 1 && condition != 3) roof_add_read(pass->out, ROOF_R_CARRY, ROOF_FOR_DATA);
  if (condition != 0) roof_add_read(pass->out, ROOF_R_FLAGS, ROOF_FOR_DATA);
  read_st(pass, 0);
  read_st(pass, modrm & 7);
  write_st(pass, 0);
  return with(pass, ROOF_L_X87_ADD);
}

static int compare(struct roof_operand_pass* pass, unsigned other, int pops, int to_flags) {
  read_st(pass, 0);
  read_st(pass, other);
  if (to_flags) roof_write_all_flags(pass);
  if (!to_flags) roof_add_write(pass->out, ROOF_R_X87_FLAGS);
  pass->out->x87_pops = (int8_t)pops;
  return with(pass, ROOF_L_X87_ADD);
}

static int dd_register(struct roof_operand_pass* pass, unsigned modrm) {
  switch (modrm >> 3 & 7) {
    case 0: /* ffree */
      return 1;
    case 2: /* fst, fstp */
    case 3:
      read_st(pass, 0);
      write_st(pass, modrm & 7);
      pass->out->x87_pops = (int8_t)(modrm >> 3 & 1);
      return with(pass, ROOF_L_X87_MOVE);
    case 4: /* fucom, fucomp */
    case 5:
      return compare(pass, modrm & 7, (int)(modrm >> 3 & 1), 0);
    default:
      return 0;
  }
}

int roof_x87_operands(struct roof_operand_pass* pass) {
  const unsigned modrm = pass->in.modrm, operation = roof_extension(&pass->in);
  if (!roof_is_register_form(&pass->in)) return memory_form(pass);
  switch (pass->in.opcode) {
    case 0xD8:
      read_st(pass, modrm & 7);
      return basic(pass, operation, 0);
    case 0xD9:
      return d9_register(pass, modrm);
    case 0xDA:
      if (modrm < 0xE0) return conditional_move(pass, modrm);
      return modrm == 0xE9 && compare(pass, 1, 2, 0);
    case 0xDB:
      if (modrm < 0xE0) return conditional_move(pass, modrm);
      return modrm >= 0xE8 && modrm < 0xF8 && compare(pass, modrm & 7, 0, 1);
    case 0xDC:
      read_st(pass, modrm & 7);
      return basic(pass, operation, modrm & 7);
    case 0xDD:
      return dd_register(pass, modrm);
    case 0xDE:
      if (modrm == 0xD9) return compare(pass, 1, 2, 0);
      if (operation == 2 || operation == 3) return 0;
      read_st(pass, modrm & 7);
      ++pass->out->x87_pops;
      return basic(pass, operation, modrm & 7);
    default:
      if (modrm == 0xE0) { /* fnstsw ax */
        roof_add_read(pass->out, ROOF_R_X87_FLAGS, ROOF_FOR_DATA);
        roof_write_general(pass, ROOF_RAX, 2);
        return with(pass, ROOF_L_FROM_VECTOR);
      }
      return modrm >= 0xE8 && modrm < 0xF8 && compare(pass, modrm & 7, 1, 1);
  }
}
