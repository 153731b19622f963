// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/preparing.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace roofmark::binary {
namespace {

std::string Bytes(std::initializer_list<int> bytes) {
  std::string code;
  for (const int byte : bytes) code += static_cast<char>(byte);
  return code;
}

struct Row {
  const char* text;
  std::string code;
  bool only_prepares;
};

class PreparingTest : public testing::TestWithParam<Row> {};

// Between two others, so that its length counts.
TEST_P(PreparingTest, IsKnown) {
  const std::string cmp = Bytes({0x48, 0x39, 0xd7});
  EXPECT_EQ(OnlyPrepares(cmp + GetParam().code + cmp), GetParam().only_prepares) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    All, PreparingTest,
    testing::Values(
        Row{"cmp $6, %r14d", Bytes({0x41, 0x83, 0xfe, 0x06}), true},
        Row{"cmp $1000, %rax", Bytes({0x48, 0x81, 0xf8, 0xe8, 0x03, 0, 0}), true},
        Row{"cmpw $1000, 8(%rbx)", Bytes({0x66, 0x81, 0x7b, 0x08, 0xe8, 0x03}), true},
        Row{"cmp $1, %al", Bytes({0x3c, 0x01}), true},
        Row{"test %eax, %eax", Bytes({0x85, 0xc0}), true},
        Row{"test $1, %dl", Bytes({0xf6, 0xc2, 0x01}), true}, Row{"jle", Bytes({0x7e, 0x08}), true},
        Row{"jmp", Bytes({0xe9, 0, 0, 0, 0}), true},
        Row{"xor %eax, %eax", Bytes({0x31, 0xc0}), true},
        Row{"xor %r8d, %r8d", Bytes({0x45, 0x31, 0xc0}), true},
        Row{"xor %r8d, %eax", Bytes({0x44, 0x31, 0xc0}), false},
        Row{"xor %ecx, %eax", Bytes({0x31, 0xc8}), false},
        Row{"mov $1, %eax", Bytes({0xb8, 1, 0, 0, 0}), true},
        Row{"movabs $1, %rax", Bytes({0x48, 0xb8, 1, 0, 0, 0, 0, 0, 0, 0}), true},
        Row{"mov 8(%rsp), %rax", Bytes({0x48, 0x8b, 0x44, 0x24, 0x08}), true},
        Row{"mov 8(%rdi), %rax", Bytes({0x48, 0x8b, 0x47, 0x08}), false},
        Row{"mov %rdi, %rax", Bytes({0x48, 0x8b, 0xc7}), false},
        Row{"pxor %xmm1, %xmm1", Bytes({0x66, 0x0f, 0xef, 0xc9}), true},
        Row{"pxor %xmm0, %xmm1", Bytes({0x66, 0x0f, 0xef, 0xc8}), false},
        Row{"vxorpd %xmm2, %xmm2, %xmm2", Bytes({0xc5, 0xe9, 0x57, 0xd2}), true},
        Row{"vxorpd %xmm2, %xmm3, %xmm2", Bytes({0xc5, 0xe1, 0x57, 0xd2}), false},
        Row{"ucomisd %xmm4, %xmm1", Bytes({0x66, 0x0f, 0x2e, 0xcc}), true},
        Row{"movsd 0x16(%rip), %xmm4", Bytes({0xf2, 0x0f, 0x10, 0x25, 0x16, 0, 0, 0}), true},
        Row{"movsd (%rax), %xmm1", Bytes({0xf2, 0x0f, 0x10, 0x08}), false},
        Row{"nopw 0(%rax,%rax,1)", Bytes({0x66, 0x0f, 0x1f, 0x44, 0, 0}), true},
        Row{"add $1, %rax", Bytes({0x48, 0x83, 0xc0, 0x01}), false},
        Row{"inc %eax", Bytes({0xff, 0xc0}), false},
        Row{"mov %rax, 8(%rsp)", Bytes({0x48, 0x89, 0x44, 0x24, 0x08}), false},
        Row{"addsd %xmm0, %xmm1", Bytes({0xf2, 0x0f, 0x58, 0xc8}), false},
        Row{"call", Bytes({0xe8, 0, 0, 0, 0}), false}, Row{"ret", Bytes({0xc3}), false}));

TEST(PreparingTest, CodeThatEndsTooEarlyIsNotKnown) {
  EXPECT_TRUE(OnlyPrepares(""));
  for (const auto& code : {Bytes({0x48}), Bytes({0x0f}), Bytes({0xc5}), Bytes({0xc5, 0xe9}),
                           Bytes({0xc5, 0xe9, 0x57}), Bytes({0x66, 0x0f, 0xef}), Bytes({0x81}),
                           Bytes({0x81, 0xf8}), Bytes({0x8b, 0x44}), Bytes({0xb8, 1})}) {
    EXPECT_FALSE(OnlyPrepares(code)) << code.size();
  }
}

}  // namespace
}  // namespace roofmark::binary
