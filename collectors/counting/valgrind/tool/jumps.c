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

static VG_REGPARM(3) void helper_call(ULong module, ULong from, ULong address) {
  int is_new;
  struct roof_called* called = roof_blocks_called(&kept_blocks, module, from, address, &is_new);
  tl_assert(called);
  if (is_new) {
    const Module there = owner_at((Addr)address).module;
    called->to_module = there.number;
    called->to = address - there.base;
  }
  ++called->times;
}

/* The linker looks a function up when it is called first: its table leads back into the same module
 * then, and the linker jumps to what it found. Another thread may come in between; that is rare,
 * and charges one call to another caller. */
static struct { ULong module, from; /* 0: nobody waits */ } looked_up;

static VG_REGPARM(2) void helper_look_up(ULong module, ULong from) {
  looked_up.module = module;
  looked_up.from = from;
}

static VG_REGPARM(1) void helper_found(ULong address) {
  if (looked_up.module) helper_call(looked_up.module, looked_up.from, address);
  looked_up.module = 0;
}

#define HELPER(count, name, arguments) \
  unsafeIRDirty_0_N(count, #name, VG_(fnptr_to_fnentry)((void*)(Addr)helper_##name), arguments)

void jumps_record(Block* block, const Place* place, Addr from, Bool linkage) {
  const Module* module = &place->module;
  const Bool program = place->owner == ROOF_PROGRAM;
  if (!module->number || !(program || place->owner == ROOF_SERVICE)) return;
  IRExpr* number = block_constant(module->number);
  IRExpr* offset = block_constant(from - module->base);
  IRExpr* next = block->out->next;
  IRExpr* to =
      block_assign(block, Ity_I64, IRExpr_Binop(Iop_Sub64, next, block_constant(module->base)));
  IRExpr* stays = IRExpr_Binop(Iop_CmpLT64U, to, block_constant(module->size));
  IRExpr* leaves = IRExpr_Binop(Iop_CmpLE64U, block_constant(module->size), to);
  if (!linkage)
    block_append_call(block, HELPER(3, jump, mkIRExprVec_3(number, offset, to)), stays);
  else if (program)
    block_append_call(block, HELPER(2, look_up, mkIRExprVec_2(number, offset)), stays);
  if (program)
    block_append_call(block, HELPER(3, call, mkIRExprVec_3(number, offset, next)), leaves);
  else
    block_append_call(block, HELPER(1, found, mkIRExprVec_1(next)), leaves);
}

void jumps_record_call(Block* block, const Place* place, Addr from) {
  if (!place->module.number || place->owner != ROOF_PROGRAM) return;
  IRExpr* number = block_constant(place->module.number);
  IRExpr* offset = block_constant(from - place->module.base);
  block_append_call(block, HELPER(3, call, mkIRExprVec_3(number, offset, block->out->next)),
                    IRExpr_Const(IRConst_U1(True)));
}
