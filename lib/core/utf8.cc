// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/utf8.h"

#include <fmt/format.h>

namespace roofmark {

// The table of well-formed sequences of RFC 3629.
size_t Utf8SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto follows = [&](size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xBF; };
  if (text.empty()) return 0;
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
    if (lead == 0xED && byte(1) > 0x9F) return 0;  // surrogate
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (lead == 0xF0 && byte(1) < 0x90) return 0;  // overlong
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;  // above U+10FFFF
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

char32_t Utf8CodePoint(std::string_view sequence) {
  const auto bits = [&](size_t i, unsigned mask) {
    return static_cast<char32_t>(static_cast<unsigned char>(sequence[i]) & mask);
  };
  constexpr unsigned kLeadBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};  // by length
  char32_t point = bits(0, kLeadBits[sequence.size()]);
  for (size_t i = 1; i < sequence.size(); ++i) point = point << 6 | bits(i, 0x3F);
  return point;
}

std::string Utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    if (length == 0) {
      valid += EscapedByte(text[0]);
      text.remove_prefix(1);
    } else {
      valid.append(text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return valid;
}

std::string EscapedByte(char byte) {
  return fmt::format("\\x{:02X}", static_cast<unsigned char>(byte));
}

}  // namespace roofmark
