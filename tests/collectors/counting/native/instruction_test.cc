// SPDX-License-Identifier: BSD-3-Clause
//
// What the translator takes an instruction for. No CPU has all of them, and several may not be
// executed at all: they are decoded alone.
#include "collectors/counting/native/instruction.h"

#include <gtest/gtest.h>

#include <vector>

namespace roofmark {
namespace {

struct Case {
  std::vector<uint8_t> bytes;
  const char* assembly;
};

roof_native_instruction Decoded(const std::vector<uint8_t>& bytes) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  roof_native_instruction in;
  roof_native_decode(&decoder, reinterpret_cast<uint64_t>(bytes.data()), bytes.size(), &in);
  return in;
}

void ExpectLeaves(roof_native_reason reason, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const roof_native_instruction in = Decoded(c.bytes);
    EXPECT_EQ(in.kind, ROOF_LEAVES) << c.assembly;
    EXPECT_EQ(in.reason, reason) << c.assembly;
  }
}

TEST(NativeInstruction, WhatTheKernelOrTheProcessorTakesOverIsNotTranslated) {
  ExpectLeaves(ROOF_LEAVE_CONTROL, {{{0x0F, 0x0B}, "ud2"},
                                    {{0xF4}, "hlt"},
                                    {{0xCD, 0x80}, "int $0x80"},
                                    {{0x0F, 0x01, 0xF8}, "swapgs"},
                                    {{0x48, 0xCF}, "iretq"},
                                    {{0x9D}, "popfq: checks of alignment, single steps"},
                                    {{0x48, 0xFF, 0x28}, "rex.W ljmp *(%rax)"}});
  ExpectLeaves(ROOF_LEAVE_TRANSACTION, {{{0xC7, 0xF8, 0, 0, 0, 0}, "xbegin"},
                                        {{0x0F, 0x01, 0xD5}, "xend"},
                                        {{0xC6, 0xF8, 1}, "xabort $1"}});
  ExpectLeaves(ROOF_LEAVE_SHADOW_STACK, {{{0xF3, 0x48, 0x0F, 0xAE, 0xE8}, "incsspq %rax"}});
  ExpectLeaves(ROOF_LEAVE_UNDECODABLE, {{{0x06}, "push %es, of 32 bits"}, {{0xE8, 0, 0}, "cut"}});
}

TEST(NativeInstruction, SegmentsAreTheEnginesOwn) {
  ExpectLeaves(ROOF_LEAVE_GS, {{{0x65, 0x48, 0x8B, 0x00}, "mov %gs:(%rax),%rax"},
                               {{0x8E, 0xE8}, "mov %eax,%gs"},
                               {{0x8E, 0xD8}, "mov %eax,%ds"},
                               {{0xF3, 0x48, 0x0F, 0xAE, 0xC8}, "rdgsbase %rax"},
                               {{0xF3, 0x48, 0x0F, 0xAE, 0xD8}, "wrgsbase %rax"}});
  EXPECT_EQ(Decoded({0x8C, 0xD8}).kind, ROOF_PLAIN) << "mov %ds,%eax: it may be looked at";
  EXPECT_EQ(Decoded({0x64, 0x48, 0x8B, 0x00}).kind, ROOF_PLAIN) << "mov %fs:(%rax),%rax";
}

TEST(NativeInstruction, ShortAddressesAndBranchesAreNotTranslated) {
  ExpectLeaves(ROOF_LEAVE_CONTROL, {{{0x66, 0xE8, 0, 0, 0, 0}, "callw"},
                                    {{0x67, 0x8B, 0x05, 0, 0, 0, 0}, "mov 0x0(%eip),%eax"},
                                    {{0x67, 0xF3, 0xA4}, "rep movsb (%esi),(%edi)"}});
  EXPECT_EQ(Decoded({0x66, 0x48, 0xE8, 0, 0, 0, 0}).kind, ROOF_CALL) << "as before TLS";
  EXPECT_EQ(Decoded({0x67, 0x8B, 0x00}).kind, ROOF_PLAIN) << "mov (%eax),%eax";
}

TEST(NativeInstruction, KindsOfBranches) {
  const std::vector<uint8_t> forward = {0x74, 0x10};  // je
  const roof_native_instruction conditional = Decoded(forward);
  EXPECT_EQ(conditional.kind, ROOF_CONDITIONAL);
  EXPECT_EQ(conditional.target, reinterpret_cast<uint64_t>(forward.data()) + 2 + 0x10);
  EXPECT_EQ(Decoded({0xE3, 0x10}).kind, ROOF_BY_COUNT);  // jrcxz
  EXPECT_EQ(Decoded({0xEB, 0x10}).kind, ROOF_JUMP);
  EXPECT_EQ(Decoded({0xFF, 0xE0}).kind, ROOF_INDIRECT_JUMP);
  EXPECT_EQ(Decoded({0xFF, 0xD0}).kind, ROOF_INDIRECT_CALL);
  EXPECT_EQ(Decoded({0xC3}).kind, ROOF_RETURN);
  EXPECT_EQ(Decoded({0x0F, 0x05}).kind, ROOF_SYSTEM_CALL);
}

TEST(NativeInstruction, WhatDoesNothingStays) {
  EXPECT_EQ(Decoded({0xF3, 0x0F, 0x1E, 0xFA}).kind, ROOF_PLAIN) << "endbr64";
  EXPECT_EQ(Decoded({0xF3, 0x48, 0x0F, 0x1E, 0xC8}).kind, ROOF_PLAIN) << "rdsspq %rax";
}

}  // namespace
}  // namespace roofmark
