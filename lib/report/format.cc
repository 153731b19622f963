// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lib/report/display_width.h"

namespace roofmark {
namespace {

// Decimals so that three digits are shown; values that round up to the next power lose one.
int Decimals(double magnitude) { return magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0; }

}  // namespace

std::string Si(double value) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return fmt::format("{}", value);
  constexpr std::array<std::string_view, 13> kPrefixes = {"f", "p", "n", "u", "m", "", "k",
                                                          "M", "G", "T", "P", "E", "Z"};
  int step = static_cast<int>(std::floor(std::log10(std::fabs(value)) / 3));
  if (std::fabs(value) / std::pow(1000.0, step) >= 999.5) ++step;
  step = std::clamp(step, -5, 7);
  const double scaled = value / std::pow(1000.0, step);
  if (step == 0 && value == std::floor(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}{}", scaled, Decimals(std::fabs(scaled)),
                     kPrefixes[static_cast<size_t>(step + 5)]);
}

std::string SiUnit(double value, std::string_view unit) {
  std::string text = Si(value);
  const size_t prefix = text.find_first_not_of("-0123456789.");
  text.insert(prefix == std::string::npos ? text.size() : prefix, " ");
  return text.append(unit);
}

std::string Plain(double value) {
  const double magnitude = std::fabs(value);
  if (value == 0) return "0";
  if (magnitude >= 9999.5 || magnitude < 0.0005) return Si(value);
  if (magnitude < 0.9995) return fmt::format("{:.3f}", value);
  return fmt::format("{:.{}f}", value, Decimals(magnitude));
}

std::string Percent(double fraction) {
  const double percent = fraction * 100;
  if (percent > 0 && percent < 0.05) return "<0.1 %";
  if (percent > 0 && percent < 0.95) return fmt::format("{:.1f} %", percent);
  return fmt::format("{:.0f} %", percent);
}

std::string FinePercent(double fraction) {
  const double percent = fraction * 100;
  return fmt::format("{:.{}f} %", percent, percent > 0 && percent < 9.95 ? 1 : 0);
}

std::string Factor(double value) { return fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0); }

std::string GainFactor(double gain) {
  return gain < 1.95 ? fmt::format("{:.2f}x", gain) : Factor(gain) + "x";
}

std::string Seconds(double seconds) {
  const double magnitude = std::fabs(seconds);
  // Si() takes whole numbers for counts, which have no more digits.
  const bool is_whole = magnitude >= 1 && magnitude < 99.95 && seconds == std::floor(seconds);
  return is_whole ? fmt::format("{:.{}f} s", seconds, Decimals(magnitude)) : SiUnit(seconds, "s");
}

std::string OrDash(const Value& value, std::string (*render)(double)) {
  return value ? render(*value) : "-";
}

std::string Shorten(std::string_view text, size_t width, std::string_view mark) {
  const size_t mark_width = DisplayWidth(mark);
  if (DisplayWidth(text) <= width) return std::string(text);
  if (width <= mark_width) return std::string(text.substr(0, BytesOfBeginning(text, width)));
  const size_t keep = width - mark_width, front = (keep + 1) / 2;
  return fmt::format("{}{}{}", text.substr(0, BytesOfBeginning(text, front)), mark,
                     text.substr(text.size() - BytesOfEnd(text, keep - front)));
}

std::string PadLeft(std::string_view text, size_t width) {
  const size_t have = DisplayWidth(text);
  return std::string(have < width ? width - have : 0, ' ').append(text);
}

std::string PadRight(std::string_view text, size_t width) {
  const size_t have = DisplayWidth(text);
  return std::string(text).append(have < width ? width - have : 0, ' ');
}

std::string Wrap(std::string_view text, size_t width, size_t indent) {
  std::string out;
  size_t column = 0;
  bool first = true;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!first && column + 1 + DisplayWidth(word) > width) {
      out.append("\n").append(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    while (column + DisplayWidth(word) > width && column < width) {
      const size_t fits = BytesOfBeginning(word, width - column);
      if (fits == 0 && column == indent) break;  // a line is narrower than a character
      out.append(word.substr(0, fits)).append("\n").append(indent, ' ');
      word.remove_prefix(fits);
      column = indent;
    }
    out.append(word);
    column += DisplayWidth(word);
    first = false;
  }
  return out + "\n";
}

}  // namespace roofmark
