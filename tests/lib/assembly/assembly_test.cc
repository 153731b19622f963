// SPDX-License-Identifier: BSD-3-Clause
#include "lib/assembly/assembly.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <random>

namespace roofmark::assembly {
namespace {

std::string Bytes(std::initializer_list<int> values) {
  std::string bytes;
  for (const int value : values) bytes += static_cast<char>(value);
  return bytes;
}

class Assembly : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!CanRead()) GTEST_SKIP() << WhyNot();
  }
  static Instruction One(std::initializer_list<int> values, Sizes sizes = Sizes::kWhereNeeded) {
    const std::vector<Instruction> all = Read(Bytes(values), 0x1000, sizes);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? Instruction() : all[0];
  }
};

TEST_F(Assembly, AFusedPairOnFourLanes) {
  const Instruction one = One({0xc4, 0xe2, 0xed, 0xb8, 0x04, 0xcb});
  EXPECT_EQ(one.text, "vfmadd231pd ymm0, ymm2, [rbx+rcx*8]");
  EXPECT_EQ(one.lanes, Lanes::k256);
  EXPECT_EQ(one.lane_count, 4u);
  EXPECT_EQ(one.flops, 8u);
  EXPECT_EQ(One({0xc4, 0xe2, 0xed, 0xb8, 0x04, 0xcb}, Sizes::kAll).text,
            "vfmadd231pd ymm0, ymm2, ymmword ptr [rbx+rcx*8]");
}

TEST_F(Assembly, AScalarAddition) {
  const Instruction one = One({0xf2, 0x0f, 0x58, 0xc1});
  EXPECT_EQ(one.text, "addsd xmm0, xmm1");
  EXPECT_EQ(one.lanes, Lanes::kScalar);
  EXPECT_EQ(one.flops, 1u);
}

TEST_F(Assembly, AGather) {
  const Instruction one = One({0xc4, 0xe2, 0xf5, 0x92, 0x04, 0xd3});
  EXPECT_TRUE(one.gathers);
  EXPECT_EQ(one.lane_count, 4u);
  EXPECT_EQ(one.flops, 0u);
}

TEST_F(Assembly, AMask) {
  const Instruction one = One({0x62, 0xf1, 0xfd, 0x49, 0x58, 0xc1});
  EXPECT_TRUE(one.masked);
  EXPECT_EQ(one.mask, "k1");
  EXPECT_EQ(one.lanes, Lanes::k512);
  EXPECT_FALSE(One({0x62, 0xf1, 0xfd, 0x48, 0x58, 0xc1}).masked);
}

TEST_F(Assembly, BranchesAndCallsSayWhereTheyLead) {
  const Instruction back = One({0x75, 0xe0});
  EXPECT_EQ(back.flow, Flow::kBranch);
  EXPECT_EQ(back.target, 0xfe2u);
  EXPECT_EQ(One({0xe8, 0x10, 0, 0, 0}).flow, Flow::kCall);
  const Instruction through = One({0xff, 0xd0});
  EXPECT_EQ(through.flow, Flow::kCall);
  EXPECT_EQ(through.target, 0u);
  EXPECT_EQ(One({0xc3}).flow, Flow::kReturn);
}

TEST_F(Assembly, WhatIsNoInstructionIsAByte) {
  const std::vector<Instruction> all = Read(Bytes({0x06, 0x90}), 0);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].text, ".byte 0x06");
  EXPECT_EQ(all[1].text, "nop");
}

TEST_F(Assembly, AnyBytesAreReadToTheirEnd) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    size_t read = 0;
    for (const Instruction& one : Read(bytes, i)) read += one.bytes;
    EXPECT_EQ(read, bytes.size());
  }
}

}  // namespace
}  // namespace roofmark::assembly
