/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/jumps.h"

#include "collectors/counting/contexts/owner.h"
#include "collectors/counting/valgrind/tool/pmu.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_machine.h"

static VG_REGPARM(2) void helper_jump(ULong from, ULong to) {
  const int there = roof_blocks_jump(&kept_blocks, from, to);
  tl_assert(there);
}

void jumps_record(Block* block, const Place* place, Addr from) {
  if (place->owner != ROOF_PROGRAM && place->owner != ROOF_SERVICE) return;
  IRExpr** arguments = mkIRExprVec_2(block_constant(from), block->out->next);
  IRDirty* call = unsafeIRDirty_0_N(2, "roofmark_jump",
                                    VG_(fnptr_to_fnentry)((void*)(Addr)helper_jump), arguments);
  block_append(block, IRStmt_Dirty(call));
}
