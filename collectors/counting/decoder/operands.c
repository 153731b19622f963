/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/decoder/operands.h"

#include "collectors/counting/decoder/operand_pass.h"

void roof_add_read(struct roof_operands* out, unsigned which, unsigned role) {
  for (unsigned i = 0; i < out->reads; ++i) {
    if (out->read[i] != which) continue;
    if (out->role[i] == role) return;
    if (out->role[i] == ROOF_FOR_ADDRESS || role == ROOF_FOR_ADDRESS) continue;
    out->role[i] = ROOF_FOR_DATA;
    return;
  }
  if (out->reads == ROOF_MAX_READS) return;
  out->read[out->reads] = (uint8_t)which;
  out->role[out->reads] = (uint8_t)role;
  ++out->reads;
}

void roof_add_write(struct roof_operands* out, unsigned which) {
  for (unsigned i = 0; i < out->writes; ++i)
    if (out->write[i] == which) return;
  if (out->writes < ROOF_MAX_WRITES) out->write[out->writes++] = (uint8_t)which;
}

void roof_add_address(struct roof_operand_pass* pass, unsigned index, unsigned role) {
  const struct roof_instruction* in = &pass->in;
  if (in->modrm_at == 0 || roof_is_register_form(in)) return;
  if ((in->modrm & 7) != 4) {
    if ((in->modrm & 0xC7) == 5) return; /* relative to rip */
    roof_add_read(pass->out, ROOF_R_GENERAL + roof_rm(in), role);
    return;
  }
  if (in->modrm_at + 1u >= pass->size) return;
  const unsigned sib = pass->bytes[in->modrm_at + 1];
  const unsigned base = (sib & 7) | (in->rex & ROOF_REX_B ? 8u : 0);
  const unsigned scaled = (sib >> 3 & 7) | (in->rex & ROOF_REX_X ? 8u : 0);
  if ((sib & 7) != 5 || in->modrm >= 0x40) roof_add_read(pass->out, ROOF_R_GENERAL + base, role);
  if (scaled != ROOF_RSP || index != ROOF_R_GENERAL) roof_add_read(pass->out, index + scaled, role);
}

/* spl to dil need a REX; without one these are ah, ch, dh, bh. */
static unsigned general(const struct roof_operand_pass* pass, unsigned number, unsigned bytes) {
  const int high = bytes == 1 && pass->in.rex == 0 && number >= 4;
  return ROOF_R_GENERAL + (high ? number - 4 : number);
}

void roof_read_general(struct roof_operand_pass* pass, unsigned number, unsigned bytes,
                       unsigned role) {
  roof_add_read(pass->out, general(pass, number, bytes), role);
}

void roof_write_general(struct roof_operand_pass* pass, unsigned number, unsigned bytes) {
  const unsigned which = general(pass, number, bytes);
  if (bytes < 4) roof_add_read(pass->out, which, ROOF_FOR_MERGE);
  roof_add_write(pass->out, which);
}

void roof_load(struct roof_operand_pass* pass) {
  roof_add_address(pass, ROOF_R_GENERAL, ROOF_FOR_ADDRESS);
  pass->out->flags |= ROOF_LOADS;
}

void roof_store(struct roof_operand_pass* pass) {
  roof_add_address(pass, ROOF_R_GENERAL, ROOF_FOR_ADDRESS);
  pass->out->flags |= ROOF_STORES;
}

void roof_read_rm(struct roof_operand_pass* pass, unsigned bytes) {
  if (roof_is_register_form(&pass->in)) {
    roof_read_general(pass, roof_rm(&pass->in), bytes, ROOF_FOR_DATA);
  } else {
    roof_load(pass);
  }
}

void roof_write_rm(struct roof_operand_pass* pass, unsigned bytes) {
  if (roof_is_register_form(&pass->in)) {
    roof_write_general(pass, roof_rm(&pass->in), bytes);
  } else {
    roof_store(pass);
  }
}

void roof_use_stack(struct roof_operand_pass* pass, unsigned flags) {
  roof_add_read(pass->out, ROOF_R_RSP, ROOF_FOR_ADDRESS);
  roof_add_write(pass->out, ROOF_R_RSP);
  pass->out->flags |= (uint8_t)(flags | ROOF_MOVES_STACK);
}

static int find(struct roof_operand_pass* pass) {
  const struct roof_instruction* in = &pass->in;
  if (in->encoding == ROOF_XOP || in->encoding == ROOF_EVEX) return 0;
  if (in->map == 0) {
    if (in->opcode >= 0xD8 && in->opcode <= 0xDF) return roof_x87_operands(pass);
    return in->encoding == ROOF_LEGACY && roof_one_byte_operands(pass);
  }
  if (roof_vector_operands(pass)) return 1;
  if (in->map == 1)
    return (in->encoding == ROOF_LEGACY || in->opcode == 0xAE) && roof_two_byte_operands(pass);
  return roof_bit_operands(pass);
}

int roof_find_operands(const uint8_t* bytes, unsigned size, struct roof_operands* out) {
  static const struct roof_operands kNone;
  struct roof_operand_pass pass;
  *out = kNone;
  pass.bytes = bytes;
  pass.size = size;
  pass.out = out;
  if (!roof_decode(bytes, size, &pass.in)) return 0;
  if (!find(&pass)) {
    *out = kNone;
    return 0;
  }
  if (pass.in.lock) out->flags |= ROOF_LOCKED;
  return 1;
}
