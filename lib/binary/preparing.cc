// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/preparing.h"

#include <cstdint>
#include <optional>

#include "lib/binary/branch.h"
#include "lib/binary/encoding.h"

namespace roofmark::binary {
namespace {

// An instruction with a ModRM byte: its opcode and what the prefixes say.
struct Instruction {
  uint8_t opcode = 0;
  std::string_view operand;  // begins with the ModRM byte; not empty
  uint8_t rex = 0;
  uint32_t immediate_bytes = 4;     // of full size
  std::optional<unsigned> source2;  // VEX

  uint8_t modrm() const { return static_cast<uint8_t>(operand[0]); }
  unsigned operation() const { return (modrm() >> 3) & 7; }
  bool IsRegister() const { return modrm() >> 6 == 3; }
  // Both operands are one register.
  bool SameRegisters() const {
    const unsigned one = operation() | ((rex & 4) << 1), other = (modrm() & 7) | ((rex & 1) << 3);
    return IsRegister() && one == other && source2.value_or(one) == one;
  }
  // A load from [rsp + displacement] or [rip + displacement].
  bool LoadsPreparedValue() const {
    const unsigned mod = modrm() >> 6, rm = modrm() & 7;
    if (mod == 0 && rm == 5) return true;
    return mod != 3 && rm == 4 && operand.size() > 1 && operand[1] == 0x24 && (rex & 3) == 0;
  }
};

// Bytes from the ModRM byte to the end; 0: the instruction does something else.
uint32_t OfFirstMap(const Instruction& of) {
  const uint32_t bytes = OperandBytes(of.operand);
  switch (of.opcode) {
    case 0x38:  // cmp
    case 0x39:
    case 0x3a:
    case 0x3b:
    case 0x84:  // test
    case 0x85:
      return bytes;
    case 0x80:  // cmp with a constant
    case 0x83:
      return of.operation() == 7 ? bytes + 1 : 0;
    case 0x81:
      return of.operation() == 7 ? bytes + of.immediate_bytes : 0;
    case 0xf6:  // test with a constant
      return of.operation() == 0 ? bytes + 1 : 0;
    case 0xf7:
      return of.operation() == 0 ? bytes + of.immediate_bytes : 0;
    case 0x31:  // xor of a register with itself
    case 0x33:
      return of.SameRegisters() ? bytes : 0;
    case 0x8b:
      return of.LoadsPreparedValue() ? bytes : 0;
    default:
      return 0;
  }
}

uint32_t OfSecondMap(const Instruction& of) {
  const uint32_t bytes = OperandBytes(of.operand);
  switch (of.opcode) {
    case 0x1f:  // nop
    case 0x2e:  // ucomis, comis
    case 0x2f:
      return bytes;
    case 0x57:  // xorps, pxor
    case 0xef:
      return of.SameRegisters() ? bytes : 0;
    case 0x10:  // movss, movsd, movups, movaps, movdqa
    case 0x28:
    case 0x6f:
      return of.LoadsPreparedValue() ? bytes : 0;
    default:
      return 0;
  }
}

// Opcodes without a ModRM byte; from the opcode on.
uint32_t WithoutOperand(uint8_t opcode, const Instruction& prefixes) {
  if (opcode == 0x90) return 1;                    // nop
  if (opcode == 0x3c || opcode == 0xa8) return 2;  // cmp, test with a constant
  if (opcode == 0x3d || opcode == 0xa9) return 1 + prefixes.immediate_bytes;
  if ((opcode & 0xf8) != 0xb8) return 0;
  return 1 + ((prefixes.rex & 8) != 0 ? 8 : prefixes.immediate_bytes);  // mov of a constant
}

// Its length; 0: it does something else, or is not known.
uint32_t PreparingBytes(std::string_view code) {
  const Branch branch = ReadBranch(code);
  if (branch.kind == Branch::Kind::kConditional || branch.kind == Branch::Kind::kJump) {
    return branch.bytes;
  }
  const auto byte = [code](size_t at) { return static_cast<uint8_t>(code[at]); };
  Instruction instruction;
  uint32_t at = 0;
  for (; at < code.size() && IsPrefix(byte(at)); ++at) {
    if (byte(at) == 0x66) instruction.immediate_bytes = 2;
    if ((byte(at) & 0xf0) == 0x40) instruction.rex = byte(at);
  }
  if (at >= code.size()) return 0;
  if (const uint32_t bytes = WithoutOperand(byte(at), instruction)) return at + bytes;
  const bool vex = byte(at) == 0xc5;
  const bool second_map = vex || byte(at) == 0x0f;
  at += vex ? 2 : second_map ? 1 : 0;
  if (at + 1 >= code.size()) return 0;
  if (vex) {
    instruction.rex = (byte(at - 1) & 0x80) != 0 ? 0 : 4;
    instruction.source2 = (~byte(at - 1) >> 3) & 15;
  }
  instruction.opcode = byte(at);
  instruction.operand = code.substr(at + 1);
  const uint32_t bytes = second_map ? OfSecondMap(instruction) : OfFirstMap(instruction);
  return bytes == 0 ? 0 : at + 1 + bytes;
}

}  // namespace

bool OnlyPrepares(std::string_view code) {
  while (!code.empty()) {
    const uint32_t bytes = PreparingBytes(code);
    if (bytes == 0 || bytes > code.size()) return false;
    code.remove_prefix(bytes);
  }
  return true;
}

}  // namespace roofmark::binary
