// SPDX-License-Identifier: BSD-3-Clause
//
// What the native engine counts of low precisions and of dot products of integers, by decoding:
// many CPUs lack these instructions.
#include "collectors/counting/native/meaning.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace roofmark {
namespace {

struct Meaning {
  roof_segment always = {}, each = {};
  roof_native_varying varying = {};

  explicit Meaning(std::vector<uint8_t> bytes) {
    bytes.resize(15);
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    roof_native_instruction in;
    roof_native_decode(&decoder, reinterpret_cast<uint64_t>(bytes.data()), bytes.size(), &in);
    EXPECT_EQ(in.kind, ROOF_PLAIN);
    EXPECT_TRUE(roof_native_find_meaning(&in, &always, &each, &varying));
  }
  int Flops() const {
    int flops = 0;
    for (int i = 0; i <= ROOF_C_BF16_FLOPS; ++i) flops += always.sum[i] + each.sum[i];
    return flops;
  }
};

TEST(NativeMeaning, DotProductsOfIntegersAreNoFlops) {
  const Meaning bytes({0x62, 0xF2, 0x75, 0x48, 0x50, 0xC2});  // vpdpbusd zmm0, zmm1, zmm2
  EXPECT_EQ(bytes.always.sum[ROOF_C_VNNI_OPERATIONS], 16 * 8);
  EXPECT_EQ(bytes.always.sum[ROOF_C_FP_OTHER_INSTRUCTIONS], 1);
  EXPECT_EQ(bytes.always.sum[ROOF_C_FP_INSTRUCTIONS], 0);
  EXPECT_EQ(bytes.varying.kind, ROOF_VARIES_NOT);
  EXPECT_EQ(bytes.Flops(), 0);
  const Meaning words({0xC4, 0xE2, 0x75, 0x52, 0xC2});  // vpdpwssd ymm0, ymm1, ymm2
  EXPECT_EQ(words.always.sum[ROOF_C_VNNI_OPERATIONS], 8 * 4);
  EXPECT_EQ(words.always.sum[ROOF_C_FP_OTHER_INSTRUCTIONS], 1);
  EXPECT_EQ(words.always.sum[ROOF_C_FP_INSTRUCTIONS], 0);
  EXPECT_EQ(words.Flops(), 0);
}

TEST(NativeMeaning, MaskedDotProductsCountTheirLanes) {
  const Meaning bytes({0x62, 0xF2, 0x75, 0x4B, 0x51, 0xC2});  // vpdpbusds zmm0 {k3}, zmm1, zmm2
  EXPECT_EQ(bytes.always.sum[ROOF_C_VNNI_OPERATIONS], 0);
  EXPECT_EQ(bytes.each.sum[ROOF_C_VNNI_OPERATIONS], 8);
  EXPECT_EQ(bytes.varying.kind, ROOF_BY_MASK);
  EXPECT_EQ(bytes.varying.reg, 3);
  EXPECT_EQ(bytes.varying.lanes, 16);
}

TEST(NativeMeaning, HalfPrecisionsHaveTheirOwnClasses) {
  const Meaning bf16({0x62, 0xF2, 0x76, 0x4A, 0x52, 0xC2});  // vdpbf16ps zmm0 {k2}, zmm1, zmm2
  EXPECT_EQ(bf16.each.sum[ROOF_C_BF16_FLOPS], 4);
  EXPECT_EQ(bf16.varying.lanes, 16);
  EXPECT_EQ(bf16.always.sum[ROOF_C_FP_INSTRUCTIONS], 1);
  EXPECT_EQ(bf16.Flops(), 4);
  const Meaning fp16({0x62, 0xF6, 0x75, 0x48, 0xB8, 0xC2});  // vfmadd231ph zmm0, zmm1, zmm2
  EXPECT_EQ(fp16.always.sum[ROOF_C_FLOPS(ROOF_HP, ROOF_512, ROOF_FMA)], 32 * 2);
  EXPECT_EQ(fp16.always.sum[ROOF_C_FP_INSTRUCTIONS], 1);
  EXPECT_EQ(fp16.Flops(), 64);
}

}  // namespace
}  // namespace roofmark
