/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/undecodable.h"

#include "collectors/counting/decoder/decoder.h"
#include "libvex_guest_amd64.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"

enum { kLongestInstruction = 15, kPage = 4096 };

/* Bytes that can be read at the address without crossing into another page. */
static UInt readable(Addr address) {
  UInt in_page = kPage - (UInt)(address % kPage);
  return in_page < kLongestInstruction ? in_page : kLongestInstruction;
}

static Bool is_avx512(Addr address) {
  struct roof_instruction decoded;
  struct roof_class class;
  if (!roof_decode((const UChar*)address, readable(address), &decoded))
    return *(const UChar*)address == 0x62;
  roof_classify(&decoded, &class);
  return (class.flags & ROOF_IS_AVX512) != 0;
}

static void explain(Addr address) {
  const HChar *function = "?", *object = "?";
  DiEpoch now = VG_(current_DiEpoch)();
  VG_(get_fnname)(now, address, &function);
  VG_(get_objname)(now, address, &object);
  if (is_avx512(address)) {
    VG_(printf)
    ("roofmark: AVX-512 instruction at 0x%lx in function %s of %s: Valgrind's engine cannot "
     "execute AVX-512. ROOFMARK_ENGINE=native does, where it is installed (roofmark doctor tells). "
     "Without it, rebuild that object with -march=x86-64-v3 or, if it chooses its code at run "
     "time, pin that "
     "choice to AVX2; or use another collector.\n",
     address, function, object);
  } else {
    const UChar* bytes = (const UChar*)address;
    VG_(printf)
    ("roofmark: instruction 0x%02x 0x%02x 0x%02x 0x%02x at 0x%lx in function %s of %s: the "
     "counting engine cannot execute it. Rebuild that object for an older processor "
     "(-march=x86-64-v3), or use another collector.\n",
     bytes[0], bytes[1], bytes[2], bytes[3], address, function, object);
  }
}

static VG_REGPARM(1) void helper_explain(Addr address) { explain(address); }

static Addr address_of(const IRSB* block) { return block->next->Iex.Const.con->Ico.U64; }

static void explain_when_reached(IRSB* block) {
  IRDirty* call =
      unsafeIRDirty_0_N(1, "roofmark_explain", VG_(fnptr_to_fnentry)((void*)(Addr)helper_explain),
                        mkIRExprVec_1(IRExpr_Const(IRConst_U64(address_of(block)))));
  addStmtToIRSB(block, IRStmt_Dirty(call));
}

enum { kRdtscpBytes = 3 };

static Bool is_rdtscp(Addr address) {
  const UChar* bytes = (const UChar*)address;
  return readable(address) >= kRdtscpBytes && bytes[0] == 0x0F && bytes[1] == 0x01 &&
         bytes[2] == 0xF9;
}

static ULong helper_time_stamp(void) {
  UInt low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (ULong)high << 32 | low;
}

static void put(IRSB* block, Int offset, IRExpr* value) {
  addStmtToIRSB(block, IRStmt_Put(offset, value));
}

static void put_part(IRSB* block, Int offset, IROp operation, IRTemp of, IRExpr* by) {
  IRTemp part = newIRTemp(block->tyenv, Ity_I64);
  addStmtToIRSB(block, IRStmt_WrTmp(part, IRExpr_Binop(operation, IRExpr_RdTmp(of), by)));
  put(block, offset, IRExpr_RdTmp(part));
}

/* The number of the CPU, which it also gives, is 0: one thread runs at a time. */
static void execute_rdtscp(IRSB* block) {
  IRTemp stamp = newIRTemp(block->tyenv, Ity_I64);
  IRDirty* call =
      unsafeIRDirty_1_N(stamp, 0, "roofmark_time_stamp",
                        VG_(fnptr_to_fnentry)((void*)(Addr)helper_time_stamp), mkIRExprVec_0());
  addStmtToIRSB(block, IRStmt_Dirty(call));
  put_part(block, offsetof(VexGuestAMD64State, guest_RAX), Iop_And64, stamp,
           IRExpr_Const(IRConst_U64(0xFFFFFFFF)));
  put_part(block, offsetof(VexGuestAMD64State, guest_RDX), Iop_Shr64, stamp,
           IRExpr_Const(IRConst_U8(32)));
  put(block, offsetof(VexGuestAMD64State, guest_RCX), IRExpr_Const(IRConst_U64(0)));
  block->next = IRExpr_Const(IRConst_U64(address_of(block) + kRdtscpBytes));
  block->jumpkind = Ijk_Boring;
}

void undecodable_replace(IRSB* block) {
  if (is_rdtscp(address_of(block))) {
    execute_rdtscp(block);
  } else {
    explain_when_reached(block);
  }
}
