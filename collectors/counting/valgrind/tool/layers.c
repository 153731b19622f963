/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/layers.h"

#include "collectors/counting/contexts/owner.h"
#include "collectors/counting/valgrind/tool/pmu.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"

static Bool has_layer(UInt owner) {
  return owner == ROOF_MPI || owner == ROOF_RUNTIME || owner == ROOF_OWN;
}

static VG_REGPARM(2) void helper_reach(ULong owner, ULong stack_pointer) {
  struct roof_layers* layers = pmu_begin_change();
  if (owner == ROOF_RUNTIME) roof_contexts_lead(&contexts, VG_(get_running_tid)());
  pmu_end_change(roof_layers_reach(layers, &contexts.memory, (UInt)owner, stack_pointer));
}

static VG_REGPARM(2) void helper_call_back(ULong target, ULong stack_pointer) {
  if (owner_at(target).owner != ROOF_PROGRAM) return;
  struct roof_layers* layers = pmu_begin_change();
  pmu_end_change(roof_layers_call_back(layers, &contexts.memory, stack_pointer));
}

static VG_REGPARM(1) void helper_return(ULong stack_pointer) {
  roof_layers_return(pmu_begin_change(), stack_pointer);
  pmu_end_change(1);
}

void layers_check_entry(Block* block, const Place* place) {
  if (!has_layer(place->owner)) return;
  IRExpr* owner = block_constant(place->owner);
  IRDirty* call =
      unsafeIRDirty_0_N(2, "roofmark_reach", VG_(fnptr_to_fnentry)((void*)(Addr)helper_reach),
                        mkIRExprVec_2(owner, block_get_stack_pointer(block)));
  block_append_call(block, call,
                    IRExpr_Binop(Iop_CmpNE64, block_get_shadow(block, kShadowOwner), owner));
}

/* A function pointer of a runtime or of roofmark may lead back into the program. */
static void check_call_back(Block* block, const Place* place) {
  IRExpr* target = block->out->next;
  IRExpr* offset =
      block_assign(block, Ity_I64, IRExpr_Binop(Iop_Sub64, target, block_constant(place->begin)));
  IRDirty* call = unsafeIRDirty_0_N(2, "roofmark_call_back",
                                    VG_(fnptr_to_fnentry)((void*)(Addr)helper_call_back),
                                    mkIRExprVec_2(target, block_get_stack_pointer(block)));
  block_append_call(block, call, IRExpr_Binop(Iop_CmpLE64U, block_constant(place->size), offset));
}

static void check_return(Block* block) {
  IRExpr* stack_pointer = block_get_stack_pointer(block);
  IRDirty* call =
      unsafeIRDirty_0_N(1, "roofmark_return", VG_(fnptr_to_fnentry)((void*)(Addr)helper_return),
                        mkIRExprVec_1(stack_pointer));
  block_append_call(
      block, call, IRExpr_Binop(Iop_CmpLT64U, block_get_shadow(block, kShadowCall), stack_pointer));
}

void layers_check_exit(Block* block, const Place* place, Bool linkage) {
  const IRSB* out = block->out;
  if (out->next->tag != Iex_RdTmp || linkage) return;
  const Bool calls = out->jumpkind == Ijk_Call, jumps = out->jumpkind == Ijk_Boring;
  if ((calls || jumps) && (place->owner == ROOF_RUNTIME || place->owner == ROOF_OWN))
    check_call_back(block, place);
  if (place->returns && (jumps || out->jumpkind == Ijk_Ret)) check_return(block);
}
