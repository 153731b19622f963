// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/branch.h"

#include <gtest/gtest.h>

#include <string>

namespace roofmark::binary {
namespace {

using Kind = Branch::Kind;

struct Row {
  const char* text;
  std::string code;
  Kind kind;
  uint32_t bytes;
};

// Two bytes that do not belong to the instruction follow each.
class BranchTest : public testing::TestWithParam<Row> {};

TEST_P(BranchTest, IsKnown) {
  const Branch branch = ReadBranch(GetParam().code + "\x90\x90");
  EXPECT_EQ(branch.kind, GetParam().kind) << GetParam().text;
  EXPECT_EQ(branch.bytes, GetParam().bytes) << GetParam().text;
}

std::string Bytes(std::initializer_list<int> bytes) {
  std::string code;
  for (const int byte : bytes) code += static_cast<char>(byte);
  return code;
}

INSTANTIATE_TEST_SUITE_P(
    All, BranchTest,
    testing::Values(Row{"jne rel8", Bytes({0x75, 0x10}), Kind::kConditional, 2},
                    Row{"jne rel32", Bytes({0x0f, 0x85, 0, 0, 0, 0}), Kind::kConditional, 6},
                    Row{"jne rel8 with a hint", Bytes({0x3e, 0x75, 0x10}), Kind::kConditional, 3},
                    Row{"jrcxz", Bytes({0xe3, 0x10}), Kind::kConditional, 2},
                    Row{"loop", Bytes({0xe2, 0x10}), Kind::kConditional, 2},
                    Row{"jmp rel8", Bytes({0xeb, 0x10}), Kind::kJump, 2},
                    Row{"jmp rel32", Bytes({0xe9, 0, 0, 0, 0}), Kind::kJump, 5},
                    Row{"bnd jmp [rip]", Bytes({0xf2, 0xff, 0x25, 0, 0, 0, 0}), Kind::kJump, 7},
                    Row{"notrack jmp rax", Bytes({0x3e, 0xff, 0xe0}), Kind::kJump, 3},
                    Row{"jmp [rax*8+disp32]", Bytes({0xff, 0x24, 0xc5, 0, 0, 0, 0}), Kind::kJump,
                        7},
                    Row{"call rel32", Bytes({0xe8, 0, 0, 0, 0}), Kind::kCall, 5},
                    Row{"call r8", Bytes({0x41, 0xff, 0xd0}), Kind::kCall, 3},
                    Row{"call [rsp+disp8]", Bytes({0xff, 0x54, 0x24, 0x10}), Kind::kCall, 4},
                    Row{"call [rax+disp32]", Bytes({0xff, 0x90, 0, 0, 0, 0}), Kind::kCall, 6},
                    Row{"ret", Bytes({0xc3}), Kind::kReturn, 1},
                    Row{"rep ret", Bytes({0xf3, 0xc3}), Kind::kReturn, 2},
                    Row{"ret imm16", Bytes({0xc2, 8, 0}), Kind::kReturn, 3},
                    Row{"push [rax]", Bytes({0xff, 0x30}), Kind::kNone, 0},
                    Row{"inc eax", Bytes({0xff, 0xc0}), Kind::kNone, 0},
                    Row{"addsd", Bytes({0xf2, 0x0f, 0x58, 0xc1}), Kind::kNone, 0}));

TEST(BranchTest, CodeThatEndsIsNoBranch) {
  EXPECT_EQ(ReadBranch("").kind, Kind::kNone);
  EXPECT_EQ(ReadBranch("\x3e").kind, Kind::kNone);
  EXPECT_EQ(ReadBranch("\xff").kind, Kind::kNone);
  EXPECT_EQ(ReadBranch("\x0f").kind, Kind::kNone);
}

}  // namespace
}  // namespace roofmark::binary
