/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/tool/block.h"

#include "collectors/counting/tool/contexts.h"

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

/* executions[id] += amount. The two additions of the offset stay apart so that each folds into the
 * address of its access: four host instructions in all. */
static void emit_increment(Block* block, IRConst* load_offset, IRConst* store_offset,
                           IRExpr* amount) {
  IRExpr* executions = block_get_shadow(block, kShadowExecutions);
  IRExpr* from = block_assign(block, Ity_I64,
                              IRExpr_Binop(Iop_Add64, executions, IRExpr_Const(load_offset)));
  IRExpr* old = block_assign(block, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, from));
  IRExpr* new = block_assign(block, Ity_I64, IRExpr_Binop(Iop_Add64, old, amount));
  IRExpr* to = block_assign(block, Ity_I64,
                            IRExpr_Binop(Iop_Add64, executions, IRExpr_Const(store_offset)));
  block_append(block, IRStmt_Store(Iend_LE, to, new));
}

static void open_segment(Block* block) {
  block->open = True;
  block->load_offset = IRConst_U64(0);
  block->store_offset = IRConst_U64(0);
  emit_increment(block, block->load_offset, block->store_offset, block_constant(1));
}

void block_count(Block* block, UInt counter, Int amount) {
  if (!block->open) open_segment(block);
  block->segment.sum[counter] += amount;
}

void block_count_if(Block* block, IRExpr* guard, UInt counter, Int amount) {
  Segment one;
  segment_clear(&one);
  one.sum[counter] = amount;
  ULong offset = segment_intern(&one)->id * sizeof(ULong);
  IRExpr* times = block_assign(block, Ity_I64, IRExpr_Unop(Iop_1Uto64, guard));
  emit_increment(block, IRConst_U64(offset), IRConst_U64(offset), times);
}

void block_close_segment(Block* block) {
  if (!block->open) return;
  ULong offset = segment_intern(&block->segment)->id * sizeof(ULong);
  block->load_offset->Ico.U64 = offset;
  block->store_offset->Ico.U64 = offset;
  block->open = False;
  segment_clear(&block->segment);
}
