/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Guest bytes say what an instruction is; Valgrind's intermediate code says which memory it touches
 * and where the block can be left. */
#include "collectors/counting/valgrind/tool/instrument.h"

#include "collectors/counting/cache/record.h"
#include "collectors/counting/decoder/decoder.h"
#include "collectors/counting/valgrind/protocol.h"
#include "collectors/counting/valgrind/tool/block.h"
#include "collectors/counting/valgrind/tool/jumps.h"
#include "collectors/counting/valgrind/tool/layers.h"
#include "collectors/counting/valgrind/tool/nests.h"
#include "collectors/counting/valgrind/tool/options.h"
#include "collectors/counting/valgrind/tool/pmu.h"
#include "collectors/counting/valgrind/tool/undecodable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_transtab.h"

/* The instruction whose statements are being read. */
typedef struct {
  Addr address;
  UInt bytes;
  UChar opcode;
  struct roof_class class;
  Bool loads;   /* already counted as a load, */
  Bool stores;  /* as a store */
  Bool looping; /* a repeated string instruction that has passed its test for zero iterations */
  Bool charged; /* the open segment counts the instruction as finished */
  Bool linkage; /* goes where the dynamic linker says */
} Instruction;

typedef struct {
  Block block;
  Bool model_caches; /* its accesses are traced */
  Instruction instruction;
  const IRStmt* select; /* the last choice between two values seen */
  Place place;          /* of the code, which is straight, but for loops that VEX has unrolled */
  UInt nests;           /* number of its module among those with nests; 0: it has none */
  Addr last;            /* the instruction before; 0: there is none */
} Pass;

void instrument_translate_anew(void) {
  VG_(discard_translations_safely)((Addr)0x1000, ~(SizeT)0xfff, "roofmark");
}

/* Guarded accesses are counted where their guard holds; NULL: always. */
static void count_bytes(Pass* pass, UInt counter, Int bytes, IRExpr* guard) {
  if (guard) {
    block_count_if(&pass->block, guard, counter, bytes);
  } else {
    block_count(&pass->block, counter, bytes);
  }
}

/* A repeated string instruction is counted as one load or store, at its start. */
static Bool is_string(const Pass* pass) {
  return (pass->instruction.class.flags & ROOF_IS_REPEATED_STRING) != 0;
}

static void count_load(Pass* pass, IRExpr* address, Int bytes, IRExpr* guard) {
  /* The engine merges a masked non-temporal store with what it reads; the machine reads nothing. */
  if (pass->instruction.class.flags & ROOF_IS_NT_STORE) return;
  if (!pass->instruction.loads && !is_string(pass))
    block_count(&pass->block, ROOF_C_LOAD_INSTRUCTIONS, 1);
  pass->instruction.loads = True;
  count_bytes(pass, ROOF_C_LOAD_BYTES, bytes, guard);
  if (pass->model_caches)
    block_trace(&pass->block, address, ROOF_RECORD_TAG(ROOF_LOAD, bytes), guard);
}

static void count_store(Pass* pass, IRExpr* address, Int bytes, IRExpr* guard) {
  Bool past_caches = (pass->instruction.class.flags & ROOF_IS_NT_STORE) != 0;
  if (!pass->instruction.stores && !is_string(pass))
    block_count(&pass->block, ROOF_C_STORE_INSTRUCTIONS, 1);
  pass->instruction.stores = True;
  count_bytes(pass, ROOF_C_STORE_BYTES, bytes, guard);
  if (past_caches) count_bytes(pass, ROOF_C_NT_STORE_BYTES, bytes, guard);
  if (pass->model_caches)
    block_trace(&pass->block, address,
                ROOF_RECORD_TAG(past_caches ? ROOF_NT_STORE : ROOF_STORE, bytes), guard);
}

/* The loads and stores that every iteration of a string instruction does: A4 movs, A6 cmps, AA
 * stos, AC lods, AE scas; 6C ins, 6E outs. */
static void count_string_accesses(Pass* pass, UChar opcode, Int sign) {
  Bool stores = (opcode & 0xFE) == 0xA4 || (opcode & 0xFE) == 0xAA || (opcode & 0xFE) == 0x6C;
  Bool loads = (opcode & 0xFE) != 0xAA && (opcode & 0xFE) != 0x6C;
  if (loads) block_count(&pass->block, ROOF_C_LOAD_INSTRUCTIONS, sign);
  if (stores) block_count(&pass->block, ROOF_C_STORE_INSTRUCTIONS, sign);
}

static void count_instruction(Pass* pass, Int sign) {
  const struct roof_class* class = &pass->instruction.class;
  Block* block = &pass->block;
  block_count(block, ROOF_C_INSTRUCTIONS, sign);
  for (UInt i = 0; i < class->terms; ++i)
    block_count(block, class->term[i].counter, class->term[i].operations);
  if (roof_does_flops(class->flags, class->terms)) block_count(block, ROOF_C_FP_INSTRUCTIONS, 1);
  if (class->flags & ROOF_IS_FP_OTHER) block_count(block, ROOF_C_FP_OTHER_INSTRUCTIONS, 1);
  if (class->flags & ROOF_IS_BRANCH) block_count(block, ROOF_C_BRANCH_INSTRUCTIONS, 1);
  if (class->flags & ROOF_IS_X87_TRANSCENDENTAL) block_count(block, ROOF_C_X87_TRANSCENDENTALS, 1);
  if (is_string(pass)) count_string_accesses(pass, pass->instruction.opcode, sign);
}

/* The code just read goes on at `target`. Iterations of a repeated string instruction come back to
 * the instruction itself: these are taken back, so that the instruction counts once. */
static void string_goes_to(Pass* pass, Addr target) {
  Bool repeats = target == pass->instruction.address;
  if (repeats && pass->instruction.charged) count_instruction(pass, -1);
  if (!repeats && !pass->instruction.charged) count_instruction(pass, 1);
  pass->instruction.charged = !repeats;
}

/* call or jmp through a pointer that lies at a distance from the code: the table of the dynamic
 * linker. */
static Bool is_linkage(const struct roof_instruction* decoded) {
  return decoded->map == 0 && decoded->opcode == 0xFF &&
         (decoded->modrm == 0x15 || decoded->modrm == 0x25);
}

static void check_way(Pass* pass, Addr from, Addr to, IRExpr* guard) {
  const Addr base = pass->place.module.base;
  nests_check_way(&pass->block, pass->nests, from - base, to - base, guard);
}

static void begin_instruction(Pass* pass, const IRStmt* mark) {
  struct roof_instruction decoded;
  Instruction* instruction = &pass->instruction;
  if (instruction->looping) string_goes_to(pass, mark->Ist.IMark.addr);
  VG_(memset)(instruction, 0, sizeof *instruction);
  instruction->address = mark->Ist.IMark.addr;
  instruction->bytes = mark->Ist.IMark.len;
  if (pass->last) check_way(pass, pass->last, instruction->address, NULL);
  pass->last = instruction->address;
  if (mark->Ist.IMark.len == 0) return; /* could not be decoded, will not be executed */
  if (roof_decode((const UChar*)mark->Ist.IMark.addr, mark->Ist.IMark.len, &decoded))
    roof_classify(&decoded, &instruction->class);
  instruction->opcode = decoded.opcode;
  instruction->linkage = is_linkage(&decoded);
  instruction->charged = True;
  block_place_instruction(&pass->block, mark->Ist.IMark.addr, mark->Ist.IMark.len);
  count_instruction(pass, 1);
  if (pass->block.windows)
    block_begin_instruction(&pass->block, mark->Ist.IMark.addr, mark->Ist.IMark.len);
}

/* The guard of a load by gather: the engine reads the stack instead of an element whose mask is off
 * and says so by selecting the address just before. */
static IRExpr* gather_guard(Pass* pass, const IRExpr* address) {
  if (!(pass->instruction.class.flags & ROOF_IS_GATHER)) return NULL;
  if (!pass->select || address->tag != Iex_RdTmp) return NULL;
  return pass->select->Ist.WrTmp.tmp == address->Iex.RdTmp.tmp
             ? pass->select->Ist.WrTmp.data->Iex.ITE.cond
             : NULL;
}

static Int size_of(const Pass* pass, const IRExpr* expression) {
  return sizeofIRType(typeOfIRExpr(pass->block.out->tyenv, expression));
}

static void read_assignment(Pass* pass, const IRStmt* statement) {
  const IRExpr* data = statement->Ist.WrTmp.data;
  if (data->tag == Iex_ITE) pass->select = statement;
  if (data->tag == Iex_Load)
    count_load(pass, data->Iex.Load.addr, sizeofIRType(data->Iex.Load.ty),
               gather_guard(pass, data->Iex.Load.addr));
}

static void read_guarded_load(Pass* pass, const IRLoadG* load) {
  IRType result, loaded;
  typeOfIRLoadGOp(load->cvt, &result, &loaded);
  count_load(pass, load->addr, sizeofIRType(loaded), load->guard);
}

static void read_compare_and_swap(Pass* pass, const IRCAS* cas) {
  Int bytes = size_of(pass, cas->dataLo) * (cas->dataHi ? 2 : 1);
  /* The engine reads the old value of a locked addition and the like before it, the machine once.
   */
  if (!pass->instruction.loads) count_load(pass, cas->addr, bytes, NULL);
  count_store(pass, cas->addr, bytes, NULL);
}

static void read_dirty_call(Pass* pass, const IRDirty* call) {
  Bool always = call->guard->tag == Iex_Const;
  IRExpr* guard = always ? NULL : call->guard;
  if (call->mFx == Ifx_None || (always && !call->guard->Iex.Const.con->Ico.U1)) return;
  if (call->mFx != Ifx_Write) count_load(pass, call->mAddr, call->mSize, guard);
  if (call->mFx != Ifx_Read) count_store(pass, call->mAddr, call->mSize, guard);
}

/* Exits that raise a fault in the middle of an instruction (a misaligned operand) split nothing: a
 * program that takes one is about to end. */
static Bool is_fault(const IRStmt* statement) {
  return statement->Ist.Exit.jk == Ijk_SigSEGV || statement->Ist.Exit.jk == Ijk_SigBUS;
}

static void read_exit(Pass* pass, const IRStmt* statement) {
  if (is_fault(statement)) return;
  if (is_string(pass)) {
    if (pass->instruction.looping) string_goes_to(pass, statement->Ist.Exit.dst->Ico.U64);
    pass->instruction.looping = True;
  }
  const Bool goes_on = !is_string(pass) && statement->Ist.Exit.jk == Ijk_Boring;
  const Addr target = statement->Ist.Exit.dst->Ico.U64;
  block_close_at_exit(&pass->block, goes_on ? target : 0);
  if (goes_on) check_way(pass, pass->instruction.address, target, statement->Ist.Exit.guard);
}

static void read_statement(Pass* pass, IRStmt* statement) {
  switch (statement->tag) {
    case Ist_IMark:
      begin_instruction(pass, statement);
      break;
    case Ist_WrTmp:
      read_assignment(pass, statement);
      break;
    case Ist_LoadG:
      read_guarded_load(pass, statement->Ist.LoadG.details);
      break;
    case Ist_Store:
      count_store(pass, statement->Ist.Store.addr, size_of(pass, statement->Ist.Store.data), NULL);
      break;
    case Ist_StoreG: {
      const IRStoreG* store = statement->Ist.StoreG.details;
      count_store(pass, store->addr, size_of(pass, store->data), store->guard);
      break;
    }
    case Ist_CAS:
      read_compare_and_swap(pass, statement->Ist.CAS.details);
      break;
    case Ist_Dirty:
      read_dirty_call(pass, statement->Ist.Dirty.details);
      break;
    case Ist_Exit:
      read_exit(pass, statement);
      break;
    default:
      break;
  }
}

/* Where the code goes on: at `next`, or, if that is 0, where only the execution says. */
static void finish_way(Pass* pass, Addr next) {
  Block* block = &pass->block;
  const Addr from = pass->instruction.address;
  if (block->out->jumpkind == Ijk_Ret) {
    nests_check_return(block, True);
  } else if (block->out->jumpkind == Ijk_Call) {
    const Addr base = pass->place.module.base;
    if (!next && block->places) jumps_record_call(block, &pass->place, from);
    nests_check_call(block, pass->nests, from - base, from + pass->instruction.bytes - base);
  } else if (next) {
    check_way(pass, from, next, NULL);
  } else if (block->out->jumpkind == Ijk_Boring) {
    const Bool linkage = pass->instruction.linkage;
    if (block->places) jumps_record(block, &pass->place, from, linkage);
    if (linkage) return;
    nests_check_jump(block, pass->nests, from - pass->place.module.base);
    nests_check_return(block, False); /* longjmp, exceptions */
  }
}

static void finish_block(Pass* pass) {
  const IRSB* out = pass->block.out;
  if (pass->instruction.looping && out->next->tag == Iex_Const)
    string_goes_to(pass, out->next->Iex.Const.con->Ico.U64);
  const Addr next = out->next->tag == Iex_Const ? out->next->Iex.Const.con->Ico.U64 : 0;
  block_close_at_end(&pass->block, is_string(pass) ? 0 : next, out->jumpkind == Ijk_Call);
  finish_way(pass, next);
  layers_check_exit(&pass->block, &pass->place, pass->instruction.linkage);
}

static Bool touches_memory(const IRSB* block) {
  for (Int i = 0; i < block->stmts_used; ++i) {
    const IRStmt* statement = block->stmts[i];
    switch (statement->tag) {
      case Ist_Store:
      case Ist_StoreG:
      case Ist_LoadG:
      case Ist_CAS:
      case Ist_Dirty:
        return True;
      case Ist_WrTmp:
        if (statement->Ist.WrTmp.data->tag == Iex_Load) return True;
        break;
      default:
        break;
    }
  }
  return False;
}

static void begin_code(Pass* pass, Addr begin) {
  pass->place = owner_at(begin);
  pass->nests = nests_in(&pass->place.module);
  pass->block.module = pass->place.module;
  pass->block.places = pmu_keeps_blocks && pass->place.module.number;
  layers_check_entry(&pass->block, &pass->place);
  nests_check_begin(&pass->block, pass->nests, begin - pass->place.module.base);
}

IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                 const VexGuestExtents* extents, const VexArchInfo* host, IRType guest_word,
                 IRType host_word) {
  (void)closure, (void)extents, (void)host, (void)guest_word, (void)host_word;
  static Pass pass; /* large; translation is not concurrent */
  if (in->jumpkind == Ijk_NoDecode) undecodable_replace(in);
  if (contexts.extent == ROOF_COUNT_NOTHING) return in;
  VG_(memset)(&pass, 0, sizeof pass);
  pass.block.out = deepCopyIRSBExceptStmts(in);
  pass.block.shadow = layout->total_sizeB;
  const Bool models = contexts.extent != ROOF_COUNT_CHEAP;
  pass.model_caches = options.model_caches && models;
  pass.block.windows = options.windows && models;
  Bool check = pass.model_caches && (pass.block.windows || touches_memory(in));
  for (Int i = 0; i < in->stmts_used; ++i) {
    /* An exit's segment ends before it; an instruction's mark precedes what counts it. */
    Bool first = in->stmts[i]->tag == Ist_IMark;
    if (first) block_append(&pass.block, in->stmts[i]);
    if (first && !pass.last) begin_code(&pass, in->stmts[i]->Ist.IMark.addr);
    if (first && check) block_check_trace(&pass.block);
    if (first) check = False;
    read_statement(&pass, in->stmts[i]);
    if (!first) block_append(&pass.block, in->stmts[i]);
  }
  finish_block(&pass);
  return pass.block.out;
}
