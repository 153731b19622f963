// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/seccomp_filter.h"

#include <gtest/gtest.h>
#include <linux/audit.h>

#include <cstddef>
#include <vector>

namespace roofmark {
namespace {

using Program = std::vector<sock_filter>;

constexpr uint32_t kKill = SECCOMP_RET_KILL_PROCESS, kAllow = SECCOMP_RET_ALLOW;

constexpr sock_filter Load(size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
}
constexpr sock_filter Return(uint32_t value) { return BPF_STMT(BPF_RET | BPF_K, value); }
constexpr sock_filter If(uint16_t operation, uint32_t k, uint8_t yes, uint8_t no) {
  return BPF_JUMP(static_cast<uint16_t>(BPF_JMP | operation | BPF_K), k, yes, no);
}
constexpr sock_filter Do(uint16_t code, uint32_t k = 0) { return BPF_STMT(code, k); }

uint32_t Says(const Program& program, int number, uint64_t argument = 0) {
  seccomp_data call = {};
  call.nr = number;
  call.arch = AUDIT_ARCH_X86_64;
  call.args[0] = argument;
  return FilterSays(program, call);
}

TEST(SeccompFilter, AListOfAllowedCalls) {
  const Program program = {Load(offsetof(seccomp_data, arch)),
                           If(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
                           Return(kKill),
                           Load(offsetof(seccomp_data, nr)),
                           If(BPF_JEQ, 3, 2, 0),
                           If(BPF_JGE, 100, 1, 0),
                           Return(SECCOMP_RET_ERRNO | 13),
                           Return(kAllow)};
  EXPECT_EQ(Says(program, 3), kAllow);
  EXPECT_EQ(Says(program, 100), kAllow);
  EXPECT_EQ(Says(program, 99), SECCOMP_RET_ERRNO | 13);
}

TEST(SeccompFilter, LooksAtArguments) {
  const Program program = {Load(offsetof(seccomp_data, args[0])), If(BPF_JSET, 4, 0, 1),
                           Return(kKill), Return(kAllow)};
  EXPECT_EQ(Says(program, 1, 4), kKill);
  EXPECT_EQ(Says(program, 1, 3), kAllow);
}

// 2 * (7 + 5 - nr) ^ 3, by way of x and memory; the jump leads over a return.
TEST(SeccompFilter, Computes) {
  const Program program = {Load(offsetof(seccomp_data, nr)),
                           Do(BPF_MISC | BPF_TAX),
                           Do(BPF_LD | BPF_IMM, 7),
                           Do(BPF_ALU | BPF_ADD, 5),
                           Do(BPF_ALU | BPF_SUB | BPF_X),
                           Do(BPF_ST, 2),
                           Do(BPF_LD | BPF_IMM, 2),
                           Do(BPF_LDX | BPF_MEM, 2),
                           Do(BPF_JMP | BPF_JA, 1),
                           Return(kKill),
                           Do(BPF_ALU | BPF_MUL | BPF_X),
                           Do(BPF_ALU | BPF_XOR | BPF_K, 3),
                           Do(BPF_RET | BPF_A)};
  EXPECT_EQ(Says(program, 4), 2u * 8u ^ 3u);
}

TEST(SeccompFilter, ShiftsAndDivisions) {
  const Program program = {Do(BPF_LD | BPF_IMM, 96),
                           Do(BPF_ALU | BPF_RSH | BPF_K, 2),
                           Do(BPF_ALU | BPF_DIV | BPF_K, 3),
                           Do(BPF_ALU | BPF_LSH | BPF_K, 1),
                           Do(BPF_ALU | BPF_OR | BPF_K, 1),
                           Do(BPF_ALU | BPF_NEG),
                           Do(BPF_RET | BPF_A)};
  EXPECT_EQ(Says(program, 0), 0u - 17u);
}

// It is not in force.
TEST(SeccompFilter, WhatTheKernelRefusesAllowsAll) {
  EXPECT_EQ(Says({}, 1), kAllow);
  EXPECT_EQ(Says({Do(BPF_ALU | BPF_DIV | BPF_K, 0), Return(kKill)}, 1), kAllow);
  EXPECT_EQ(Says({If(BPF_JEQ, 0, 200, 200), Return(kKill)}, 1), kAllow);
  EXPECT_EQ(Says({Do(BPF_ST, 16), Return(kKill)}, 1), kAllow);
}

TEST(SeccompFilter, ErrorsAreHarmless) {
  EXPECT_TRUE(IsHarmless(kAllow));
  EXPECT_TRUE(IsHarmless(SECCOMP_RET_LOG));
  EXPECT_TRUE(IsHarmless(SECCOMP_RET_ERRNO | 1));
  for (const uint32_t says : {SECCOMP_RET_TRAP, SECCOMP_RET_KILL_THREAD, SECCOMP_RET_TRACE | 7,
                              SECCOMP_RET_USER_NOTIF, kKill})
    EXPECT_FALSE(IsHarmless(says)) << says;
}

}  // namespace
}  // namespace roofmark
