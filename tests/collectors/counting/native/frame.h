// SPDX-License-Identifier: BSD-3-Clause
//
// Registers as the frame of a signal has them.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_FRAME_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_FRAME_H_

#include <Zydis/Zydis.h>
#include <cpuid.h>
#include <ucontext.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace roofmark {

inline uint64_t MaskRegister(const ucontext_t* context, unsigned number) {
  uint32_t a = 0, b = 0, c = 0, d = 0;
  __get_cpuid_count(0xD, 5, &a, &b, &c, &d);
  uint64_t in_use = 0, value = 0;
  const auto* frame = reinterpret_cast<const char*>(context->uc_mcontext.fpregs);
  std::memcpy(&in_use, frame + 512, sizeof in_use);
  if (!(in_use & 0x20)) return 0;
  std::memcpy(&value, frame + b + 8 * number, sizeof value);
  return value;
}

// 32 bytes of a vector register, one of the first 16.
inline std::array<uint8_t, 32> VectorRegister(const ucontext_t* context, unsigned number) {
  uint32_t a = 0, b = 0, c = 0, d = 0;
  __get_cpuid_count(0xD, 2, &a, &b, &c, &d);
  std::array<uint8_t, 32> value = {};
  uint64_t in_use = 0;
  const auto* frame = reinterpret_cast<const char*>(context->uc_mcontext.fpregs);
  std::memcpy(&in_use, frame + 512, sizeof in_use);
  if (in_use & 2) std::memcpy(value.data(), frame + 160 + 16 * number, 16);
  if (in_use & 4) std::memcpy(value.data() + 16, frame + b + 16 * number, 16);
  return value;
}

// 64 bits of one; 0 for none.
inline uint64_t GeneralRegister(const ucontext_t* context, ZydisRegister reg) {
  static constexpr int kPlaces[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                    REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                    REG_R12, REG_R13, REG_R14, REG_R15};
  if (ZydisRegisterGetClass(reg) != ZYDIS_REGCLASS_GPR64) return 0;
  return static_cast<uint64_t>(context->uc_mcontext.gregs[kPlaces[ZydisRegisterGetId(reg)]]);
}

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_FRAME_H_
