// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/seccomp_filter.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>

namespace roofmark {
namespace {

struct State {
  uint32_t a = 0, x = 0;
  std::array<uint32_t, BPF_MEMWORDS> memory = {};
};

uint32_t WordOf(const seccomp_data& call, uint32_t offset) {
  uint32_t word = 0;
  if (offset <= sizeof call - sizeof word) {
    std::memcpy(&word, reinterpret_cast<const char*>(&call) + offset, sizeof word);
  }
  return word;
}

uint32_t Slot(const State& state, uint32_t number) {
  return number < state.memory.size() ? state.memory[number] : 0;
}

// Nothing: the kernel knows no such load in a filter.
std::optional<uint32_t> Loaded(const sock_filter& one, const State& state,
                               const seccomp_data& call) {
  switch (BPF_MODE(one.code)) {
    case BPF_ABS:
      return WordOf(call, one.k);
    case BPF_IMM:
      return one.k;
    case BPF_MEM:
      return Slot(state, one.k);
    case BPF_LEN:
      return sizeof call;
    default:
      return std::nullopt;
  }
}

// Nothing: it divides by zero, or is unknown.
std::optional<uint32_t> Computed(uint16_t code, uint32_t a, uint32_t b) {
  switch (BPF_OP(code)) {
    case BPF_ADD:
      return a + b;
    case BPF_SUB:
      return a - b;
    case BPF_MUL:
      return a * b;
    case BPF_DIV:
      return b == 0 ? std::nullopt : std::optional(a / b);
    case BPF_OR:
      return a | b;
    case BPF_AND:
      return a & b;
    case BPF_XOR:
      return a ^ b;
    case BPF_LSH:
      return b < 32 ? a << b : 0;
    case BPF_RSH:
      return b < 32 ? a >> b : 0;
    case BPF_NEG:
      return 0u - a;
    default:
      return std::nullopt;
  }
}

bool Jumps(uint16_t code, uint32_t a, uint32_t b) {
  switch (BPF_OP(code)) {
    case BPF_JEQ:
      return a == b;
    case BPF_JGT:
      return a > b;
    case BPF_JGE:
      return a >= b;
    default:
      return (a & b) != 0;  // BPF_JSET
  }
}

}  // namespace

// Jumps lead forwards only, so that it ends.
uint32_t FilterSays(std::span<const sock_filter> program, const seccomp_data& call) noexcept {
  State state;
  for (size_t at = 0; at < program.size(); ++at) {
    const sock_filter& one = program[at];
    const uint32_t operand = BPF_SRC(one.code) == BPF_X ? state.x : one.k;
    std::optional<uint32_t> value;
    switch (BPF_CLASS(one.code)) {
      case BPF_LD:
      case BPF_LDX:
        value = Loaded(one, state, call);
        if (!value) return SECCOMP_RET_ALLOW;
        (BPF_CLASS(one.code) == BPF_LD ? state.a : state.x) = *value;
        break;
      case BPF_ST:
      case BPF_STX:
        if (one.k >= state.memory.size()) return SECCOMP_RET_ALLOW;
        state.memory[one.k] = BPF_CLASS(one.code) == BPF_ST ? state.a : state.x;
        break;
      case BPF_ALU:
        value = Computed(one.code, state.a, operand);
        if (!value) return SECCOMP_RET_ALLOW;
        state.a = *value;
        break;
      case BPF_JMP:
        if (BPF_OP(one.code) == BPF_JA) {
          at += one.k;
        } else {
          at += Jumps(one.code, state.a, operand) ? one.jt : one.jf;
        }
        break;
      case BPF_RET:
        return BPF_RVAL(one.code) == BPF_A ? state.a : one.k;
      default:  // BPF_MISC
        (BPF_MISCOP(one.code) == BPF_TAX ? state.x : state.a) =
            BPF_MISCOP(one.code) == BPF_TAX ? state.a : state.x;
    }
  }
  return SECCOMP_RET_ALLOW;  // it does not end with a return
}

bool IsHarmless(uint32_t says) noexcept {
  switch (says & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW:
    case SECCOMP_RET_LOG:
    case SECCOMP_RET_ERRNO:
      return true;
    default:
      return false;
  }
}

}  // namespace roofmark
