/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/jumps.h"

#include "collectors/counting/contexts/owner.h"
#include "collectors/counting/valgrind/tool/pmu.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_machine.h"

static VG_REGPARM(3) void helper_jump(ULong module, ULong from, ULong to) {
  const int there = roof_blocks_jump(&kept_blocks, module, from, to, 1);
  tl_assert(there);
}

void jumps_record(Block* block, const Place* place, Addr from) {
  const Module* module = &place->module;
  if (place->owner != ROOF_PROGRAM && place->owner != ROOF_SERVICE) return;
  IRExpr* to = block_assign(
      block, Ity_I64, IRExpr_Binop(Iop_Sub64, block->out->next, block_constant(module->base)));
  IRExpr** arguments =
      mkIRExprVec_3(block_constant(module->number), block_constant(from - module->base), to);
  IRDirty* call = unsafeIRDirty_0_N(3, "roofmark_jump",
                                    VG_(fnptr_to_fnentry)((void*)(Addr)helper_jump), arguments);
  block_append_call(block, call, IRExpr_Binop(Iop_CmpLT64U, to, block_constant(module->size)));
}
