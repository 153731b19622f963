// SPDX-License-Identifier: BSD-3-Clause
//
// How wide a text is in a picture, whose reader has a font that nobody knows: at most so wide in
// any of the usual ones.
#ifndef ROOFMARK_LIB_REPORT_LETTERS_H_
#define ROOFMARK_LIB_REPORT_LETTERS_H_

#include <string_view>

namespace roofmark {

// In pixels. Bold letters are 8 % wider.
double LettersWidth(std::string_view text, double letter_px, bool bold = false);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_LETTERS_H_
