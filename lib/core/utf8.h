// SPDX-License-Identifier: BSD-3-Clause
//
// Text of any origin, character by character.
#ifndef ROOFMARK_LIB_CORE_UTF8_H_
#define ROOFMARK_LIB_CORE_UTF8_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace roofmark {

// Bytes of the UTF-8 sequence that `text` begins with; 0 if there is none (RFC 3629).
size_t Utf8SequenceLength(std::string_view text);

// The code point of a sequence that is one.
char32_t Utf8CodePoint(std::string_view sequence);

// Text as JSON can hold it: bytes that are not UTF-8 become \xHH, so that different names stay
// different.
std::string Utf8(std::string_view text);

// A byte as "\xHH".
std::string EscapedByte(char byte);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_UTF8_H_
