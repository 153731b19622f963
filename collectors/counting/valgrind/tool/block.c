/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/block.h"

#include "collectors/counting/trace/trace.h"
#include "collectors/counting/valgrind/tool/pmu.h"
#include "libvex_guest_amd64.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_machine.h"

IRExpr* block_constant(ULong value) { return IRExpr_Const(IRConst_U64(value)); }

void block_append(Block* block, IRStmt* statement) { addStmtToIRSB(block->out, statement); }

IRExpr* block_assign(Block* block, IRType type, IRExpr* expression) {
  IRTemp temp = newIRTemp(block->out->tyenv, type);
  block_append(block, IRStmt_WrTmp(temp, expression));
  return IRExpr_RdTmp(temp);
}

IRExpr* block_get_shadow(Block* block, Int offset) {
  return block_assign(block, Ity_I64, IRExpr_Get(block->shadow + offset, Ity_I64));
}

IRExpr* block_get_stack_pointer(Block* block) {
  return block_assign(block, Ity_I64, IRExpr_Get(offsetof(VexGuestAMD64State, guest_RSP), Ity_I64));
}

void block_append_call(Block* block, IRDirty* call, IRExpr* guard) {
  call->guard = block_assign(block, Ity_I1, guard);
  block_append(block, IRStmt_Dirty(call));
}

/* executions[id] += amount. The two additions of the offset stay apart so that each folds into the
 * address of its access: four host instructions in all. */
static void emit_increment(Block* block, IRConst* load_offset, IRConst* store_offset,
                           IRExpr* amount) {
  IRExpr* executions = block_get_shadow(block, kShadowExecutions);
  IRExpr* from =
      block_assign(block, Ity_I64, IRExpr_Binop(Iop_Add64, executions, IRExpr_Const(load_offset)));
  IRExpr* old = block_assign(block, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, from));
  IRExpr* new = block_assign(block, Ity_I64, IRExpr_Binop(Iop_Add64, old, amount));
  IRExpr* to =
      block_assign(block, Ity_I64, IRExpr_Binop(Iop_Add64, executions, IRExpr_Const(store_offset)));
  block_append(block, IRStmt_Store(Iend_LE, to, new));
}

static void open_segment(Block* block) {
  block->open = True;
  block->load_offset = IRConst_U64(0);
  block->store_offset = IRConst_U64(0);
  block->increment = block->out->stmts_used;
  emit_increment(block, block->load_offset, block->store_offset, block_constant(1));
  block->increment_end = block->out->stmts_used;
}

/* A traced segment needs no increment: its header in the trace is counted. */
static void take_back_increment(Block* block) {
  for (Int i = block->increment; i < block->increment_end; ++i)
    block->out->stmts[i] = IRStmt_NoOp();
}

static void emit_trace(Block* block, UInt slot, IRExpr* value) {
  IRExpr* place = slot ? block_assign(block, Ity_I64,
                                      IRExpr_Binop(Iop_Add64, block->trace,
                                                   block_constant(slot * sizeof(ULong))))
                       : block->trace;
  block_append(block, IRStmt_Store(Iend_LE, place, value));
}

static void start_trace(Block* block) {
  if (!block->open) open_segment(block);
  take_back_increment(block);
  block->header = IRConst_U64(0);
  block->trace = block_get_shadow(block, kShadowTrace);
  emit_trace(block, 0, IRExpr_Const(block->header));
}

void block_begin_instruction(Block* block, Addr place, UInt bytes) {
  if (block->instructions == ROOF_CODE_MOST) block_close_segment(block);
  if (!block->open) open_segment(block);
  roof_code_read((const UChar*)place, bytes, place, &block->code[block->instructions++]);
}

/* An access behind an exit in the middle of its instruction: that goes on without its registers. */
static void count_access(Block* block) {
  if (!block->windows) return;
  if (block->instructions == 0) block_begin_instruction(block, 0, 0);
  ++block->code[block->instructions - 1].accesses;
}

void block_trace(Block* block, IRExpr* address, ULong tag, IRExpr* guard) {
  if (block->segment.accesses == ROOF_MAX_ACCESSES) block_close_segment(block);
  if (!block->trace) start_trace(block);
  if (guard) address = block_assign(block, Ity_I64, IRExpr_ITE(guard, address, block_constant(0)));
  count_access(block);
  block->segment.guarded += guard != NULL;
  block->segment.tag[block->segment.accesses++] = tag;
  emit_trace(block, block->segment.accesses, address);
}

void block_check_trace(Block* block) {
  IRDirty* call = unsafeIRDirty_0_N(
      0, "roofmark_flush", VG_(fnptr_to_fnentry)((void*)(Addr)pmu_flush_running), mkIRExprVec_0());
  IRExpr* beyond = block_assign(block, Ity_I64,
                                IRExpr_Binop(Iop_And64, block_get_shadow(block, kShadowTrace),
                                             block_constant(ROOF_TRACE_FULL_BIT)));
  block_append_call(block, call, IRExpr_Unop(Iop_CmpNEZ64, beyond));
}

static void close_trace(Block* block, const struct roof_descriptor* descriptor) {
  IRExpr* end =
      block_assign(block, Ity_I64,
                   IRExpr_Binop(Iop_Add64, block->trace,
                                block_constant((descriptor->accesses + 1) * sizeof(ULong))));
  block_append(block, IRStmt_Put(block->shadow + kShadowTrace, end));
  block->header->Ico.U64 = (Addr)descriptor;
  block->trace = NULL;
}

void block_count(Block* block, UInt counter, Int amount) {
  if (!block->open) open_segment(block);
  block->segment.sum[counter] += amount;
}

void block_count_if(Block* block, IRExpr* guard, UInt counter, Int amount) {
  static struct roof_segment one; /* large; translation is not concurrent */
  roof_segment_clear(&one);
  one.sum[counter] = amount;
  ULong offset = roof_segments_intern(&segments, &one)->id * sizeof(ULong);
  IRExpr* times = block_assign(block, Ity_I64, IRExpr_Unop(Iop_1Uto64, guard));
  emit_increment(block, IRConst_U64(offset), IRConst_U64(offset), times);
}

void block_place_instruction(Block* block, Addr begin, UInt bytes) {
  struct roof_block_code* executed = &block->executed;
  if (!block->places) return;
  begin -= block->module.base;
  if (!block->before && !executed->translation) executed->translation = begin;
  if (!executed->begin) executed->begin = begin;
  executed->last = begin;
  executed->end = begin + bytes;
  ++executed->instructions;
}

static void keep_place(Block* block) {
  block->executed.module = block->module.number;
  struct roof_block* kept = roof_blocks_intern(&kept_blocks, &block->executed);
  tl_assert(kept);
  if (block->before) block->before->behind = kept;
  block->before = block->segment.block = kept;
  const struct roof_block_code next = {.translation = kept->code.translation,
                                       .position = kept->code.position + 1,
                                       .last = kept->code.last};
  block->executed = next;
}

/* Every segment is traced, so that windows see them in their order. */
static void keep_code(Block* block) {
  if (!block->trace) start_trace(block);
  block->segment.code = roof_codes_intern(&codes, block->code, block->instructions,
                                          block->segment.sum[ROOF_C_INSTRUCTIONS]);
}

void block_close_segment(Block* block) {
  if (!block->open) return;
  if (block->windows) keep_code(block);
  if (block->places) keep_place(block);
  const struct roof_descriptor* descriptor = roof_segments_intern(&segments, &block->segment);
  block->load_offset->Ico.U64 = descriptor->id * sizeof(ULong);
  block->store_offset->Ico.U64 = descriptor->id * sizeof(ULong);
  if (block->trace) close_trace(block, descriptor);
  block->open = False;
  block->instructions = 0;
  roof_segment_clear(&block->segment);
}

void block_close_at_exit(Block* block, Addr target) {
  block->executed.exit_to = target ? target - block->module.base : 0;
  block_close_segment(block);
}

/* How often an exit was taken is what the segment before it has more than the one behind it. */
void block_close_at_end(Block* block, Addr next, Bool calls) {
  if (block->places && !block->open) open_segment(block);
  block->executed.next = next ? next - block->module.base : 0;
  block->executed.calls = calls;
  block_close_segment(block);
}
