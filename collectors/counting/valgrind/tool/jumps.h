/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translated code that tells where jumps through registers and memory lead, while blocks are kept.
 * All other ways follow from the blocks themselves; see contexts/blocks.h. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_JUMPS_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_JUMPS_H_

#include "collectors/counting/valgrind/tool/block.h"
#include "collectors/counting/valgrind/tool/owner_at.h"

/* After the last instruction, which lies at `from`, of code that goes on wherever `out->next` says.
 * Nothing is told where MPI, a runtime or roofmark goes. A jump to another module is told as a
 * call, but not from libc and the like: what these call they were handed by somebody (start_thread,
 * qsort). `linkage`: it is the linker's, and no jump in the same module. */
void jumps_record(Block* block, const Place* place, Addr from, Bool linkage);
/* The same for a call. */
void jumps_record_call(Block* block, const Place* place, Addr from);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_JUMPS_H_ */
