/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translated code that reports where a thread enters and leaves nests: contexts/nests.h keeps them.
 * Code pays for it where it crosses the border of a nest, where a function that is a nest begins,
 * and, two or three instructions, at every return. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_NESTS_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_NESTS_H_

#include "collectors/counting/valgrind/protocol.h"
#include "collectors/counting/valgrind/tool/block.h"
#include "collectors/counting/valgrind/tool/modules.h"

/* 1; 0 if what is asked for makes no sense, or nests were set before. */
Bool nests_set(const struct roof_nest_plan* request);

/* The number of the module among those that nests were set in, from 1; 0: it has none. */
UInt nests_in(const Module* module);

/* `module` is such a number, places are offsets in it. Before the first instruction of code: */
void nests_check_begin(Block* block, UInt module, Addr place);
/* where it goes from one instruction to another, if the guard, an I1, holds (NULL: always): a
 * closed segment is behind it; */
void nests_check_way(Block* block, UInt module, Addr from, Addr to, IRExpr* guard);
/* and after its last instruction, where it jumps anywhere, where it calls what comes back to
 * `back`, and where frames end: by a return from a call, or by a jump. */
void nests_check_jump(Block* block, UInt module, Addr from);
void nests_check_call(Block* block, UInt module, Addr from, Addr back);
void nests_check_return(Block* block, Bool by_call);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_NESTS_H_ */
