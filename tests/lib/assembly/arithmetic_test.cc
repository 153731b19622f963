// SPDX-License-Identifier: BSD-3-Clause
#include "lib/assembly/arithmetic.h"

#include <gtest/gtest.h>

namespace roofmark::assembly {
namespace {

TEST(Arithmetic, NamesOfInstructionsTellTheWork) {
  EXPECT_EQ(ArithmeticOf("vfmadd231pd").flops, 2u);
  EXPECT_TRUE(ArithmeticOf("vfmadd231pd").packed);
  EXPECT_EQ(ArithmeticOf("vfnmsub132ss").flops, 2u);
  EXPECT_FALSE(ArithmeticOf("vfnmsub132ss").packed);
  EXPECT_EQ(ArithmeticOf("vfmaddsub213ps").element_bits, 32u);
  EXPECT_EQ(ArithmeticOf("addsd").flops, 1u);
  EXPECT_EQ(ArithmeticOf("vsqrtpd").element_bits, 64u);
  EXPECT_EQ(ArithmeticOf("vaddsubpd").flops, 1u);
  EXPECT_EQ(ArithmeticOf("vmulph").element_bits, 16u);
  EXPECT_EQ(ArithmeticOf("faddp").flops, 1u);
}

TEST(Arithmetic, MovesComparesConversionsAndIntegersAreNone) {
  for (const char* other :
       {"movapd", "vmovupd", "ucomisd", "cvtsi2sd", "vmaxpd", "paddd", "psubsb", "add", "sub",
        "imul", "vgatherdpd", "vandpd", "vbroadcastsd", "pd", ""}) {
    EXPECT_EQ(ArithmeticOf(other).flops, 0u) << other;
  }
}

}  // namespace
}  // namespace roofmark::assembly
