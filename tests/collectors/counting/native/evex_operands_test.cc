// SPDX-License-Identifier: BSD-3-Clause
//
// Operands and kinds of AVX-512's instructions, as assembled by GNU as, and the time by dependences
// of loops of them. Decoded, not executed: any CPU does.
#include "collectors/counting/native/evex_operands.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/collectors/counting/dataflow/flow_fixture.h"
#include "tests/collectors/counting/decoder/assembled.h"

namespace roofmark {
namespace {

int Find(const uint8_t* bytes, unsigned size, roof_operands* out) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  roof_native_instruction in;
  roof_native_decode(&decoder, reinterpret_cast<uint64_t>(bytes), size, &in);
  return roof_native_find_evex_operands(&decoder, &in, out);
}

int FindAny(const uint8_t* bytes, unsigned size, roof_operands* out) {
  return roof_find_operands(bytes, size, out) || Find(bytes, size, out);
}

constexpr KnownOperands kCases[] = {
    {"62 f1 ed 48 58 cb", "vaddpd %zmm3,%zmm2,%zmm1", "data: xmm2 xmm3; write: xmm1",
     ROOF_L_DP_ADD},
    {"62 f1 ed 4a 58 cb", "vaddpd %zmm3,%zmm2,%zmm1{%k2}",
     "data: xmm2 xmm3 k2; merge: xmm1; write: xmm1", ROOF_L_DP_ADD},
    {"62 f1 ed ca 58 cb", "vaddpd %zmm3,%zmm2,%zmm1{%k2}{z}", "data: xmm2 xmm3 k2; write: xmm1",
     ROOF_L_DP_ADD},
    {"62 e1 ed 58 58 0c c8", "vaddpd (%rax,%rcx,8){1to8},%zmm2,%zmm17",
     "address: rax rcx; data: xmm2; write: xmm17; loads", ROOF_L_DP_ADD},
    {"62 f2 ed 48 b8 cb", "vfmadd231pd %zmm3,%zmm2,%zmm1", "data: xmm1 xmm2 xmm3; write: xmm1",
     ROOF_L_DP_FMA},
    {"62 f2 6d 4a b8 cb", "vfmadd231ps %zmm3,%zmm2,%zmm1{%k2}",
     "data: xmm1 xmm2 xmm3 k2; write: xmm1", ROOF_L_SP_FMA},
    {"62 a2 ed 00 b9 cb", "vfmadd231sd %xmm19,%xmm18,%xmm17",
     "data: xmm17 xmm18 xmm19; write: xmm17", ROOF_L_DP_FMA},
    {"62 f1 6c 48 5e cb", "vdivps %zmm3,%zmm2,%zmm1", "data: xmm2 xmm3; write: xmm1",
     ROOF_L_SP_DIV},
    {"62 f1 fd 48 51 cb", "vsqrtpd %zmm3,%zmm1", "data: xmm3; write: xmm1", ROOF_L_DP_SQRT},
    {"62 a1 ef 00 51 cb", "vsqrtsd %xmm19,%xmm18,%xmm17", "data: xmm19; merge: xmm18; write: xmm17",
     ROOF_L_DP_SQRT},
    {"62 f2 fd 48 4c cb", "vrcp14pd %zmm3,%zmm1", "data: xmm3; write: xmm1", ROOF_L_FP_APPROXIMATE},
    {"62 f1 fd 48 28 cb", "vmovapd %zmm3,%zmm1", "data: xmm3; write: xmm1", ROOF_L_MOVE},
    {"62 f1 fd 4a 28 cb", "vmovapd %zmm3,%zmm1{%k2}", "data: xmm3 k2; merge: xmm1; write: xmm1",
     ROOF_L_VECTOR_INT},
    {"62 f1 fd 48 10 08", "vmovupd (%rax),%zmm1", "address: rax; write: xmm1; loads", ROOF_L_NONE},
    {"62 f1 fd 4a 10 08", "vmovupd (%rax),%zmm1{%k2}",
     "address: rax; data: k2; merge: xmm1; write: xmm1; loads", ROOF_L_NONE},
    {"62 f1 fd 4a 11 08", "vmovupd %zmm1,(%rax){%k2}", "address: rax; data: xmm1 k2; stores",
     ROOF_L_NONE},
    {"62 f2 fd 4a 92 0c d0", "vgatherdpd (%rax,%ymm2,8),%zmm1{%k2}",
     "address: rax xmm2; data: k2; merge: xmm1; write: xmm1 k2; loads", ROOF_L_NONE},
    {"62 f2 fd 4a a2 0c d0", "vscatterdpd %zmm1,(%rax,%ymm2,8){%k2}",
     "address: rax xmm2; data: xmm1 k2; write: k2; stores", ROOF_L_NONE},
    {"62 f1 ed 48 c2 cb 01", "vcmpltpd %zmm3,%zmm2,%k1", "data: xmm2 xmm3; write: k1",
     ROOF_L_FP_COMPARE},
    {"62 f3 6d 4a 1f cb 01", "vpcmpltd %zmm3,%zmm2,%k1{%k2}", "data: xmm2 xmm3 k2; write: k1",
     ROOF_L_VECTOR_INT},
    {"62 f2 ed 4a 65 cb", "vblendmpd %zmm3,%zmm2,%zmm1{%k2}", "data: xmm2 xmm3 k2; write: xmm1",
     ROOF_L_VECTOR_INT},
    {"62 f3 6d 48 25 cb 96", "vpternlogd $0x96,%zmm3,%zmm2,%zmm1",
     "data: xmm1 xmm2 xmm3; write: xmm1", ROOF_L_VECTOR_INT},
    {"62 f3 6d 4a 25 cb 96", "vpternlogd $0x96,%zmm3,%zmm2,%zmm1{%k2}",
     "data: xmm1 xmm2 xmm3 k2; write: xmm1", ROOF_L_VECTOR_INT},
    {"62 f2 ed 48 7f cb", "vpermt2pd %zmm3,%zmm2,%zmm1", "data: xmm1 xmm2 xmm3; write: xmm1",
     ROOF_L_CROSS},
    {"62 f3 fd 48 05 cb 01", "vpermilpd $0x1,%zmm3,%zmm1", "data: xmm3; write: xmm1",
     ROOF_L_SHUFFLE},
    {"62 f1 65 48 ef cb", "vpxord %zmm3,%zmm3,%zmm1", "write: xmm1", ROOF_L_NONE},
    {"62 f1 65 4a ef cb", "vpxord %zmm3,%zmm3,%zmm1{%k2}",
     "data: xmm3 k2; merge: xmm1; write: xmm1", ROOF_L_VECTOR_INT},
    {"62 f1 6d 48 fe cb", "vpaddd %zmm3,%zmm2,%zmm1", "data: xmm2 xmm3; write: xmm1",
     ROOF_L_VECTOR_INT},
    {"62 f2 6d 48 40 cb", "vpmulld %zmm3,%zmm2,%zmm1", "data: xmm2 xmm3; write: xmm1",
     ROOF_L_VECTOR_INT_MUL},
    {"62 f1 7e 48 e6 cb", "vcvtdq2pd %ymm3,%zmm1", "data: xmm3; write: xmm1", ROOF_L_CONVERT},
    {"62 f1 ef 08 7b c8", "vcvtusi2sd %rax,%xmm2,%xmm1", "data: rax; merge: xmm2; write: xmm1",
     ROOF_L_CONVERT_GENERAL},
    {"62 f1 ff 08 78 c3", "vcvttsd2usi %xmm3,%rax", "data: xmm3; write: rax",
     ROOF_L_CONVERT_GENERAL},
    {"62 f2 7d 48 7c c8", "vpbroadcastd %eax,%zmm1", "data: rax; write: xmm1", ROOF_L_TO_VECTOR},
    {"62 f2 fd 48 19 08", "vbroadcastsd (%rax),%zmm1", "address: rax; write: xmm1; loads",
     ROOF_L_NONE},
    {"62 f3 fd 48 1b d9 01", "vextractf64x4 $0x1,%zmm3,%ymm1", "data: xmm3; write: xmm1",
     ROOF_L_CROSS},
    {"62 f3 fd 48 1b 18 01", "vextractf64x4 $0x1,%zmm3,(%rax)", "address: rax; data: xmm3; stores",
     ROOF_L_NONE},
    {"62 f2 fd 4a 8a 08", "vcompresspd %zmm1,(%rax){%k2}", "address: rax; data: xmm1 k2; stores",
     ROOF_L_CROSS},
    {"62 f2 7e 48 38 c9", "vpmovm2d %k1,%zmm1", "data: k1; write: xmm1", ROOF_L_VECTOR_INT},
    {"62 a1 fd 08 2e d1", "vucomisd %xmm17,%xmm18", "data: xmm17 xmm18; write: carry flags",
     ROOF_L_FROM_VECTOR},
    {"c5 f9 90 d1", "kmovb %k1,%k2", "data: k1; write: k2", ROOF_L_VECTOR_INT},
    {"c5 f8 92 d0", "kmovw %eax,%k2", "data: rax; write: k2", ROOF_L_TO_VECTOR},
    {"c5 f8 93 c2", "kmovw %k2,%eax", "data: k2; write: rax", ROOF_L_FROM_VECTOR},
    {"c4 e1 f8 90 10", "kmovq (%rax),%k2", "address: rax; write: k2; loads", ROOF_L_NONE},
    {"c5 ec 41 cb", "kandw %k3,%k2,%k1", "data: k2 k3; write: k1", ROOF_L_VECTOR_INT},
    {"c5 f9 98 d1", "kortestb %k1,%k2", "data: k1 k2; write: carry flags", ROOF_L_FROM_VECTOR},
    {"62 f2 6e 48 52 cb", "vdpbf16ps %zmm3,%zmm2,%zmm1", "data: xmm1 xmm2 xmm3; write: xmm1",
     ROOF_L_SP_FMA},
    {"62 f2 6d 48 50 cb", "vpdpbusd %zmm3,%zmm2,%zmm1", "data: xmm1 xmm2 xmm3; write: xmm1",
     ROOF_L_VECTOR_INT_MUL},
    {"62 f2 7e 48 35 18", "vpmovqd %zmm3,(%rax)", "address: rax; data: xmm3; stores", ROOF_L_CROSS},
    {"62 f1 ed 48 5d cb", "vminpd %zmm3,%zmm2,%zmm1", "data: xmm2 xmm3; write: xmm1",
     ROOF_L_FP_COMPARE},
    {"62 a1 ef 00 5a cb", "vcvtsd2ss %xmm19,%xmm18,%xmm17",
     "data: xmm19; merge: xmm18; write: xmm17", ROOF_L_CONVERT},
    {"62 a1 6e 02 10 cb", "vmovss %xmm19,%xmm18,%xmm17{%k2}",
     "data: xmm19 k2; merge: xmm17 xmm18; write: xmm17", ROOF_L_VECTOR_INT},
    {"62 f1 65 48 fa cb", "vpsubd %zmm3,%zmm3,%zmm1", "write: xmm1", ROOF_L_NONE},
};

TEST(EvexOperands, OfSingleInstructions) {
  for (const KnownOperands& known : kCases) {
    const std::vector<uint8_t> bytes = BytesOf(known.bytes);
    roof_operands operands;
    EXPECT_FALSE(roof_find_operands(bytes.data(), static_cast<unsigned>(bytes.size()), &operands))
        << known.assembly;
    ExpectOperands(known, &Find);
  }
}

TEST(EvexOperands, OthersAreTheDecoders) {
  roof_operands operands;
  for (const char* hex : {"48 89 c3", "c5 ed 58 cb", "0f a2"}) {  // mov, vaddpd of ymm, cpuid
    const std::vector<uint8_t> bytes = BytesOf(hex);
    EXPECT_FALSE(Find(bytes.data(), static_cast<unsigned>(bytes.size()), &operands)) << hex;
    EXPECT_EQ(SetsOf(operands).Text(), "") << hex;
  }
}

double Cycles(const std::vector<Instruction>& body) {
  return CyclesPerIteration(Measure(body, Core(), &FindAny));
}

// 3 cycles for an addition, 4 for a fused operation, 1 for masks and comparisons.
TEST(EvexOperands, ChainsTakeAsLongAsTheirOperations) {
  EXPECT_DOUBLE_EQ(Cycles({{"vfmadd231pd %zmm3,%zmm2,%zmm1", "62 f2 ed 48 b8 cb"}}), 4);
  EXPECT_DOUBLE_EQ(Cycles({{"vaddpd %zmm3,%zmm1,%zmm1{%k2}", "62 f1 f5 4a 58 cb"}}), 3);
  EXPECT_DOUBLE_EQ(Cycles({{"kandw %k2,%k1,%k1", "c5 f4 41 ca"}}), 1);
  EXPECT_DOUBLE_EQ(Cycles({{"vcmpltpd %zmm2,%zmm1,%k1", "62 f1 f5 48 c2 ca 01"},
                           {"vaddpd %zmm3,%zmm1,%zmm1{%k1}", "62 f1 f5 49 58 cb"}}),
                   4);
}

TEST(EvexOperands, WhatAMaskKeepsIsAChainAndWhatItClearsIsNone) {
  EXPECT_DOUBLE_EQ(Cycles({{"vmulpd %zmm3,%zmm2,%zmm1{%k2}", "62 f1 ed 4a 59 cb"}}), 1);
  EXPECT_NEAR(Cycles({{"vmulpd %zmm3,%zmm2,%zmm1{%k2}{z}", "62 f1 ed ca 59 cb"}}), 1.0 / 6, 0.01);
  EXPECT_NEAR(Cycles({{"vmulpd %zmm3,%zmm2,%zmm1", "62 f1 ed 48 59 cb"}}), 1.0 / 6, 0.01);
}

// x[i] = a * x[i - 1], where a gather loads x[i - 1]: 9 cycles through memory, 5 of the product.
// The mask that a gather clears is set anew.
TEST(EvexOperands, AGatherTakesWhatWasStored) {
  const auto place = [](uint64_t i) { return 4096 + 8 * i; };
  const auto before = [place](uint64_t i) {
    std::vector<roof_flow_access> lanes;
    for (uint64_t lane = 0; lane < 8; ++lane)
      lanes.push_back({place(i - 1), 8, ROOF_FLOW_L1, 0, 0});
    return lanes;
  };
  EXPECT_DOUBLE_EQ(Cycles({{"kmovb %k1,%k2", "c5 f9 90 d1"},
                           {"vgatherdpd (%rax,%ymm2,8),%zmm1{%k2}", "62 f2 fd 4a 92 0c d0", before},
                           {"vmulpd %zmm1,%zmm3,%zmm4", "62 f1 e5 48 59 e1"},
                           {"vmovsd %xmm4,(%rbx)", "c5 fb 11 23", Store(place)}}),
                   9 + 5);
}

}  // namespace
}  // namespace roofmark
