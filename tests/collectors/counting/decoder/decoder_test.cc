// SPDX-License-Identifier: BSD-3-Clause
//
// What the decoder says of single instructions, as assembled by GNU as.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/collectors/counting/decoder/assembled.h"
#include "tests/collectors/counting/decoder/decoder_text.h"

namespace roofmark {
namespace {

struct Case {
  const char* bytes;
  const char* assembly;
  const char* meaning;
};

constexpr Case kCases[] = {
    {"f2 0f 58 d1", "addsd %xmm1,%xmm2", "dp.scalar.add=1"},
    {"f2 44 0f 58 20", "addsd (%rax),%xmm12", "dp.scalar.add=1"},
    {"66 0f 58 d1", "addpd %xmm1,%xmm2", "dp.128.add=2"},
    {"42 0f 58 54 88 08", "addps 0x8(%rax,%r9,4),%xmm2", "sp.128.add=4"},
    {"f3 0f 58 d1", "addss %xmm1,%xmm2", "sp.scalar.add=1"},
    {"66 0f 5c d1", "subpd %xmm1,%xmm2", "dp.128.add=2"},
    {"f3 0f 59 d1", "mulss %xmm1,%xmm2", "sp.scalar.mul=1"},
    {"66 41 0f 59 d1", "mulpd %xmm9,%xmm2", "dp.128.mul=2"},
    {"0f 5e d1", "divps %xmm1,%xmm2", "sp.128.div=4"},
    {"f2 0f 5e d1", "divsd %xmm1,%xmm2", "dp.scalar.div=1"},
    {"66 0f 51 d1", "sqrtpd %xmm1,%xmm2", "dp.128.sqrt=2"},
    {"f3 0f 51 14 24", "sqrtss (%rsp),%xmm2", "sp.scalar.sqrt=1"},
    {"0f 53 d1", "rcpps %xmm1,%xmm2", "sp.128.div=4"},
    {"f3 0f 53 d1", "rcpss %xmm1,%xmm2", "sp.scalar.div=1"},
    {"0f 52 d1", "rsqrtps %xmm1,%xmm2", "sp.128.sqrt=4"},
    {"f3 0f 52 d1", "rsqrtss %xmm1,%xmm2", "sp.scalar.sqrt=1"},
    {"c5 ed 58 d9", "vaddpd %ymm1,%ymm2,%ymm3", "dp.256.add=4"},
    {"c5 ec 58 d9", "vaddps %ymm1,%ymm2,%ymm3", "sp.256.add=8"},
    {"c5 e9 58 d9", "vaddpd %xmm1,%xmm2,%xmm3", "dp.128.add=2"},
    {"c5 eb 58 d9", "vaddsd %xmm1,%xmm2,%xmm3", "dp.scalar.add=1"},
    {"c4 a1 6c 59 1c 10", "vmulps (%rax,%r10,1),%ymm2,%ymm3", "sp.256.mul=8"},
    {"c4 c1 6d 5e d8", "vdivpd %ymm8,%ymm2,%ymm3", "dp.256.div=4"},
    {"c4 c1 7c 51 d0", "vsqrtps %ymm8,%ymm2", "sp.256.sqrt=8"},
    {"c4 c1 7c 53 d0", "vrcpps %ymm8,%ymm2", "sp.256.div=8"},
    {"c4 e2 ed b8 d9", "vfmadd231pd %ymm1,%ymm2,%ymm3", "dp.256.fma=8"},
    {"c4 e2 69 a8 d9", "vfmadd213ps %xmm1,%xmm2,%xmm3", "sp.128.fma=8"},
    {"c4 e2 e9 99 d9", "vfmadd132sd %xmm1,%xmm2,%xmm3", "dp.scalar.fma=2"},
    {"c4 e2 69 bd 1f", "vfnmadd231ss (%rdi),%xmm2,%xmm3", "sp.scalar.fma=2"},
    {"c4 e2 ed b6 d9", "vfmaddsub231pd %ymm1,%ymm2,%ymm3", "dp.256.fma=8"},
    {"c4 e2 69 97 d9", "vfmsubadd132ps %xmm1,%xmm2,%xmm3", "sp.128.fma=8"},
    {"c4 e3 e5 69 e1 20", "vfmaddpd %ymm1,%ymm2,%ymm3,%ymm4", "dp.256.fma=8"},
    {"c4 e3 e1 7e e1 20", "vfnmsubss %xmm1,%xmm2,%xmm3,%xmm4", "sp.scalar.fma=2"},
    {"66 0f 7c d1", "haddpd %xmm1,%xmm2", "dp.128.add=2"},
    {"c5 ef 7d d9", "vhsubps %ymm1,%ymm2,%ymm3", "sp.256.add=8"},
    {"66 0f d0 d1", "addsubpd %xmm1,%xmm2", "dp.128.add=2"},
    {"f2 0f d0 d1", "addsubps %xmm1,%xmm2", "sp.128.add=4"},
    {"66 0f 3a 40 d1 f1", "dpps $0xf1,%xmm1,%xmm2", "sp.128.mul=4 sp.128.add=3"},
    {"66 0f 3a 40 d1 71", "dpps $0x71,%xmm1,%xmm2", "sp.128.mul=3 sp.128.add=2"},
    {"c4 e3 6d 40 d9 ff", "vdpps $0xff,%ymm1,%ymm2,%ymm3", "sp.256.mul=8 sp.256.add=6"},
    {"66 0f 3a 41 d1 31", "dppd $0x31,%xmm1,%xmm2", "dp.128.mul=2 dp.128.add=1"},
    {"66 0f 3a 41 d1 13", "dppd $0x13,%xmm1,%xmm2", "dp.128.mul=1"},
    {"66 0f 3a 40 d1 0f", "dpps $0xf,%xmm1,%xmm2", "other"},
    {"66 0f 5d d1", "minpd %xmm1,%xmm2", "other"},
    {"f3 0f 5f d1", "maxss %xmm1,%xmm2", "other"},
    {"66 0f c2 d1 01", "cmpltpd %xmm1,%xmm2", "other"},
    {"66 0f 2e d1", "ucomisd %xmm1,%xmm2", "other"},
    {"f2 48 0f 2a d0", "cvtsi2sd %rax,%xmm2", "other"},
    {"f2 0f 2c c2", "cvttsd2si %xmm2,%eax", "other"},
    {"0f 5a d1", "cvtps2pd %xmm1,%xmm2", "other"},
    {"c4 e2 7d 13 d1", "vcvtph2ps %xmm1,%ymm2", "other"},
    {"c4 e3 7d 1d ca 00", "vcvtps2ph $0x0,%ymm1,%xmm2", "other"},
    {"0f 57 c9", "xorps %xmm1,%xmm1", "other"},
    {"66 0f ef c9", "pxor %xmm1,%xmm1", "other"},
    {"66 0f c6 d1 01", "shufpd $0x1,%xmm1,%xmm2", "other"},
    {"66 0f 14 d1", "unpcklpd %xmm1,%xmm2", "other"},
    {"66 0f 28 d1", "movapd %xmm1,%xmm2", "other"},
    {"66 0f 28 10", "movapd (%rax),%xmm2", ""},
    {"66 0f 11 10", "movupd %xmm2,(%rax)", ""},
    {"f2 0f 10 08", "movsd (%rax),%xmm1", ""},
    {"f2 0f 10 d1", "movsd %xmm1,%xmm2", "other"},
    {"c5 fc 28 d1", "vmovaps %ymm1,%ymm2", "other"},
    {"c4 e2 7d 19 10", "vbroadcastsd (%rax),%ymm2", ""},
    {"c4 e2 7d 19 d1", "vbroadcastsd %xmm1,%ymm2", "other"},
    {"66 0f 3a 0b d1 01", "roundsd $0x1,%xmm1,%xmm2", "other"},
    {"c4 e3 6d 06 d9 01", "vperm2f128 $0x1,%ymm1,%ymm2,%ymm3", "other"},
    {"c4 e3 7d 19 ca 01", "vextractf128 $0x1,%ymm1,%xmm2", "other"},
    {"66 0f fe d1", "paddd %xmm1,%xmm2", "other"},
    {"66 0f 2b 08", "movntpd %xmm1,(%rax)", "nt-store"},
    {"c5 fc 2b 08", "vmovntps %ymm1,(%rax)", "nt-store"},
    {"66 0f e7 08", "movntdq %xmm1,(%rax)", "nt-store"},
    {"48 0f c3 07", "movnti %rax,(%rdi)", "nt-store"},
    {"0f e7 00", "movntq %mm0,(%rax)", "nt-store"},
    {"66 0f f7 d1", "maskmovdqu %xmm1,%xmm2", "nt-store"},
    {"66 0f 38 2a 08", "movntdqa (%rax),%xmm1", ""},
    {"d8 00", "fadds (%rax)", "dp.scalar.add=1"},
    {"dc 00", "faddl (%rax)", "dp.scalar.add=1"},
    {"d8 c1", "fadd %st(1),%st", "dp.scalar.add=1"},
    {"de c2", "faddp %st,%st(2)", "dp.scalar.add=1"},
    {"de 00", "fiadds (%rax)", "dp.scalar.add=1"},
    {"da 08", "fimull (%rax)", "dp.scalar.mul=1"},
    {"de c9", "fmulp %st,%st(1)", "dp.scalar.mul=1"},
    {"dc 28", "fsubrl (%rax)", "dp.scalar.add=1"},
    {"de f9", "fdivrp %st,%st(1)", "dp.scalar.div=1"},
    {"d8 30", "fdivs (%rax)", "dp.scalar.div=1"},
    {"d9 fa", "fsqrt", "dp.scalar.sqrt=1"},
    {"d9 fe", "fsin", "transcendental"},
    {"d9 f1", "fyl2x", "transcendental"},
    {"d9 f0", "f2xm1", "transcendental"},
    {"d9 ff", "fcos", "transcendental"},
    {"d9 f8", "fprem", "other"},
    {"d8 10", "fcoms (%rax)", "other"},
    {"de d9", "fcompp", "other"},
    {"df e9", "fucomip %st(1),%st", "other"},
    {"dd 00", "fldl (%rax)", ""},
    {"dd 18", "fstpl (%rax)", ""},
    {"db 28", "fldt (%rax)", ""},
    {"db 00", "fildl (%rax)", "other"},
    {"df 38", "fistpll (%rax)", "other"},
    {"d9 c9", "fxch %st(1)", "other"},
    {"d9 e0", "fchs", "other"},
    {"d9 e8", "fld1", "other"},
    {"d9 38", "fnstcw (%rax)", ""},
    {"df e0", "fnstsw %ax", ""},
    {"75 fe", "jne 0x18b", "branch"},
    {"ff e0", "jmp *%rax", "branch"},
    {"ff 10", "call *(%rax)", "branch"},
    {"0f 84 00 00 00 00", "je 0x197", "branch"},
    {"c3", "ret", "branch"},
    {"f3 a4", "rep movsb %ds:(%rsi),%es:(%rdi)", "repeated-string"},
    {"f3 48 ab", "rep stos %rax,%es:(%rdi)", "repeated-string"},
    {"f2 ae", "repnz scas %es:(%rdi),%al", "repeated-string"},
    {"a4", "movsb %ds:(%rsi),%es:(%rdi)", ""},
    {"f3 90", "pause", ""},
    {"f3 48 0f b8 d8", "popcnt %rax,%rbx", ""},
    {"f3 48 0f bc d8", "tzcnt %rax,%rbx", ""},
    {"c4 e2 e0 f2 c8", "andn %rax,%rbx,%rcx", ""},
    {"c4 e3 fb f0 d8 03", "rorx $0x3,%rax,%rbx", ""},
    {"f2 0f 38 f0 d8", "crc32 %al,%ebx", ""},
    {"0f 38 f0 18", "movbe (%rax),%ebx", ""},
    {"48 8d 18", "lea (%rax),%rbx", ""},
    {"66 0f 1f 04 00", "nopw (%rax,%rax,1)", ""},
    {"0f 18 00", "prefetchnta (%rax)", ""},
    {"c4 e2 f5 92 1c d0", "vgatherdpd %ymm1,(%rax,%xmm2,8),%ymm3", "gather"},
    {"c4 e2 f5 91 1c d0", "vpgatherqq %ymm1,(%rax,%ymm2,8),%ymm3", "gather"},
    {"c4 e2 75 2d 10", "vmaskmovpd (%rax),%ymm1,%ymm2", ""},
    {"c5 f8 77", "vzeroupper", ""},
    {"0f 77", "emms", ""},
    {"f2 0f f0 08", "lddqu (%rax),%xmm1", ""},
    {"62 f1 ed 48 58 d9", "vaddpd %zmm1,%zmm2,%zmm3", "avx512"},
    {"62 f2 ed 48 b8 d9", "vfmadd231pd %zmm1,%zmm2,%zmm3", "avx512"},
    {"62 b1 ed 28 58 d9", "vaddpd %ymm17,%ymm2,%ymm3", "avx512"},
    {"c5 f8 92 c8", "kmovw %eax,%k1", "avx512"},
    {"c5 f8 98 d1", "kortestw %k1,%k2", "avx512"},
    {"c4 e3 f9 32 d1 01", "kshiftlw $0x1,%k1,%k2", "avx512"},
    {"8f 00", "pop (%rax)", ""},
    {"8f e9 70 90 da", "vprotb %xmm1,%xmm2,%xmm3", "other"},
    {"8f c9 7c 80 11", "vfrczps (%r9),%ymm2", "other"},
    {"8f e9 f0 01 c8", "blcfill %rax,%rcx", ""},
    {"8f ea 78 10 c8 10 00 00 00", "bextr $0x10,%eax,%ecx", ""},
};

TEST(Decoder, KnowsWhatInstructionsDo) {
  for (const Case& c : kCases) EXPECT_EQ(DecodedText(BytesOf(c.bytes)), c.meaning) << c.assembly;
}

TEST(Decoder, SkipsPrefixesThatChangeNothing) {
  EXPECT_EQ(DecodedText(BytesOf("64 f2 0f 58 00")), "dp.scalar.add=1");  // addsd %fs:(%rax)
  EXPECT_EQ(DecodedText(BytesOf("67 66 0f 58 00")), "dp.128.add=2");     // addpd (%eax)
  EXPECT_EQ(DecodedText(BytesOf("f0 48 0f b1 0a")), "");                 // lock cmpxchg
}

TEST(Decoder, SaysWhenBytesEndTooEarly) {
  for (const Case& c : kCases) {
    std::vector<uint8_t> bytes = BytesOf(c.bytes);
    for (size_t size = 0; size < bytes.size(); ++size) {
      roof_instruction instruction;
      // Must not read beyond; what it says of a truncated instruction is only "too short" or not.
      std::vector<uint8_t> cut(bytes.begin(), bytes.begin() + static_cast<long>(size));
      roof_decode(cut.data(), static_cast<unsigned>(size), &instruction);
    }
  }
  roof_instruction instruction;
  EXPECT_EQ(roof_decode(nullptr, 0, &instruction), 0);
  const uint8_t prefix_only[] = {0x66, 0x0F};
  EXPECT_EQ(roof_decode(prefix_only, 2, &instruction), 0);
}

}  // namespace
}  // namespace roofmark
