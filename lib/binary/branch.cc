// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/branch.h"

namespace roofmark::binary {
namespace {

using Kind = Branch::Kind;

bool IsPrefix(uint8_t byte) {
  switch (byte) {
    case 0x2e:  // branch hints, notrack, bnd, rep before ret, operand size, segments, REX
    case 0x3e:
    case 0xf2:
    case 0xf3:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
      return true;
    default:
      return (byte & 0xf0) == 0x40;
  }
}

// Bytes of a ModRM byte and what belongs to it.
uint32_t OperandBytes(std::string_view code) {
  const auto modrm = static_cast<uint8_t>(code[0]);
  const unsigned mod = modrm >> 6, rm = modrm & 7;
  if (mod == 3) return 1;
  uint32_t bytes = 1;
  if (rm == 4) {
    if (code.size() < 2) return 1;
    ++bytes;
    if (mod == 0 && (static_cast<uint8_t>(code[1]) & 7) == 5) bytes += 4;
  }
  if (mod == 0 && rm == 5) bytes += 4;
  return bytes + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

Branch Indirect(std::string_view code, uint32_t before) {
  if (code.empty()) return {};
  const unsigned operation = (static_cast<uint8_t>(code[0]) >> 3) & 7;
  if (operation < 2 || operation > 5) return {};
  return {operation < 4 ? Kind::kCall : Kind::kJump, before + OperandBytes(code)};
}

}  // namespace

Branch ReadBranch(std::string_view code) {
  uint32_t at = 0;
  while (at < code.size() && IsPrefix(static_cast<uint8_t>(code[at]))) ++at;
  if (at >= code.size()) return {};
  const auto byte = static_cast<uint8_t>(code[at]);
  if ((byte & 0xf0) == 0x70 || (byte & 0xfc) == 0xe0) return {Kind::kConditional, at + 2};
  if (byte == 0x0f && at + 1 < code.size() && (static_cast<uint8_t>(code[at + 1]) & 0xf0) == 0x80) {
    return {Kind::kConditional, at + 6};
  }
  switch (byte) {
    case 0xe8:
      return {Kind::kCall, at + 5};
    case 0xe9:
      return {Kind::kJump, at + 5};
    case 0xeb:
      return {Kind::kJump, at + 2};
    case 0xc2:
      return {Kind::kReturn, at + 3};
    case 0xc3:
      return {Kind::kReturn, at + 1};
    case 0xff:
      return Indirect(code.substr(at + 1), at + 1);
    default:
      return {};
  }
}

}  // namespace roofmark::binary
