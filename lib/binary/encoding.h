// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of an x86-64 instruction. Source: as branch.h.
#ifndef ROOFMARK_LIB_BINARY_ENCODING_H_
#define ROOFMARK_LIB_BINARY_ENCODING_H_

#include <cstdint>
#include <string_view>

namespace roofmark::binary {

// A legacy prefix or REX.
inline bool IsPrefix(uint8_t byte) {
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

// Bytes of a ModRM byte and what belongs to it; `code` begins with it and is not empty.
inline uint32_t OperandBytes(std::string_view code) {
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

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_ENCODING_H_
