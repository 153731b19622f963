/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the decoder: how the files that know the operands of a group of instructions say what
 * they found. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DECODER_OPERAND_PASS_H_
#define ROOFMARK_COLLECTORS_COUNTING_DECODER_OPERAND_PASS_H_

#include "collectors/counting/decoder/decoder.h"
#include "collectors/counting/decoder/operands.h"
#include "collectors/counting/decoder/terms.h"

/* The instruction being read. */
struct roof_operand_pass {
  struct roof_instruction in;
  const uint8_t* bytes;
  unsigned size;
  struct roof_operands* out;
};

enum {
  ROOF_RAX,
  ROOF_RCX,
  ROOF_RDX,
  ROOF_RBX,
  ROOF_RSP,
  ROOF_RBP,
  ROOF_RSI,
  ROOF_RDI,
  ROOF_R11 = 11
};

/* Groups. Each returns 0 if it does not know the instruction. */
int roof_one_byte_operands(struct roof_operand_pass* pass);
int roof_two_byte_operands(struct roof_operand_pass* pass); /* general registers in map 0F */
int roof_bit_operands(struct roof_operand_pass* pass);      /* general registers in 0F38 and 0F3A */
int roof_vector_operands(struct roof_operand_pass* pass);
int roof_x87_operands(struct roof_operand_pass* pass);

/* The class of a vector instruction whose kind of work is that letter of vector_forms.h. */
unsigned roof_vector_latency(const struct roof_instruction* in, char kind);

/* Base and index of the memory operand, where there is one. `index` is the first register of the
 * kind of its index: vectors for gathers. */
void roof_add_address(struct roof_operand_pass* pass, unsigned index, unsigned role);

/* General registers by number and bytes; the number of a byte register is that of its encoding. */
void roof_read_general(struct roof_operand_pass* pass, unsigned number, unsigned bytes,
                       unsigned role);
void roof_write_general(struct roof_operand_pass* pass, unsigned number, unsigned bytes);

/* The operand in modrm.rm as general register or memory. */
void roof_read_rm(struct roof_operand_pass* pass, unsigned bytes);
void roof_write_rm(struct roof_operand_pass* pass, unsigned bytes);
/* The memory operand alone. */
void roof_load(struct roof_operand_pass* pass);
void roof_store(struct roof_operand_pass* pass);
/* A load or store below rsp, or above it, by push, pop and their kin. */
void roof_use_stack(struct roof_operand_pass* pass, unsigned flags);

static inline unsigned roof_reg(const struct roof_instruction* in) {
  return (in->modrm >> 3 & 7u) | (in->rex & ROOF_REX_R ? 8u : 0);
}
static inline unsigned roof_rm(const struct roof_instruction* in) {
  return (in->modrm & 7u) | (in->rex & ROOF_REX_B ? 8u : 0);
}
/* The register in the opcode's low three bits. */
static inline unsigned roof_in_opcode(const struct roof_instruction* in) {
  return (in->opcode & 7u) | (in->rex & ROOF_REX_B ? 8u : 0);
}
/* Which of eight operations modrm.reg selects. */
static inline unsigned roof_extension(const struct roof_instruction* in) {
  return in->modrm >> 3 & 7u;
}
/* Of operands that are not bytes. */
static inline unsigned roof_operand_bytes(const struct roof_instruction* in) {
  return in->rex_w ? 8 : in->word ? 2 : 4;
}
/* Of operands that are bytes where the opcode is even. */
static inline unsigned roof_bytes_by_opcode(const struct roof_instruction* in) {
  return in->opcode & 1 ? roof_operand_bytes(in) : 1;
}

static inline void roof_write_all_flags(struct roof_operand_pass* pass) {
  roof_add_write(pass->out, ROOF_R_CARRY);
  roof_add_write(pass->out, ROOF_R_FLAGS);
}
/* What a condition (o no b ae z nz be a s ns p np l ge le g) looks at. */
static inline void roof_read_condition(struct roof_operand_pass* pass, unsigned condition) {
  const unsigned pair = condition >> 1 & 7;
  if (pair == 1 || pair == 3) roof_add_read(pass->out, ROOF_R_CARRY, ROOF_FOR_DATA);
  if (pair != 1) roof_add_read(pass->out, ROOF_R_FLAGS, ROOF_FOR_DATA);
}
/* jcc, whose condition is the low part of its opcode. */
static inline void roof_branch_by_condition(struct roof_operand_pass* pass) {
  roof_read_condition(pass, pass->in.opcode);
  pass->out->flags |= ROOF_BRANCHES;
}

#endif /* ROOFMARK_COLLECTORS_COUNTING_DECODER_OPERAND_PASS_H_ */
