/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The superblock being instrumented: its output and the segment that is open in it. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_BLOCK_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_BLOCK_H_

#include "collectors/counting/contexts/blocks.h"
#include "collectors/counting/contexts/segments.h"
#include "collectors/counting/valgrind/tool/modules.h"
#include "collectors/counting/windows/code.h"
#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

typedef struct {
  IRSB* out;
  Int shadow;    /* offset of the first shadow area in the guest state */
  Bool windows;  /* instructions are kept for them */
  Bool places;   /* blocks are kept, */
  Module module; /* with their places in it */
  struct roof_segment segment;
  struct roof_code_instruction code[ROOF_CODE_MOST]; /* of the segment, for windows */
  UInt instructions;                                 /* in it */
  struct roof_block_code executed;                   /* the segment as a block */
  struct roof_block* before; /* the block before it; NULL: it is the first */
  Bool open;                 /* code that counts the segment was emitted */
  IRConst* load_offset;      /* of its execution count, */
  IRConst* store_offset;     /* completed when the segment is closed */
  Int increment;             /* place of that code in the output, */
  Int increment_end;         /* for a traced segment to take it back */
  IRExpr* trace;             /* where a traced segment writes; NULL before its first access */
  IRConst* header;           /* its descriptor, completed when it is closed */
} Block;

IRExpr* block_constant(ULong value);
/* Appends temp = expression; returns the temp. */
IRExpr* block_assign(Block* block, IRType type, IRExpr* expression);
IRExpr* block_get_shadow(Block* block, Int offset);
IRExpr* block_get_stack_pointer(Block* block);
void block_append(Block* block, IRStmt* statement);
/* A call that is made only where the guard, an expression of I1, holds. */
void block_append_call(Block* block, IRDirty* call, IRExpr* guard);

/* Adds to the open segment, opening one if there is none. */
void block_count(Block* block, UInt counter, Int amount);
/* Counts `amount` only where the guard, an I1, holds. */
void block_count_if(Block* block, IRExpr* guard, UInt counter, Int amount);
/* What comes next belongs to this instruction. Only for windows: its segment is then traced. */
void block_begin_instruction(Block* block, Addr place, UInt bytes);
/* Writes the address to the trace, or 0 where a guard does not hold; NULL: always. */
void block_trace(Block* block, IRExpr* address, ULong tag, IRExpr* guard);
/* The segment has this instruction. */
void block_place_instruction(Block* block, Addr begin, UInt bytes);
/* At the start of a block that touches memory: makes room in the trace. */
void block_check_trace(Block* block);
/* The code so far has executed as a whole: what follows belongs to another segment. */
void block_close_segment(Block* block);
/* The same before a conditional exit to `target`, 0 if it is no way in the program; and at the end
 * of the code. */
void block_close_at_exit(Block* block, Addr target);
void block_close_at_end(Block* block, Addr next, Bool calls);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_BLOCK_H_ */
