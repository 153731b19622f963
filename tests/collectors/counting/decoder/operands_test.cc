// SPDX-License-Identifier: BSD-3-Clause
//
// Operands and kinds of single instructions, as assembled by GNU as.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/collectors/counting/decoder/assembled.h"

namespace roofmark {
namespace {

constexpr KnownOperands kCases[] = {
    {"48 89 c3", "mov %rax,%rbx", "data: rax; write: rbx", ROOF_L_MOVE},
    {"89 c3", "mov %eax,%ebx", "data: rax; write: rbx", ROOF_L_MOVE},
    {"66 89 c3", "mov %ax,%bx", "data: rax; merge: rbx; write: rbx", ROOF_L_INT},
    {"88 e3", "mov %ah,%bl", "data: rax; merge: rbx; write: rbx", ROOF_L_INT},
    {"40 88 f3", "mov %sil,%bl", "data: rsi; merge: rbx; write: rbx", ROOF_L_INT},
    {"4a 8b 1c c8", "mov (%rax,%r9,8),%rbx", "address: rax r9; write: rbx; loads", ROOF_L_NONE},
    {"48 8b 1d 10 00 00 00", "mov 0x10(%rip),%rbx", "write: rbx; loads", ROOF_L_NONE},
    {"48 89 5c 24 08", "mov %rbx,8(%rsp)", "address: rsp; data: rbx; stores", ROOF_L_NONE},
    {"8a 00", "mov (%rax),%al", "address: rax; merge: rax; write: rax; loads", ROOF_L_NONE},
    {"48 01 c3", "add %rax,%rbx", "data: rax rbx; write: rbx carry flags", ROOF_L_INT},
    {"48 01 18", "add %rbx,(%rax)", "address: rax; data: rbx; write: carry flags; loads; stores",
     ROOF_L_INT},
    {"48 11 c3", "adc %rax,%rbx", "data: rax rbx carry; write: rbx carry flags", ROOF_L_INT},
    {"48 3b 18", "cmp (%rax),%rbx", "address: rax; data: rbx; write: carry flags; loads",
     ROOF_L_INT},
    {"48 ff c0", "inc %rax", "data: rax; write: rax flags", ROOF_L_INT},
    {"31 c0", "xor %eax,%eax", "write: rax carry flags", ROOF_L_NONE},
    {"30 c0", "xor %al,%al", "data: rax; write: rax carry flags", ROOF_L_INT},
    {"4d 29 c9", "sub %r9,%r9", "write: r9 carry flags", ROOF_L_NONE},
    {"48 8d 4c 58 04", "lea 4(%rax,%rbx,2),%rcx", "data: rax rbx; write: rcx", ROOF_L_INT},
    {"50", "push %rax", "address: rsp; data: rax; write: rsp; stores", ROOF_L_NONE},
    {"58", "pop %rax", "address: rsp; write: rax rsp; loads", ROOF_L_NONE},
    {"ff d0", "call *%rax", "address: rsp; data: rax; write: rsp; stores", ROOF_L_NONE},
    {"c3", "ret", "address: rsp; write: rsp; loads", ROOF_L_NONE},
    {"c9", "leave", "address: rbp; write: rsp rbp; loads", ROOF_L_NONE},
    {"48 0f af d8", "imul %rax,%rbx", "data: rax rbx; write: rbx carry flags", ROOF_L_INT_MUL},
    {"48 f7 e3", "mul %rbx", "data: rax rbx; write: rax rdx carry flags", ROOF_L_INT_MUL},
    {"48 f7 f3", "div %rbx", "data: rax rdx rbx; write: rax rdx", ROOF_L_INT_DIV_64},
    {"f7 3b", "idivl (%rbx)", "address: rbx; data: rax rdx; write: rax rdx; loads",
     ROOF_L_INT_DIV_32},
    {"48 d3 e0", "shl %cl,%rax", "data: rax rcx; write: rax carry flags", ROOF_L_INT},
    {"72 fe", "jb .", "data: carry", ROOF_L_NONE},
    {"7e fe", "jle .", "data: flags", ROOF_L_NONE},
    {"77 fe", "ja .", "data: carry flags", ROOF_L_NONE},
    {"0f 82 10 00 00 00", "jb .+22", "data: carry", ROOF_L_NONE},
    {"e2 fe", "loop .", "data: rcx; write: rcx", ROOF_L_INT},
    {"e0 fe", "loopne .", "data: rcx flags; write: rcx", ROOF_L_INT},
    {"e3 fe", "jrcxz .", "data: rcx", ROOF_L_NONE},
    {"ff 24 c7", "jmp *(%rdi,%rax,8)", "address: rax rdi; loads", ROOF_L_NONE},
    {"3e ff e0", "notrack jmp *%rax", "data: rax", ROOF_L_NONE},
    {"f3 c3", "repz ret", "address: rsp; write: rsp; loads", ROOF_L_NONE},
    {"f0 48 83 00 01", "lock addq $1,(%rax)", "address: rax; write: carry flags; loads; stores",
     ROOF_L_INT},
    {"f0 48 0f b1 0f", "lock cmpxchg %rcx,(%rdi)",
     "address: rdi; data: rax rcx; write: rax carry flags; loads; stores", ROOF_L_INT},
    {"f0 48 0f c1 07", "lock xadd %rax,(%rdi)",
     "address: rdi; data: rax; write: rax carry flags; loads; stores", ROOF_L_INT},
    {"48 0f 42 18", "cmovb (%rax),%rbx", "address: rax; data: rbx carry; write: rbx; loads",
     ROOF_L_INT},
    {"0f 94 c0", "sete %al", "data: flags; merge: rax; write: rax", ROOF_L_INT},
    {"0f b6 18", "movzbl (%rax),%ebx", "address: rax; write: rbx; loads", ROOF_L_NONE},
    {"0f b6 d8", "movzbl %al,%ebx", "data: rax; write: rbx", ROOF_L_INT},
    {"f3 a4", "rep movsb", "address: rsi rdi; data: rcx; write: rcx rsi rdi; loads; stores",
     ROOF_L_INT},
    {"c4 e2 f9 f7 cb", "shlx %rax,%rbx,%rcx", "data: rax rbx; write: rcx", ROOF_L_INT},
    {"c4 e2 e0 f2 c8", "andn %rax,%rbx,%rcx", "data: rax rbx; write: rcx carry flags", ROOF_L_INT},
    {"c4 e2 e3 f6 c8", "mulx %rax,%rbx,%rcx", "data: rax rdx; write: rcx rbx", ROOF_L_INT_MUL},
    {"48 93", "xchg %rax,%rbx", "data: rax rbx; write: rax rbx", ROOF_L_INT},
    {"66 0f 1f 04 00", "nopw 0(%rax,%rax)", "", ROOF_L_NONE},
    {"0f 18 08", "prefetcht0 (%rax)", "", ROOF_L_NONE},
    {"f2 0f 58 d1", "addsd %xmm1,%xmm2", "data: xmm1 xmm2; write: xmm2", ROOF_L_DP_ADD},
    {"f2 0f 58 10", "addsd (%rax),%xmm2", "address: rax; data: xmm2; write: xmm2; loads",
     ROOF_L_DP_ADD},
    {"c5 ec 58 d9", "vaddps %ymm1,%ymm2,%ymm3", "data: xmm1 xmm2; write: xmm3", ROOF_L_SP_ADD},
    {"c5 ed 59 1c 18", "vmulpd (%rax,%rbx),%ymm2,%ymm3",
     "address: rax rbx; data: xmm2; write: xmm3; loads", ROOF_L_DP_MUL},
    {"c4 e2 e9 b9 d9", "vfmadd231sd %xmm1,%xmm2,%xmm3", "data: xmm1 xmm2 xmm3; write: xmm3",
     ROOF_L_DP_FMA},
    {"c4 e2 6d b8 1f", "vfmadd231ps (%rdi),%ymm2,%ymm3",
     "address: rdi; data: xmm2 xmm3; write: xmm3; loads", ROOF_L_SP_FMA},
    {"f2 0f 5e d1", "divsd %xmm1,%xmm2", "data: xmm1 xmm2; write: xmm2", ROOF_L_DP_DIV},
    {"f2 0f 51 d1", "sqrtsd %xmm1,%xmm2", "data: xmm1; merge: xmm2; write: xmm2", ROOF_L_DP_SQRT},
    {"66 0f 51 d1", "sqrtpd %xmm1,%xmm2", "data: xmm1; write: xmm2", ROOF_L_DP_SQRT},
    {"c5 ea 51 d9", "vsqrtss %xmm1,%xmm2,%xmm3", "data: xmm1; merge: xmm2; write: xmm3",
     ROOF_L_SP_SQRT},
    {"0f 52 d1", "rsqrtps %xmm1,%xmm2", "data: xmm1; write: xmm2", ROOF_L_FP_APPROXIMATE},
    {"f2 0f 5f d1", "maxsd %xmm1,%xmm2", "data: xmm1 xmm2; write: xmm2", ROOF_L_FP_COMPARE},
    {"0f 57 c9", "xorps %xmm1,%xmm1", "write: xmm1", ROOF_L_NONE},
    {"c5 f1 ef d1", "vpxor %xmm1,%xmm1,%xmm2", "write: xmm2", ROOF_L_NONE},
    {"66 0f 76 c9", "pcmpeqd %xmm1,%xmm1", "write: xmm1", ROOF_L_VECTOR_INT},
    {"0f 57 d1", "xorps %xmm1,%xmm2", "data: xmm1 xmm2; write: xmm2", ROOF_L_VECTOR_INT},
    {"0f 28 d1", "movaps %xmm1,%xmm2", "data: xmm1; write: xmm2", ROOF_L_MOVE},
    {"f2 0f 10 d1", "movsd %xmm1,%xmm2", "data: xmm1; merge: xmm2; write: xmm2", ROOF_L_VECTOR_INT},
    {"f2 0f 10 10", "movsd (%rax),%xmm2", "address: rax; write: xmm2; loads", ROOF_L_NONE},
    {"f2 0f 11 10", "movsd %xmm2,(%rax)", "address: rax; data: xmm2; stores", ROOF_L_NONE},
    {"0f 16 10", "movhps (%rax),%xmm2", "address: rax; merge: xmm2; write: xmm2; loads",
     ROOF_L_SHUFFLE},
    {"c5 fd 10 10", "vmovupd (%rax),%ymm2", "address: rax; write: xmm2; loads", ROOF_L_NONE},
    {"c4 e2 7d 19 10", "vbroadcastsd (%rax),%ymm2", "address: rax; write: xmm2; loads",
     ROOF_L_NONE},
    {"c4 e2 7d 19 d1", "vbroadcastsd %xmm1,%ymm2", "data: xmm1; write: xmm2", ROOF_L_CROSS},
    {"c4 e3 fd 01 d1 01", "vpermpd $1,%ymm1,%ymm2", "data: xmm1; write: xmm2", ROOF_L_CROSS},
    {"c4 e3 7d 19 ca 01", "vextractf128 $1,%ymm1,%xmm2", "data: xmm1; write: xmm2", ROOF_L_CROSS},
    {"66 0f 15 d1", "unpckhpd %xmm1,%xmm2", "data: xmm1 xmm2; write: xmm2", ROOF_L_SHUFFLE},
    {"f2 0f 2a d0", "cvtsi2sd %eax,%xmm2", "data: rax; merge: xmm2; write: xmm2",
     ROOF_L_CONVERT_GENERAL},
    {"f2 0f 2c c2", "cvttsd2si %xmm2,%eax", "data: xmm2; write: rax", ROOF_L_CONVERT_GENERAL},
    {"f3 0f 5a d1", "cvtss2sd %xmm1,%xmm2", "data: xmm1; merge: xmm2; write: xmm2", ROOF_L_CONVERT},
    {"66 48 0f 6e d0", "movq %rax,%xmm2", "data: rax; write: xmm2", ROOF_L_TO_VECTOR},
    {"66 48 0f 7e d0", "movq %xmm2,%rax", "data: xmm2; write: rax", ROOF_L_FROM_VECTOR},
    {"f3 0f 7e d1", "movq %xmm1,%xmm2", "data: xmm1; write: xmm2", ROOF_L_MOVE},
    {"66 0f 2e d1", "ucomisd %xmm1,%xmm2", "data: xmm1 xmm2; write: carry flags",
     ROOF_L_FROM_VECTOR},
    {"66 0f 50 c1", "movmskpd %xmm1,%eax", "data: xmm1; write: rax", ROOF_L_FROM_VECTOR},
    {"c4 e2 f5 92 1c d0", "vgatherdpd %ymm1,(%rax,%xmm2,8),%ymm3",
     "address: rax xmm2; data: xmm1; merge: xmm3; write: xmm1 xmm3; loads", ROOF_L_NONE},
    {"c4 e2 75 2d 10", "vmaskmovpd (%rax),%ymm1,%ymm2",
     "address: rax; data: xmm1; write: xmm2; loads", ROOF_L_NONE},
    {"c4 e3 65 4b e2 10", "vblendvpd %ymm1,%ymm2,%ymm3,%ymm4", "data: xmm1 xmm2 xmm3; write: xmm4",
     ROOF_L_VECTOR_INT},
    {"66 0f 38 15 d1", "blendvpd %xmm0,%xmm1,%xmm2", "data: xmm0 xmm1 xmm2; write: xmm2",
     ROOF_L_VECTOR_INT},
    {"66 0f 38 40 d1", "pmulld %xmm1,%xmm2", "data: xmm1 xmm2; write: xmm2", ROOF_L_VECTOR_INT_MUL},
    {"66 0f 38 dc d1", "aesenc %xmm1,%xmm2", "data: xmm1 xmm2; write: xmm2", ROOF_L_VECTOR_OTHER},
    {"0f fe d1", "paddd %mm1,%mm2", "data: mm1 mm2; write: mm2", ROOF_L_VECTOR_INT},
    {"dd 00", "fldl (%rax)", "address: rax; write: st7; loads; pops -1", ROOF_L_NONE},
    {"d9 c2", "fld %st(2)", "data: st2; write: st7; pops -1", ROOF_L_X87_MOVE},
    {"db 38", "fstpt (%rax)", "address: rax; data: st0; stores; pops 1", ROOF_L_NONE},
    {"d8 c2", "fadd %st(2),%st", "data: st0 st2; write: st0", ROOF_L_X87_ADD},
    {"de c1", "faddp %st,%st(1)", "data: st0 st1; write: st1; pops 1", ROOF_L_X87_ADD},
    {"dc 08", "fmull (%rax)", "address: rax; data: st0; write: st0; loads", ROOF_L_X87_MUL},
    {"de f1", "fdivp %st,%st(1)", "data: st0 st1; write: st1; pops 1", ROOF_L_X87_DIV},
    {"d9 fa", "fsqrt", "data: st0; write: st0", ROOF_L_X87_SQRT},
    {"d9 cb", "fxch %st(3)", "data: st0 st3; write: st0 st3", ROOF_L_X87_MOVE},
    {"db 00", "fildl (%rax)", "address: rax; write: st7; loads; pops -1", ROOF_L_X87_ADD},
    {"d9 fe", "fsin", "data: st0; write: st0 x87flags", ROOF_L_X87_TRANSCENDENTAL},
    {"de d9", "fcompp", "data: st0 st1; write: x87flags; pops 2", ROOF_L_X87_ADD},
    {"df e0", "fnstsw %ax", "data: x87flags; merge: rax; write: rax", ROOF_L_FROM_VECTOR},
    {"df f1", "fcomip %st(1),%st", "data: st0 st1; write: carry flags; pops 1", ROOF_L_X87_ADD},
    {"da d1", "fcmovbe %st(1),%st", "data: st0 st1 carry flags; write: st0", ROOF_L_X87_ADD},
};

roof_operands Find(const std::string& hex, bool* known = nullptr) {
  const auto bytes = BytesOf(hex);
  roof_operands operands;
  const int found =
      roof_find_operands(bytes.data(), static_cast<unsigned>(bytes.size()), &operands);
  if (known) *known = found;
  return operands;
}

TEST(Operands, OfSingleInstructions) {
  for (const KnownOperands& known : kCases) ExpectOperands(known, &roof_find_operands);
}

// Addresses are computed from the stack pointer without waiting for it; registers trade places.
TEST(Operands, SayWhatIsSpecial) {
  EXPECT_TRUE(Find("50").flags & ROOF_MOVES_STACK);            // push %rax
  EXPECT_TRUE(Find("c3").flags & ROOF_MOVES_STACK);            // ret
  EXPECT_FALSE(Find("48 83 ec 08").flags & ROOF_MOVES_STACK);  // sub $8,%rsp
  EXPECT_TRUE(Find("d9 c9").flags & ROOF_SWAPS);               // fxch
  EXPECT_FALSE(Find("d9 c8").flags & ROOF_SWAPS);              // fxch %st(0)
  EXPECT_TRUE(Find("48 87 d8").flags & ROOF_SWAPS);            // xchg %rbx,%rax
  EXPECT_TRUE(Find("48 93").flags & ROOF_SWAPS);               // xchg %rbx,%rax
  EXPECT_FALSE(Find("86 d8").flags & ROOF_SWAPS);              // xchg %bl,%al
  EXPECT_FALSE(Find("48 87 18").flags & ROOF_SWAPS);           // xchg %rbx,(%rax)
  EXPECT_TRUE(Find("f3 a4").flags & ROOF_MASKED);              // rep movsb
  EXPECT_FALSE(Find("a4").flags & ROOF_MASKED);                // movsb
}

TEST(Operands, SayWhichBranchesGoSeveralWays) {
  constexpr int kBoth = ROOF_BRANCHES | ROOF_INDIRECT;
  for (const char* conditional : {"75 fe", "0f 84 10 00 00 00", "e0 fe", "e1 fe", "e2 fe", "e3 fe"})
    EXPECT_EQ(Find(conditional).flags & kBoth, ROOF_BRANCHES) << conditional;
  for (const char* indirect : {"ff e0", "ff 24 c7", "ff d0", "ff 15 10 00 00 00", "3e ff e0",
                               "f2 ff 25 10 00 00 00"})  // jmp, call, notrack jmp, bnd jmp
    EXPECT_EQ(Find(indirect).flags & kBoth, ROOF_INDIRECT) << indirect;
  for (const char* other : {"eb fe", "e9 10 00 00 00", "e8 10 00 00 00", "c3", "f3 c3", "48 ff c0",
                            "ff 30", "0f 42 c3", "0f 94 c0"})  // jmp, call, ret; inc, push, cmov
    EXPECT_EQ(Find(other).flags & kBoth, 0) << other;
}

TEST(Operands, SayWhatIsAtomic) {
  for (const char* atomic : {"f0 48 83 00 01", "f0 48 0f b1 0f", "f0 48 0f c1 07", "f0 ff 00",
                             "f0 48 0f ba 28 05", "66 f0 0f c7 0f", "f0 48 0f c7 0f", "48 87 18",
                             "86 18"}) {  // xchg with memory needs no prefix
    EXPECT_TRUE(Find(atomic).flags & ROOF_LOCKED) << atomic;
    EXPECT_EQ(Find(atomic).flags & (ROOF_LOADS | ROOF_STORES), ROOF_LOADS | ROOF_STORES) << atomic;
  }
  for (const char* other :
       {"48 83 00 01", "48 0f b1 0f", "48 87 d8", "48 93", "0f ae f0", "48 89 18"})
    EXPECT_FALSE(Find(other).flags & ROOF_LOCKED) << other;  // xchg of registers, mfence, mov
}

// What is not known has no operands, half of them neither.
TEST(Operands, OfUnknownInstructionsAreNone) {
  for (const char* bytes : {"0f a2",              // cpuid
                            "0f 05",              // syscall
                            "0f ae 00",           // fxsave (%rax)
                            "c5 fc 77",           // vzeroall
                            "62 f1 ed 48 58 d9",  // vaddpd %zmm1,%zmm2,%zmm3
                            "c5 f8 92 c8",        // kmovw %eax,%k1
                            "0f c7 f0",           // rdrand %eax
                            "0f"}) {              // nothing
    bool known = true;
    const roof_operands operands = Find(bytes, &known);
    EXPECT_FALSE(known) << bytes;
    EXPECT_EQ(operands.reads + operands.writes + operands.flags, 0) << bytes;
  }
}

// An address needs its SIB byte, which may be cut off.
TEST(Operands, AreReadWithinTheInstruction) {
  bool known = false;
  EXPECT_EQ(SetsOf(Find("48 8b 04", &known)).Text(), "write: rax; loads");
}

}  // namespace
}  // namespace roofmark
