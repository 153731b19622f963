// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/svg_shapes.h"

#include <fmt/format.h>

#include "lib/report/format.h"
#include "lib/report/letters.h"
#include "lib/report/xml_text.h"

namespace roofmark {

std::string SvgLine(double x0, double y0, double x1, double y1, std::string_view css) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", css, x0, y0,
      x1, y1);
}

std::string SvgText(double x, double y, std::string_view css, std::string_view text,
                    std::string_view more) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", css, x, y, more,
                     XmlText(text));
}

std::string SvgLabel(const PlacedLabel& label, std::string_view css, std::string_view more) {
  const Place& place = label.place;
  const std::string turned = place.degrees == 0
                                 ? ""
                                 : fmt::format(" transform=\"rotate({:.1f} {:.1f} {:.1f})\"",
                                               place.degrees, place.x, place.y);
  return SvgText(place.x, place.y,
                 fmt::format("{}{}", css, place.anchor == Anchor::kEnd ? " end" : ""), label.text,
                 turned + std::string(more));
}

std::string Fitting(const std::string& text, double width, double letter_px, bool bold) {
  std::string fit = text;
  for (size_t most = 160; most > 4 && LettersWidth(fit, letter_px, bold) > width; most -= 2) {
    fit = Shorten(text, most, "…");
  }
  return fit;
}

std::string PartAttribute(size_t number) { return fmt::format(" data-part=\"{}\"", number); }

}  // namespace roofmark
