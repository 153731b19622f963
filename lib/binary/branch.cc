// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/branch.h"

#include "lib/binary/encoding.h"

namespace roofmark::binary {
namespace {

using Kind = Branch::Kind;

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
