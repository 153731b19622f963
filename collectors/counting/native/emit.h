/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes machine code: the few instructions that translated code has beside the program's own. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_EMIT_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_EMIT_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Registers by their encoding. */
enum { ROOF_E_RAX = 0, ROOF_E_RCX = 1, ROOF_E_RDX = 2 };

/* 64-bit constants that follow the code which refers to them. */
enum { ROOF_CONSTANTS = 16 };
struct roof_native_constant {
  uint8_t* from; /* the four bytes of the distance */
  uint64_t value;
};

/* Where registers of the program are while translated code has one of its own; 0: in place. */
enum roof_mark {
  ROOF_MARK_RAX = 1,           /* rax in spill[0] */
  ROOF_MARK_RCX = 2,           /* rcx in spill[0] */
  ROOF_MARK_RAX_BEHIND = 4,    /* rax in spill[1] */
  ROOF_MARK_FLAGS = 8,         /* those of arithmetic in ax */
  ROOF_MARK_FLAGS_BUT_OF = 16, /* the same but OF, which is in place */
  ROOF_MARK_LOOKUP = 32,       /* rax, rcx and rdx in registers[] */
  ROOF_MARK_STUB = 64,         /* rax in registers[] */
  ROOF_MARK_TARGET = 128,      /* the address that the program is at is in rax */
  ROOF_MARK_KEPT = 256         /* two registers that the block chose, in spill[2] and spill[3] */
};

/* Marks say for each place in the translation of a block where the program is: a list of steps from
 * place to place. Small steps are (distance, state in 2 bytes, distance of the program's address),
 * larger ones (0, state, offset in 4 bytes, address in 8). */
enum { ROOF_MARKS_ROOM = 1 << 14 };
struct roof_native_marks {
  const uint8_t* begin; /* of the code */
  uint32_t offset, size;
  uint64_t pc;
  uint8_t bytes[ROOF_MARKS_ROOM];
};

struct roof_native_emitter {
  uint8_t* at;
  uint8_t* end;
  struct roof_native_marks* marks; /* NULL: nobody wants them */
  uint64_t pc;                     /* of the program, for the marks */
  unsigned kept;                   /* is part of every state that is marked */
  int failed;                      /* there was no room, or something was out of reach */
  uint32_t constants;
  struct roof_native_constant constant[ROOF_CONSTANTS];
};

void roof_emit_byte(struct roof_native_emitter* e, unsigned byte);
void roof_emit_bytes(struct roof_native_emitter* e, const uint8_t* bytes, unsigned size);
void roof_emit_u32(struct roof_native_emitter* e, uint32_t value);
void roof_emit_u64(struct roof_native_emitter* e, uint64_t value);
/* Instructions that do nothing, until the place is `behind` a multiple of `alignment`. */
void roof_emit_align(struct roof_native_emitter* e, unsigned alignment, unsigned behind);

/* From here on the program is at `pc`, with its registers in place; or they are where `state` says.
 */
void roof_emit_at(struct roof_native_emitter* e, uint64_t pc);
void roof_emit_mark(struct roof_native_emitter* e, unsigned state);

/* Between a register and the area: 64 bits at `offset` from gs. No flag is changed. */
void roof_emit_load(struct roof_native_emitter* e, unsigned reg, unsigned offset);
void roof_emit_store(struct roof_native_emitter* e, unsigned reg, unsigned offset);
/* The opcode, of one byte or two, and a distance; returns where that is. */
uint8_t* roof_emit_jump(struct roof_native_emitter* e, unsigned first, unsigned second);
void roof_emit_jump_through(struct roof_native_emitter* e, unsigned offset);

/* Adds to 64 bits of the area. The first two change the flags; the others do not, and need a place
 * of the area to keep rax in. */
void roof_emit_add(struct roof_native_emitter* e, unsigned offset, int amount);
void roof_emit_add_register(struct roof_native_emitter* e, unsigned offset, unsigned reg);
void roof_emit_add_quietly(struct roof_native_emitter* e, unsigned offset, int amount,
                           unsigned spill);
/* rcx; `sign` below 0 takes it off. */
void roof_emit_add_rcx_quietly(struct roof_native_emitter* e, unsigned offset, int sign,
                               unsigned spill);

/* The flags to and from rax; `state` is what is marked before it. */
void roof_emit_save_flags(struct roof_native_emitter* e, unsigned state);
void roof_emit_restore_flags(struct roof_native_emitter* e, unsigned state);

/* An instruction that ends with the distance to a constant. */
void roof_emit_with_constant(struct roof_native_emitter* e, const uint8_t* bytes, unsigned size,
                             uint64_t value);
/* Puts all constants here. */
void roof_emit_constants(struct roof_native_emitter* e);

/* The four bytes at `from`, which end their instruction, become the distance to `to`. */
void roof_emit_distance(struct roof_native_emitter* e, uint8_t* from, const uint8_t* to);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_EMIT_H_ */
