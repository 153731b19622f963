/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/nests.h"

#include "collectors/counting/valgrind/tool/pmu.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

static HChar** files; /* of the modules that have nests */
static UInt count;

Bool nests_set(const struct roof_nest_plan* request) {
  if (count || request->module_count == 0) return False;
  if (roof_nests_set(&contexts.nests, request->nests, (UInt)request->nest_count, request->ranges,
                     (UInt)request->range_count, request->entries, (UInt)request->entry_count) != 1)
    return False;
  files = VG_(calloc)("roofmark", request->module_count, sizeof *files);
  for (UInt i = 0; i < request->module_count; ++i)
    files[i] = VG_(strdup)("roofmark", request->files[i]);
  count = (UInt)request->module_count;
  return True;
}

UInt nests_in(const Module* module) {
  if (!module->number) return 0;
  for (UInt i = 0; i < count; ++i)
    if (VG_(strcmp)(files[i], module_file(module->number)) == 0) return i + 1;
  return 0;
}

/* A handler on a stack of its own is inside whatever it interrupted. */
static Bool is_elsewhere(ThreadId tid, ULong stack_pointer) {
  const Addr begin = VG_(thread_get_altstack_min)(tid);
  return begin && stack_pointer - begin < VG_(thread_get_altstack_size)(tid);
}

static VG_REGPARM(2) void helper_cross(ULong way, ULong stack_pointer) {
  const ThreadId tid = VG_(get_running_tid)();
  if (is_elsewhere(tid, stack_pointer)) return;
  (void)pmu_begin_change();
  pmu_end_change(roof_contexts_cross(&contexts, tid, (UInt)(way >> 32), (UInt)way, stack_pointer));
}

static VG_REGPARM(3) void helper_jump(ULong from, ULong to, ULong stack_pointer) {
  const struct roof_nest_range* range = roof_nests_at(&contexts.nests, (UInt)from, to);
  const ULong nest = range ? range->nest : 0;
  if (from >> 32 != nest) helper_cross((from >> 32) << 32 | nest, stack_pointer);
}

static VG_REGPARM(2) void helper_begin(ULong nest, ULong stack_pointer) {
  const ThreadId tid = VG_(get_running_tid)();
  if (is_elsewhere(tid, stack_pointer)) return;
  (void)pmu_begin_change();
  pmu_end_change(roof_contexts_begin(&contexts, tid, (UInt)nest, stack_pointer));
}

static VG_REGPARM(2) void helper_return(ULong place, ULong stack_pointer) {
  const ThreadId tid = VG_(get_running_tid)();
  if (is_elsewhere(tid, stack_pointer)) return;
  (void)pmu_begin_change();
  pmu_end_change(roof_contexts_come_back(&contexts, tid, place, stack_pointer));
}

static VG_REGPARM(3) void helper_call(ULong way, ULong back, ULong stack_pointer) {
  const ThreadId tid = VG_(get_running_tid)();
  if (is_elsewhere(tid, stack_pointer)) return;
  (void)pmu_begin_change();
  pmu_end_change(
      roof_contexts_call(&contexts, tid, (UInt)(way >> 32), (UInt)way, back, stack_pointer));
}

static UInt nest_at(UInt module, Addr place) {
  const struct roof_nest_range* range = roof_nests_at(&contexts.nests, module, place);
  return range ? range->nest : 0;
}

void nests_check_begin(Block* block, UInt module, Addr place) {
  const UInt nest = module ? roof_nests_begin_at(&contexts.nests, module, place) : 0;
  if (!nest) return;
  IRExpr** arguments = mkIRExprVec_2(block_constant(nest), block_get_stack_pointer(block));
  block_append(block, IRStmt_Dirty(unsafeIRDirty_0_N(
                          2, "roofmark_nest_begin",
                          VG_(fnptr_to_fnentry)((void*)(Addr)helper_begin), arguments)));
}

void nests_check_way(Block* block, UInt module, Addr from, Addr to, IRExpr* guard) {
  if (!module) return;
  const ULong left = nest_at(module, from), entered = nest_at(module, to);
  if (left == entered) return;
  block_close_segment(block);
  IRExpr** arguments =
      mkIRExprVec_2(block_constant(left << 32 | entered), block_get_stack_pointer(block));
  IRDirty* call = unsafeIRDirty_0_N(2, "roofmark_nest_cross",
                                    VG_(fnptr_to_fnentry)((void*)(Addr)helper_cross), arguments);
  if (guard) call->guard = guard;
  block_append(block, IRStmt_Dirty(call));
}

void nests_check_jump(Block* block, UInt module, Addr from) {
  if (!module || !roof_nests_at(&contexts.nests, module, from)) return;
  IRExpr* to =
      block_assign(block, Ity_I64,
                   IRExpr_Binop(Iop_Sub64, block->out->next, block_constant(block->module.base)));
  IRExpr** arguments = mkIRExprVec_3(block_constant((ULong)nest_at(module, from) << 32 | module),
                                     to, block_get_stack_pointer(block));
  block_append(block, IRStmt_Dirty(unsafeIRDirty_0_N(
                          3, "roofmark_nest_jump", VG_(fnptr_to_fnentry)((void*)(Addr)helper_jump),
                          arguments)));
}

void nests_check_call(Block* block, UInt module, Addr from, Addr back) {
  if (!module) return;
  const ULong left = nest_at(module, from), entered = nest_at(module, back);
  if (left == entered) return;
  IRExpr** arguments =
      mkIRExprVec_3(block_constant(left << 32 | entered), block_constant(block->module.base + back),
                    block_get_stack_pointer(block));
  block_append(block, IRStmt_Dirty(unsafeIRDirty_0_N(
                          3, "roofmark_nest_call", VG_(fnptr_to_fnentry)((void*)(Addr)helper_call),
                          arguments)));
}

void nests_check_return(Block* block, Bool by_call) {
  if (!count) return;
  IRExpr* place = by_call ? block->out->next : block_constant(0);
  IRExpr* stack_pointer = block_get_stack_pointer(block);
  IRDirty* call = unsafeIRDirty_0_N(2, "roofmark_nest_return",
                                    VG_(fnptr_to_fnentry)((void*)(Addr)helper_return),
                                    mkIRExprVec_2(place, stack_pointer));
  block_append_call(
      block, call, IRExpr_Binop(Iop_CmpLT64U, block_get_shadow(block, kShadowNest), stack_pointer));
}
