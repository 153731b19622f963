/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which registers one x86-64 instruction reads and writes, what for, and how long it takes: what is
 * needed to follow the flow of values through executed code. Read from the instruction's bytes,
 * because an engine's intermediate code has lost reads and writes that it found redundant.
 *
 * Names in the manuals: Intel SDM volume 2; AMD64 APM volumes 3 to 6. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DECODER_OPERANDS_H_
#define ROOFMARK_COLLECTORS_COUNTING_DECODER_OPERANDS_H_

#include <stdint.h>

#include "collectors/counting/decoder/latency_class.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What holds a value. Registers that overlap are one: al, ax, eax and rax; xmm0, ymm0 and zmm0. */
enum roof_register {
  ROOF_R_GENERAL = 0, /* 16 in the order of their encoding: rax rcx rdx rbx rsp rbp rsi rdi r8 .. */
  ROOF_R_VECTOR = 16, /* 32 */
  ROOF_R_X87 = 48,    /* 8: st(i), counted from the top of the stack before the instruction; what a
                         push writes is st(7) */
  ROOF_R_MMX = 56,    /* 8 */
  ROOF_R_CARRY = 64,  /* the flag CF, which inc, dec and others leave alone */
  ROOF_R_FLAGS = 65,  /* all other flags of arithmetic as one */
  ROOF_R_X87_FLAGS = 66, /* C0 to C3 of the status word */
  ROOF_R_MASK = 67,      /* 8, of AVX-512 */
  ROOF_REGISTERS = 75
};
#define ROOF_R_RSP (ROOF_R_GENERAL + 4)

/* What a register is read for. */
enum roof_role {
  ROOF_FOR_ADDRESS, /* of the memory operand: needed before the load or the store can begin */
  ROOF_FOR_DATA,    /* by the operation */
  ROOF_FOR_MERGE    /* only to keep the part of the destination that is not written */
};

enum roof_operand_flags {
  ROOF_LOADS = 1, /* reads data memory */
  ROOF_STORES = 2,
  /* push, pop, call, ret and their kin: rsp changes by a constant, which the front end adds up, so
   * that the new rsp is there as early as the old one. */
  ROOF_MOVES_STACK = 4,
  /* A part of the memory access may not take place: masked moves, gathers, repeated strings. */
  ROOF_MASKED = 8,
  /* fxch, xchg: the first register written gets what the second one read held, and the other way.
   */
  ROOF_SWAPS = 16,
  /* A jump that flags or a counter decide: jcc, loop, jrcxz. */
  ROOF_BRANCHES = 32,
  /* A jump or a call to an address that is not in the instruction. No return. */
  ROOF_INDIRECT = 64,
  /* Atomic: with a lock prefix, and xchg with memory. */
  ROOF_LOCKED = 128
};

#define ROOF_MAX_READS 8
#define ROOF_MAX_WRITES 6
struct roof_operands {
  uint8_t reads, writes;
  uint8_t flags;   /* enum roof_operand_flags */
  uint8_t latency; /* enum roof_latency_class */
  int8_t x87_pops; /* what the top of the x87 stack moves by: 1 a pop, -1 a push */
  uint8_t read[ROOF_MAX_READS], role[ROOF_MAX_READS];
  uint8_t write[ROOF_MAX_WRITES];
};

/* The operands of the instruction in bytes[0 .. size), which is its length. Returns 0 and no
 * operands for what is not known: AVX-512, of which one engine knows itself
 * (native/evex_operands.h), and XOP, instructions that load or store whole states (fxsave), leave
 * the program (syscall, int) or serialise (cpuid).
 *
 * Said as processors treat it, which is not always what the manual says:
 *   - An 8- or 16-bit result merges into its register; a 32-bit one clears the upper half.
 *   - A scalar result of a legacy SSE instruction, or one that VEX merges, reads what it keeps.
 *   - xor and its kin of a register with itself read nothing (zero idioms).
 *   - Flags that are undefined after an instruction are not written, and shifts by a count of zero,
 *     which leave the flags alone, are taken as any other. */
int roof_find_operands(const uint8_t* bytes, unsigned size, struct roof_operands* out);

/* For whoever finds operands. A register read twice for one purpose is read once; what the
 * operation needs is not merged. */
void roof_add_read(struct roof_operands* out, unsigned which, unsigned role);
void roof_add_write(struct roof_operands* out, unsigned which);
/* The class of the operations that this counter of ROOF_C_FLOPS counts. */
unsigned roof_latency_of_flops(unsigned counter);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_DECODER_OPERANDS_H_ */
