// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of a text that a terminal with colours sets apart. Until it is written, such a part stands
// between two marks that take no column: noncharacters of Unicode (U+FDD0 and on), which are for a
// program's own use. A mark in a name from elsewhere can do no more than change a colour.
#ifndef ROOFMARK_LIB_CORE_TONE_H_
#define ROOFMARK_LIB_CORE_TONE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace roofmark {

// The colours of limits are those of the pages.
enum class Tone : uint8_t { kNone, kStrong, kCaution, kMemory, kCompute, kChain, kWaiting };

// `text` as it is where `color` is false, or the tone is none.
std::string Toned(bool color, Tone tone, std::string_view text);

// With escape sequences (ECMA-48, "select graphic rendition") in place of the marks.
std::string WithToneSequences(std::string_view text);

inline constexpr char32_t kFirstToneMark = 0xFDD0, kLastToneMark = 0xFDEF;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_TONE_H_
