/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translated code that reports where a thread's layer changes: contexts/layers.h keeps the calls.
 * Only code that is not the program's executable pays for it: MPI, runtimes and roofmark two or
 * three instructions a block, the other libraries as much at a return. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_LAYERS_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_LAYERS_H_

#include "collectors/counting/valgrind/tool/block.h"
#include "collectors/counting/valgrind/tool/owner_at.h"

/* Before the first instruction of a place, or where a block goes on in another place. No segment is
 * open. */
void layers_check_entry(Block* block, const Place* place);
/* After the last instruction of a block, whose output is complete otherwise. `linkage`: it is a
 * call or jump to a function that the dynamic linker found. */
void layers_check_exit(Block* block, const Place* place, Bool linkage);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_LAYERS_H_ */
