/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One instruction of the program as the translator sees it: taken apart by Zydis, and how its copy
 * differs from it. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_INSTRUCTION_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_INSTRUCTION_H_

#include <Zydis/Zydis.h>
#include <stdint.h>

#include "collectors/counting/native/area.h"

#ifdef __cplusplus
extern "C" {
#endif

enum roof_native_kind {
  ROOF_PLAIN,         /* copied; a distance from the instruction pointer is adapted */
  ROOF_JUMP,          /* to `target` */
  ROOF_CONDITIONAL,   /* jcc to `target` */
  ROOF_BY_COUNT,      /* loop, jrcxz ... to `target` */
  ROOF_CALL,          /* of `target` */
  ROOF_INDIRECT_JUMP, /* through a register or memory */
  ROOF_INDIRECT_CALL,
  ROOF_RETURN,
  ROOF_SYSTEM_CALL,
  ROOF_LEAVES /* is executed natively, with what follows, for `reason` */
};

struct roof_native_instruction {
  uint64_t pc;
  const uint8_t* bytes;
  uint8_t length;
  uint8_t kind;                                 /* enum roof_native_kind */
  uint8_t reason;                               /* enum roof_native_reason */
  uint8_t flags_read, flags_killed, flags_live; /* enum roof_flag; live: before it */
  uint64_t target;
  ZydisDecodedInstruction zydis;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

/* The instruction at `pc`, of which `size` bytes may be read. */
void roof_native_decode(const ZydisDecoder* decoder, uint64_t pc, uint64_t size,
                        struct roof_native_instruction* out);

/* Flags of arithmetic. */
enum roof_flag {
  ROOF_CF = 1,
  ROOF_PF = 2,
  ROOF_AF = 4,
  ROOF_ZF = 8,
  ROOF_SF = 16,
  ROOF_OF = 32,
  ROOF_ALL_FLAGS = 63
};
/* Which flags the instruction reads, and which it writes whatever its operands are. Flags that the
 * manuals call undefined are taken as left alone, where processors do not agree on them. */
void roof_native_find_flags(struct roof_native_instruction* instruction);
/* Sets flags_live of each. Behind the last one all flags are live. */
void roof_native_find_live_flags(struct roof_native_instruction* instructions, unsigned count);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_INSTRUCTION_H_ */
