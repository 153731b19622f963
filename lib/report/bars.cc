// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/report/display_width.h"
#include "lib/report/format.h"

namespace roofmark {
namespace {

constexpr size_t kMostBarName = 32, kMostBar = 50, kNumber = 8;

std::string Repeated(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string BarText(double share, size_t length, bool unicode) {
  const double filled = std::clamp(share, 0.0, 1.0) * static_cast<double>(length);
  const auto full = static_cast<size_t>(std::lround(filled));
  const bool beyond = share > 1.005;
  return Repeated(unicode ? "█" : "#", full) + Repeated(unicode ? "░" : ".", length - full) +
         (beyond ? ">" : " ");
}

}  // namespace

std::string RenderBars(const std::vector<Bar>& bars, const TextStyle& style) {
  size_t name_width = 0, label_width = 0;
  for (const Bar& bar : bars) {
    name_width = std::max(name_width, DisplayWidth(Printable(bar.name)));
    label_width = std::max(label_width, DisplayWidth(bar.label));
  }
  name_width = std::min(name_width, kMostBarName);
  const auto width = static_cast<size_t>(std::max(style.width, kMinWidth));
  const size_t taken = name_width + label_width + kNumber + 4;
  const size_t length = std::min(kMostBar, width > taken + 10 ? width - taken : 10);
  std::string out;
  for (const Bar& bar : bars) {
    const std::string name = Shorten(Printable(bar.name), name_width, style.unicode ? "…" : "..");
    std::string line = PadRight(name, name_width) + " " + PadLeft(bar.label, label_width) + " ";
    line += bar.share ? BarText(*bar.share, length, style.unicode) +
                            PadLeft(fmt::format("{:.1f} %", *bar.share * 100), kNumber)
                      : std::string("-");
    out += line + "\n";
  }
  return out;
}

}  // namespace roofmark
