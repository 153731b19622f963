// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/terminal_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/core/utf8.h"

namespace roofmark {
namespace {

bool IsControl(char32_t point) { return point < 0x20 || (point >= 0x7F && point < 0xA0); }

struct Range {
  char32_t first, last;
};

// Unicode 15: Bidi_Control, line and paragraph separator, the mark that some take for nothing, and
// what is no character (XML 1.0 forbids it).
constexpr Range kMisleadingRanges[] = {{0x061C, 0x061C}, {0x200E, 0x200F}, {0x2028, 0x202E},
                                       {0x2066, 0x2069}, {0xFEFF, 0xFEFF}, {0xFFFE, 0xFFFF}};

bool IsMisleading(char32_t point) {
  return std::any_of(
      std::begin(kMisleadingRanges), std::end(kMisleadingRanges),
      [point](const Range& range) { return point >= range.first && point <= range.last; });
}

enum class Kind { kHarmless, kBytes, kMisleading };

// The next character, or a byte that belongs to none, and how it is shown.
struct Piece {
  std::string_view text;
  Kind kind;
};

Piece NextPiece(std::string_view text) {
  const size_t length = Utf8SequenceLength(text);
  if (length == 0) return {text.substr(0, 1), Kind::kBytes};
  const std::string_view piece = text.substr(0, length);
  const char32_t point = Utf8CodePoint(piece);
  if (IsControl(point)) return {piece, Kind::kBytes};
  return {piece, IsMisleading(point) ? Kind::kMisleading : Kind::kHarmless};
}

std::string Escaped(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Piece piece = NextPiece(text);
    text.remove_prefix(piece.text.size());
    if (piece.kind == Kind::kHarmless || (keep_lines && piece.text == "\n")) {
      out.append(piece.text);
    } else if (piece.kind == Kind::kMisleading) {
      out += fmt::format("\\u{{{:04X}}}", static_cast<uint32_t>(Utf8CodePoint(piece.text)));
    } else {
      for (const char byte : piece.text) out += EscapedByte(byte);
    }
  }
  return out;
}

}  // namespace

std::string Printable(std::string_view text) { return Escaped(text, false); }

std::string PrintableLines(std::string_view text) { return Escaped(text, true); }

bool IsPrintable(std::string_view text) {
  while (!text.empty()) {
    const Piece piece = NextPiece(text);
    if (piece.kind != Kind::kHarmless && piece.text != "\n") return false;
    text.remove_prefix(piece.text.size());
  }
  return true;
}

}  // namespace roofmark
