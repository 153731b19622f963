/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector instructions: MMX to AVX2. */
#include <stddef.h>

#include "collectors/counting/decoder/operand_pass.h"
#include "collectors/counting/decoder/vector_forms.h"

static int legacy(const struct roof_operand_pass* pass) { return pass->in.encoding == ROOF_LEGACY; }
static int scalar(const struct roof_operand_pass* pass) { return pass->in.prefix >= ROOF_F3; }

/* Without a prefix these are the MMX instructions. */
static int is_mmx(const struct roof_instruction* in) {
  if (in->encoding != ROOF_LEGACY || in->prefix != ROOF_NP) return 0;
  switch (in->map) {
    case 1:
      return (in->opcode >= 0x60 && in->opcode <= 0x7F) || in->opcode >= 0xD0 ||
             in->opcode == 0xC4 || in->opcode == 0xC5;
    case 2:
      return in->opcode <= 0x0B || (in->opcode >= 0x1C && in->opcode <= 0x1E);
    default:
      return in->opcode == 0x0F;
  }
}

static unsigned vector(const struct roof_operand_pass* pass, unsigned number) {
  return is_mmx(&pass->in) ? ROOF_R_MMX + (number & 7) : ROOF_R_VECTOR + number;
}

static void read_vector(struct roof_operand_pass* pass, unsigned number, unsigned role) {
  roof_add_read(pass->out, vector(pass, number), role);
}
static void write_vector(struct roof_operand_pass* pass, unsigned number) {
  roof_add_write(pass->out, vector(pass, number));
}
static void read_reg(struct roof_operand_pass* pass) {
  read_vector(pass, roof_reg(&pass->in), ROOF_FOR_DATA);
}
static void write_reg(struct roof_operand_pass* pass) { write_vector(pass, roof_reg(&pass->in)); }
static void read_vector_rm(struct roof_operand_pass* pass) {
  if (roof_is_register_form(&pass->in)) {
    read_vector(pass, roof_rm(&pass->in), ROOF_FOR_DATA);
  } else {
    roof_load(pass);
  }
}
static void write_vector_rm(struct roof_operand_pass* pass) {
  if (roof_is_register_form(&pass->in)) {
    write_vector(pass, roof_rm(&pass->in));
  } else {
    roof_store(pass);
  }
}
/* The first source: reg, or vvvv of VEX. */
static unsigned first_source(const struct roof_operand_pass* pass) {
  return legacy(pass) ? roof_reg(&pass->in) : pass->in.vvvv;
}

/* Results that do not depend on the operands where these are one register: xor, subtraction,
 * greater-than, and-not; and equal, which nevertheless is executed. */
enum { kNoIdiom, kZero, kOnes };
static int idiom(const struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  if (!roof_is_register_form(in) || is_mmx(in) || first_source(pass) != roof_rm(in))
    return kNoIdiom;
  if (in->map == 2) return in->opcode == 0x37 ? kZero : in->opcode == 0x29 ? kOnes : kNoIdiom;
  if (in->map != 1) return kNoIdiom;
  switch (in->opcode) {
    case 0x55: /* andnps, xorps */
    case 0x57:
    case 0x64: /* pcmpgt */
    case 0x65:
    case 0x66:
    case 0xD8: /* psubus, psubs */
    case 0xD9:
    case 0xE8:
    case 0xE9:
    case 0xDF: /* pandn, pxor */
    case 0xEF:
    case 0xF8: /* psub */
    case 0xF9:
    case 0xFA:
    case 0xFB:
      return kZero;
    case 0x74: /* pcmpeq */
    case 0x75:
    case 0x76:
      return kOnes;
    default:
      return kNoIdiom;
  }
}

static void binary(struct roof_operand_pass* pass) {
  const int kind = idiom(pass);
  if (kind == kNoIdiom) {
    read_vector(pass, first_source(pass), ROOF_FOR_DATA);
    read_vector_rm(pass);
  }
  if (kind == kZero) pass->out->latency = ROOF_L_NONE;
  write_reg(pass);
}

static void unary(struct roof_operand_pass* pass) {
  read_vector_rm(pass);
  write_reg(pass);
}

static void keep(struct roof_operand_pass* pass) {
  read_vector(pass, first_source(pass), ROOF_FOR_MERGE);
}

/* 10, 11: a scalar from a register keeps the rest, one from memory clears it. */
static void move_scalar(struct roof_operand_pass* pass) {
  const int to_rm = pass->in.opcode & 1, merges = scalar(pass) && roof_is_register_form(&pass->in);
  if (merges) pass->out->latency = ROOF_L_VECTOR_INT;
  if (to_rm) {
    read_reg(pass);
    if (merges)
      read_vector(pass, legacy(pass) ? roof_rm(&pass->in) : pass->in.vvvv, ROOF_FOR_MERGE);
    write_vector_rm(pass);
  } else {
    read_vector_rm(pass);
    if (merges) keep(pass);
    write_reg(pass);
  }
}

/* 12, 16: F3, F2 duplicate elements; else one half is replaced. */
static void move_half(struct roof_operand_pass* pass) {
  if (scalar(pass)) {
    unary(pass);
    return;
  }
  keep(pass);
  unary(pass);
}

static int source_is_mmx(const struct roof_operand_pass* pass) {
  return legacy(pass) && !scalar(pass);
}

/* 2A: an integer becomes the lowest element. */
static void convert_from(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  if (in->prefix != ROOF_66) keep(pass);
  if (!roof_is_register_form(in)) {
    roof_load(pass);
  } else if (source_is_mmx(pass)) {
    roof_add_read(pass->out, ROOF_R_MMX + (in->modrm & 7), ROOF_FOR_DATA);
  } else {
    roof_add_read(pass->out, ROOF_R_GENERAL + roof_rm(in), ROOF_FOR_DATA);
  }
  write_reg(pass);
  if (scalar(pass)) pass->out->latency = ROOF_L_CONVERT_GENERAL;
}

/* 2C, 2D. */
static void convert_to(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  read_vector_rm(pass);
  if (source_is_mmx(pass)) {
    roof_add_write(pass->out, ROOF_R_MMX + roof_extension(in));
  } else {
    roof_add_write(pass->out, ROOF_R_GENERAL + roof_reg(in));
    pass->out->latency = ROOF_L_CONVERT_GENERAL;
  }
}

static void from_general(struct roof_operand_pass* pass, int merges) {
  pass->out->latency = roof_is_register_form(&pass->in) ? ROOF_L_TO_VECTOR
                       : merges                         ? ROOF_L_SHUFFLE
                                                        : ROOF_L_NONE;
  if (merges) keep(pass);
  roof_read_rm(pass, 4);
  write_reg(pass);
}

static void to_general_rm(struct roof_operand_pass* pass) {
  pass->out->latency = ROOF_L_FROM_VECTOR;
  read_reg(pass);
  roof_write_rm(pass, 4);
}

/* 7E: F3 movq; else to a general register. */
static void move_7e(struct roof_operand_pass* pass) {
  if (pass->in.prefix == ROOF_F3) {
    pass->out->latency = ROOF_L_MOVE;
    unary(pass);
    return;
  }
  to_general_rm(pass);
  if (!roof_is_register_form(&pass->in)) pass->out->latency = ROOF_L_NONE;
}

/* D6: 66 movq; F3, F2 between MMX and vector registers. */
static int move_d6(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  if (in->prefix == ROOF_66) {
    read_reg(pass);
    write_vector_rm(pass);
    return 1;
  }
  if (!scalar(pass) || !roof_is_register_form(in)) return 0;
  if (in->prefix == ROOF_F3) {
    roof_add_read(pass->out, ROOF_R_MMX + (in->modrm & 7u), ROOF_FOR_DATA);
    roof_add_write(pass->out, ROOF_R_VECTOR + roof_reg(in));
  } else {
    roof_add_read(pass->out, ROOF_R_VECTOR + roof_rm(in), ROOF_FOR_DATA);
    roof_add_write(pass->out, ROOF_R_MMX + roof_extension(in));
  }
  return 1;
}

/* 71 to 73. */
static void shift_by_immediate(struct roof_operand_pass* pass) {
  read_vector_rm(pass);
  write_vector(pass, legacy(pass) ? roof_rm(&pass->in) : pass->in.vvvv);
}

/* Elements whose mask is off keep the destination; the mask ends as zero. */
static void gather(struct roof_operand_pass* pass) {
  roof_add_address(pass, ROOF_R_VECTOR, ROOF_FOR_ADDRESS);
  pass->out->flags |= ROOF_LOADS | ROOF_MASKED;
  read_vector(pass, pass->in.vvvv, ROOF_FOR_DATA);
  read_vector(pass, roof_reg(&pass->in), ROOF_FOR_MERGE);
  write_reg(pass);
  write_vector(pass, pass->in.vvvv);
}

/* 60 to 63: with the lengths in rax and rdx; a mask to xmm0, or an index to rcx. */
static void compare_strings(struct roof_operand_pass* pass) {
  const unsigned opcode = pass->in.opcode;
  read_reg(pass);
  read_vector_rm(pass);
  if (opcode < 0x62) {
    roof_add_read(pass->out, ROOF_R_GENERAL + ROOF_RAX, ROOF_FOR_DATA);
    roof_add_read(pass->out, ROOF_R_GENERAL + ROOF_RDX, ROOF_FOR_DATA);
  }
  roof_add_write(pass->out, opcode & 1 ? ROOF_R_GENERAL + ROOF_RCX : ROOF_R_VECTOR);
  roof_write_all_flags(pass);
}

static void masked_move(struct roof_operand_pass* pass, int stores) {
  read_vector(pass, pass->in.vvvv, ROOF_FOR_DATA);
  pass->out->flags |= ROOF_MASKED;
  if (stores) {
    read_reg(pass);
    roof_store(pass);
  } else {
    roof_load(pass);
    write_reg(pass);
  }
}

static int by_form(struct roof_operand_pass* pass, char form) {
  const struct roof_instruction* in = &pass->in;
  switch (form) {
    case 'b':
      binary(pass);
      return 1;
    case 'B':
      roof_add_read(pass->out, ROOF_R_VECTOR, ROOF_FOR_DATA);
      binary(pass);
      return 1;
    case 'u':
      unary(pass);
      return 1;
    case 'U':
      if (scalar(pass)) keep(pass);
      unary(pass);
      return 1;
    case 'n':
      keep(pass);
      unary(pass);
      return 1;
    case 't':
      read_reg(pass);
      binary(pass);
      return 1;
    case '4': /* the register in the immediate's high half */
      read_vector(pass, in->immediate >> 4, ROOF_FOR_DATA);
      binary(pass);
      return 1;
    case 's':
      read_reg(pass);
      write_vector_rm(pass);
      return 1;
    case 'c':
      read_reg(pass);
      read_vector_rm(pass);
      roof_write_all_flags(pass);
      return 1;
    case 'R':
      pass->out->latency = ROOF_L_FROM_VECTOR;
      read_vector_rm(pass);
      roof_add_write(pass->out, ROOF_R_GENERAL + roof_reg(in));
      return roof_is_register_form(in);
    case 'D':
      from_general(pass, 0);
      return 1;
    case 'N':
      from_general(pass, 1);
      return 1;
    case 'P':
      to_general_rm(pass);
      return 1;
    case 'I':
      convert_from(pass);
      return 1;
    case 'O':
      convert_to(pass);
      return 1;
    case 'M':
      move_scalar(pass);
      return 1;
    case 'H':
      move_half(pass);
      return 1;
    case 'E':
      move_7e(pass);
      return 1;
    case 'Q':
      return move_d6(pass);
    case 'S':
      shift_by_immediate(pass);
      return roof_is_register_form(in);
    case 'K': /* to where rdi points */
      read_reg(pass);
      read_vector_rm(pass);
      roof_add_read(pass->out, ROOF_R_GENERAL + ROOF_RDI, ROOF_FOR_ADDRESS);
      pass->out->flags |= ROOF_STORES | ROOF_MASKED;
      return 1;
    case 'L':
      masked_move(pass, 0);
      return 1;
    case 'T':
      masked_move(pass, 1);
      return 1;
    case 'G':
      gather(pass);
      return 1;
    case 'C':
      compare_strings(pass);
      return 1;
    case 'z': /* vzeroupper changes what no instruction of 128 bits reads; vzeroall, emms: all */
      return in->encoding == ROOF_VEX && in->bits == 0;
    default:
      return 0;
  }
}

int roof_vector_operands(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  const unsigned row = in->opcode >> 4, column = 3 * (in->opcode & 15u);
  const char* letters = NULL;
  if (in->map == 1) letters = &kForms0F[row][column];
  if (in->map == 2) letters = &kForms0F38[row][column];
  if (in->map == 3) letters = &kForms0F3A[row][column];
  if (!letters || letters[0] == '.' || letters[0] == ' ') return 0;
  pass->out->latency = (uint8_t)roof_vector_latency(in, letters[1]);
  return by_form(pass, letters[0]);
}
