// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/letters.h"

#include "lib/report/display_width.h"

namespace roofmark {
namespace {

// Of the letter's height, in DejaVu Sans, which is among the widest.
double WidthOf(char c) {
  constexpr std::string_view kThin = "ijl.,:;'|!I", kSlim = "frt()[]/\\ -\"", kBroad = "mwMW@%";
  if (kThin.find(c) != std::string_view::npos) return 0.34;
  if (kSlim.find(c) != std::string_view::npos) return 0.42;
  if (kBroad.find(c) != std::string_view::npos) return 1.0;
  const bool low = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  if (low) return 0.64;
  return c >= 'A' && c <= 'Z' ? 0.74 : 0.84;
}

}  // namespace

double LettersWidth(std::string_view text, double letter_px, bool bold) {
  double width = 0;
  size_t other = text.size();  // where characters of several bytes begin
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      if (other < i)
        width += 0.8 * static_cast<double>(DisplayWidth(text.substr(other, i - other)));
      other = text.size();
      width += WidthOf(text[i]);
    } else if (other == text.size()) {
      other = i;
    }
  }
  if (other < text.size()) width += 0.8 * static_cast<double>(DisplayWidth(text.substr(other)));
  return width * letter_px * (bold ? 1.1 : 1);
}

}  // namespace roofmark
