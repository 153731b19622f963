// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/svg_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/report/chart_layout.h"
#include "lib/report/svg_shapes.h"

namespace roofmark {
namespace {

constexpr std::string_view kArrow = "arrow", kNew = "sign new", kVanished = "sign vanished";

// A triangle whose tip is at x1, y1; the shaft ends at its base.
std::string Arrow(const ArrowPlace& at, double head, const std::string& look,
                  std::string_view more) {
  const double long_px = std::hypot(at.x1 - at.x0, at.y1 - at.y0);
  const double along_x = (at.x1 - at.x0) / long_px, along_y = (at.y1 - at.y0) / long_px;
  const double base_x = at.x1 - head * along_x, base_y = at.y1 - head * along_y;
  const double side_x = -along_y * head * kHalfHead, side_y = along_x * head * kHalfHead;
  std::string path;
  if (at.has_shaft)
    path = fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", at.x0, at.y0, base_x, base_y);
  path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z", at.x1, at.y1, base_x + side_x,
                      base_y + side_y, base_x - side_x, base_y - side_y);
  return fmt::format("<path class=\"{}\" d=\"{}\"{}/>\n", look, path, more);
}

std::string ArrowLook(Weight weight) { return std::string(kArrow) + WeightLook(weight); }

std::string Plus(double x, double y, double half) {
  return fmt::format("M{:.1f} {:.1f}h{:.1f}M{:.1f} {:.1f}v{:.1f}", x - half, y, 2 * half, x,
                     y - half, 2 * half);
}

std::string Cross(double x, double y, double half) {
  return fmt::format("M{0:.1f} {1:.1f}l{2:.1f} {2:.1f}M{0:.1f} {3:.1f}l{2:.1f} -{2:.1f}", x - half,
                     y - half, 2 * half, y + half);
}

}  // namespace

std::string WeightLook(Weight weight) {
  constexpr std::string_view kLooks[] = {" strong", "", " pale", " aside"};
  return std::string(kLooks[static_cast<size_t>(weight)]);
}

std::string SvgArrows(const Chart& chart, const LogPlot& plot) {
  std::string out;
  for (const Weight weight : {Weight::kAside, Weight::kPale, Weight::kPlain, Weight::kStrong}) {
    if (weight == Weight::kAside && !chart.reveals) continue;
    for (const ChartArrow& arrow : chart.arrows) {
      if (arrow.weight != weight) continue;
      const auto place = PlaceArrow(chart, arrow, plot);
      if (!place) continue;
      out += Arrow(*place, ArrowHead(plot.frame()), ArrowLook(weight),
                   PartAttribute(chart.dots[arrow.to].region));
    }
  }
  return out;
}

std::string SvgSign(const ChartDot& dot, double x, double y, double radius, std::string_view more) {
  if (dot.sign == DotSign::kNone || dot.weight == Weight::kAside) return {};
  const bool is_new = dot.sign == DotSign::kNew;
  const std::string path = is_new ? Plus(x, y, 0.6 * radius) : Cross(x, y, 0.9 * radius);
  return fmt::format("<path class=\"{}{}\" d=\"{}\"{}/>\n", is_new ? kNew : kVanished,
                     WeightLook(dot.weight), path, more);
}

void AddMoveLegend(const Chart& chart, std::vector<LegendItem>& items) {
  if (!chart.compares) return;
  const auto has = [&chart](auto what) {
    return std::any_of(chart.dots.begin(), chart.dots.end(), what);
  };
  const auto weighs = [&has](Weight weight) {
    return has([weight](const ChartDot& dot) {
      return dot.weight == weight && dot.sign == DotSign::kNone;
    });
  };
  const auto is = [&has](DotSign sign) {
    return has(
        [sign](const ChartDot& dot) { return dot.sign == sign && dot.weight != Weight::kAside; });
  };
  if (has([](const ChartDot& dot) { return dot.is_before && dot.weight != Weight::kAside; })) {
    items.push_back({"before by-other", "first run"});
  }
  if (weighs(Weight::kStrong)) {
    items.push_back({ArrowLook(Weight::kStrong), "faster or slower beyond noise"});
  }
  if (weighs(Weight::kPlain)) items.push_back({ArrowLook(Weight::kPlain), "noise is not known"});
  if (weighs(Weight::kPale)) {
    items.push_back({ArrowLook(Weight::kPale), "time within noise, or below 1 % of both runs"});
  }
  if (!chart.aside.empty()) items.push_back({"dot by-other speck", chart.aside});
  if (is(DotSign::kNew)) items.push_back({std::string(kNew), "new"});
  if (is(DotSign::kVanished)) items.push_back({std::string(kVanished), "vanished"});
}

bool IsMoveLook(std::string_view look) {
  return look.starts_with(kArrow) || look.starts_with(kNew) || look.starts_with(kVanished);
}

std::string MoveMark(std::string_view look, double x, double y) {
  constexpr double kHead = 6, kHalf = 5;
  if (look.starts_with(kArrow))
    return Arrow({x - 8, y, x + 5, y, true}, kHead, std::string(look), "");
  // A + is white on its dot.
  const std::string path = look == kNew ? Plus(x, y, 3.3) : Cross(x, y, kHalf);
  return fmt::format(
      "<circle class=\"{} by-other\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5.5\"/>\n<path class=\"{}\" "
      "d=\"{}\"/>\n",
      look == kNew ? "dot" : "before", x, y, look, path);
}

}  // namespace roofmark
