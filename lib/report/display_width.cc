// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/display_width.h"

#include <algorithm>
#include <iterator>

#include "lib/core/tone.h"
#include "lib/core/utf8.h"

namespace roofmark {
namespace {

struct Range {
  char32_t first, last;
};

#include "lib/report/display_width_ranges.inc"

template <size_t kCount>
bool IsIn(const Range (&ranges)[kCount], char32_t point) {
  const auto range = std::lower_bound(std::begin(ranges), std::end(ranges), point,
                                      [](const Range& r, char32_t p) { return r.last < p; });
  return range != std::end(ranges) && range->first <= point;
}

size_t ColumnsOf(char32_t point) {
  if (point >= kFirstToneMark && point <= kLastToneMark) return 0;
  if (point < kNoWidth[0].first) return 1;
  if (IsIn(kNoWidth, point)) return 0;
  return IsIn(kWide, point) ? 2 : 1;
}

struct Character {
  size_t bytes, columns;
};

// `text` is not empty.
Character FirstOf(std::string_view text) {
  const size_t bytes = Utf8SequenceLength(text);
  if (bytes == 0) return {1, 1};
  return {bytes, ColumnsOf(Utf8CodePoint(text.substr(0, bytes)))};
}

}  // namespace

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    const Character character = FirstOf(text);
    width += character.columns;
    text.remove_prefix(character.bytes);
  }
  return width;
}

size_t BytesOfBeginning(std::string_view text, size_t columns) {
  size_t at = 0;
  while (at < text.size()) {
    const Character character = FirstOf(text.substr(at));
    if (character.columns > columns) break;
    columns -= character.columns;
    at += character.bytes;
  }
  return at;
}

size_t BytesOfEnd(std::string_view text, size_t columns) {
  size_t width = DisplayWidth(text);
  while (!text.empty()) {
    const Character character = FirstOf(text);
    if (width <= columns && character.columns > 0) break;
    width -= character.columns;
    text.remove_prefix(character.bytes);
  }
  return text.size();
}

}  // namespace roofmark
