// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/report/chart_layout.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/letters.h"
#include "lib/report/svg_moves.h"
#include "lib/report/svg_shapes.h"
#include "lib/report/xml_text.h"

namespace roofmark {
namespace {

constexpr std::string_view kBeyondLook = "beyond";  // of a legend's item

// Decades whose names would touch are left out: every n-th is named.
size_t NamedDecade(const LogPlot& plot, double letter) {
  const double widest = LettersWidth("0.0001", letter) + 6;
  return static_cast<size_t>(std::max(1.0, std::ceil(widest / plot.XDecadeWidth())));
}

std::string GridOver(const LogPlot& plot) {
  const DataRange& range = plot.range();
  const PlotFrame& frame = plot.frame();
  const double bottom = frame.PlotBottom(), right = frame.PlotRight();
  std::string out;
  for (const double decade : Decades(range.x_min, range.x_max)) {
    for (int k = 1; k < 10 && decade * k < range.x_max * 1.01; ++k) {
      const double x = plot.X(decade * k);
      out += SvgLine(x, frame.top, x, bottom, k == 1 ? "decade" : "minor");
    }
  }
  for (const double decade : Decades(range.y_min, range.y_max)) {
    for (int k = 1; k < 10 && decade * k < range.y_max * 1.01; ++k) {
      const double y = plot.Y(decade * k);
      out += SvgLine(frame.left, y, right, y, k == 1 ? "decade" : "minor");
    }
  }
  return out;
}

std::string Axes(const Chart& chart, const LogPlot& plot) {
  const PlotFrame& frame = plot.frame();
  const double bottom = frame.PlotBottom(), letter = LetterSize(frame);
  std::string out;
  const size_t every = NamedDecade(plot, letter);
  size_t index = 0;
  for (const double decade : Decades(chart.x_min, chart.x_max)) {
    if (index++ % every != 0) continue;
    out += SvgText(plot.X(decade), bottom + letter + 5, "tick mid", fmt::format("{:g}", decade));
  }
  for (const double decade : Decades(chart.y_min, chart.y_max)) {
    out += SvgText(frame.left - 6, plot.Y(decade) + 4, "tick end", fmt::format("{:g}", decade));
  }
  out += SvgText(frame.left + frame.PlotWidth() / 2, bottom + 2 * letter + 13, "axis mid",
                 frame.narrow() ? chart.x_axis_short : chart.x_axis);
  const double middle = frame.top + frame.PlotHeight() / 2, x = letter + 2;
  out += SvgText(x, middle, "axis mid", "GFLOP/s",
                 fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", x, middle));
  return out;
}

std::string Hull(const Chart& chart, const LogPlot& plot) {
  if (chart.hull.empty()) return {};
  const double bottom = plot.frame().PlotBottom();
  std::string path = fmt::format("M{:.1f} {:.1f}", plot.X(chart.hull[0].first), bottom);
  for (const auto& [x, y] : chart.hull) path += fmt::format("L{:.1f} {:.1f}", plot.X(x), plot.Y(y));
  return fmt::format("<path class=\"hull\" d=\"{}L{:.1f} {:.1f}Z\"/>\n", path,
                     plot.X(chart.hull.back().first), bottom);
}

std::string Lines(const Chart& chart, const LogPlot& plot) {
  std::string rungs, roofs;
  for (const ChartLine& line : chart.lines) {
    const std::string css =
        fmt::format("{} {}", line.rung ? "rung" : "roof", line.memory ? "memory" : "compute");
    (line.rung ? rungs : roofs) +=
        SvgLine(plot.X(line.x0), plot.Y(line.y0), plot.X(line.x1), plot.Y(line.y1), css);
  }
  for (const ChartWall& wall : chart.walls) {
    const double x = plot.X(wall.x);
    rungs +=
        SvgLine(x, plot.frame().PlotBottom(), x, plot.Y(std::max(wall.y1, chart.y_min)), "wall");
  }
  for (const RidgePoint& ridge : chart.ridges) {
    roofs += fmt::format("<path class=\"ridge\" d=\"M{:.1f} {:.1f}l5 5l-5 5l-5 -5Z\"/>\n",
                         plot.X(ridge.x), plot.Y(ridge.y) - 5);
  }
  return rungs + roofs;
}

// What belongs to a region of two runs, in charts that hold them against each other.
std::string PartOf(const Chart& chart, const ChartDot& dot) {
  return chart.compares ? PartAttribute(dot.region) : std::string();
}

// From a dot to its name where that stands higher or lower: names of neighbours are nearer then.
std::string Leader(const ChartDot& dot, const PlacedLabel& label, const LogPlot& plot) {
  constexpr double kGap = 2;  // px
  const double letter = LetterSize(plot.frame()), radius = RadiusOf(dot, plot.frame());
  const auto [x, y, right, down] = SpotOf(dot, plot);
  const double to_x = label.place.x + (label.place.anchor == Anchor::kEnd ? kGap : -kGap);
  const double to_y = label.place.y - 0.325 * letter;
  if (std::abs(to_y - y) < letter && std::abs(to_x - x) < radius + letter) return {};
  const double edge = radius / std::hypot(to_x - x, to_y - y);
  if (edge >= 1) return {};
  return SvgLine(x + edge * (to_x - x), y + edge * (to_y - y), to_x, to_y, "leader");
}

std::string Leaders(const Chart& chart, const ChartLayout& layout, const LogPlot& plot) {
  std::string out;
  for (size_t i = 0; i < chart.dots.size(); ++i) {
    if (layout.dots[i]) out += Leader(chart.dots[i], *layout.dots[i], plot);
  }
  return out;
}

std::string Labels(const Chart& chart, const ChartLayout& layout) {
  std::string out;
  const auto add = [&out](const std::optional<PlacedLabel>& label, std::string_view css) {
    if (label) out += SvgLabel(*label, css);
  };
  for (size_t i = 0; i < chart.lines.size(); ++i) {
    add(layout.lines[i], chart.lines[i].rung ? "rung-name" : "roof-name");
  }
  for (const auto& label : layout.walls) add(label, "rung-name");
  for (const auto& label : layout.ridges) add(label, "ridge-name");
  for (size_t i = 0; i < chart.dots.size(); ++i) {
    const ChartDot& dot = chart.dots[i];
    if (!layout.dots[i]) continue;
    out += SvgLabel(*layout.dots[i], "dot-name" + WeightLook(dot.weight), PartOf(chart, dot));
  }
  return out;
}

// Of an intensity that was extrapolated: a line of dashes, with the numbers for people who hover.
std::string Interval(const ChartDot& dot, const LogPlot& plot) {
  if (dot.within_x.high <= 0) return {};
  const double low = plot.X(std::max(dot.within_x.low, plot.range().x_min));
  const double high = plot.X(std::min(dot.within_x.high, plot.range().x_max));
  return fmt::format(
      "<path class=\"whisker {}\" stroke-dasharray=\"3 2\" d=\"M{:.1f} {:.1f}H{:.1f}\"><title>"
      "extrapolated: {} to {} FLOP/byte</title></path>\n",
      InfoOf(dot.limit).css, low, plot.Y(dot.y), high, Plain(dot.within_x.low),
      Plain(dot.within_x.high));
}

// As far as they are longer than the dot is wide.
std::string Whiskers(const ChartDot& dot, const LogPlot& plot) {
  if (!dot.beyond.empty()) return {};
  std::string path;
  const double x = plot.X(dot.x), y = plot.Y(dot.y), radius = RadiusOf(dot, plot.frame());
  const double low = plot.Y(std::max(dot.over_y.low, plot.range().y_min));
  const double high = plot.Y(std::min(dot.over_y.high, plot.range().y_max));
  if (dot.over_y.high > 0 && std::max(low - y, y - high) > radius) {
    path += fmt::format("M{0:.1f} {1:.1f}H{2:.1f}M{3:.1f} {1:.1f}V{4:.1f}M{0:.1f} {4:.1f}H{2:.1f}",
                        x - 4, low, x + 4, x, high);
  }
  const double left = plot.X(std::max(dot.over_x.low, plot.range().x_min));
  const double right = plot.X(std::min(dot.over_x.high, plot.range().x_max));
  if (dot.over_x.high > 0 && std::max(x - left, right - x) > radius) {
    path += fmt::format("M{1:.1f} {0:.1f}V{2:.1f}M{1:.1f} {3:.1f}H{4:.1f}M{4:.1f} {0:.1f}V{2:.1f}",
                        y - 4, left, y + 4, y, right);
  }
  std::string out;
  if (!path.empty()) {
    out = fmt::format("<path class=\"whisker {}\" d=\"{}\"/>\n", InfoOf(dot.limit).css, path);
  }
  return out + Interval(dot, plot);
}

// The first of two dots, where the second one is but a speck.
bool IsHidden(const ChartDot& dot) {
  return dot.is_before && dot.weight == Weight::kAside && dot.key.empty();
}

// A triangle whose tip points to where the dot lies.
std::string EdgeMark(std::string_view look, const DotSpot& spot, std::string_view part,
                     std::string_view title) {
  const double degrees = std::atan2(spot.down, spot.right) * 180 / std::acos(-1.0);
  return fmt::format(
      "<path class=\"{}\" transform=\"translate({:.1f} {:.1f}) rotate({:.0f})\" d=\"M{} 0l-{} "
      "{}v-{}"
      "Z\"{}>{}</path>\n",
      look, spot.x, spot.y, degrees, kEdgeMark, 2 * kEdgeMark - 1, kEdgeMark, 2 * kEdgeMark, part,
      title);
}

// Those of little weight first, small ones last, so that none hides another.
std::vector<size_t> InDrawingOrder(const Chart& chart) {
  std::vector<size_t> order = ByShare(chart.dots);
  std::stable_sort(order.begin(), order.end(), [&chart](size_t a, size_t b) {
    return chart.dots[a].weight > chart.dots[b].weight;
  });
  return order;
}

std::string Dots(const Chart& chart, const LogPlot& plot) {
  std::string whiskers, circles;
  for (const size_t i : InDrawingOrder(chart)) {
    const ChartDot& dot = chart.dots[i];
    if (IsHidden(dot) && !chart.reveals) continue;
    const DotSpot spot = SpotOf(dot, plot);
    const double radius = RadiusOf(dot, plot.frame());
    const std::string part = PartOf(chart, dot);
    const std::string title = fmt::format("<title>{}: {} FLOP/byte, {} GFLOP/s</title>",
                                          XmlText(dot.name), Plain(dot.x), Plain(dot.y));
    whiskers += Whiskers(dot, plot);
    circles += dot.beyond.empty()
                   ? fmt::format(
                         "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"{}>"
                         "{}</circle>\n",
                         DotLook(dot), spot.x, spot.y, radius, part, title)
                   : EdgeMark(DotLook(dot), spot, part, title);
    circles += SvgSign(dot, spot.x, spot.y, radius, part);
  }
  return whiskers + circles;
}

std::string LegendMark(const LegendItem& item, double x, double y) {
  if (IsMoveLook(item.look)) return MoveMark(item.look, x, y);
  if (item.look == "whisker") {
    return fmt::format(
        "<path class=\"whisker by-other\" d=\"M{0:.1f} {1:.1f}v8m0 -4h12m0 -4v8\"/>\n", x - 6,
        y - 4);
  }
  if (item.look == kBeyondLook) return EdgeMark("dot by-other", {x + 2, y, 0, 1}, "", "");
  return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>\n", item.look, x,
                     y);
}

struct PlacedItem {
  LegendItem item;
  double x, y;
};

std::vector<PlacedItem> PlaceLegend(const Chart& chart, const PlotFrame& frame) {
  const double letter = LetterSize(frame), row = letter + 4;
  double x = frame.left, y = frame.PlotBottom() + 3 * letter + 21;
  std::vector<PlacedItem> placed;
  for (LegendItem& item : LegendOf(chart)) {
    const double width = 12 + LettersWidth(item.text, letter) + 12;
    if (x > frame.left && x + width > frame.width) {
      x = frame.left;
      y += row;
    }
    placed.push_back({std::move(item), x, y});
    x += width;
  }
  return placed;
}

std::string LegendBelow(const Chart& chart, const PlotFrame& frame) {
  std::string out;
  for (const auto& [item, x, y] : PlaceLegend(chart, frame)) {
    out += LegendMark(item, x + 2, y - 0.35 * LetterSize(frame)) +
           SvgText(x + 12, y, "tick", item.text);
  }
  return out;
}

// The frame with as much room below its plot as the legend needs.
PlotFrame WithLegend(const Chart& chart, PlotFrame frame) {
  constexpr double kBelow = 4;
  const std::vector<PlacedItem> legend = PlaceLegend(chart, frame);
  const double lacks = legend.empty() ? 0 : legend.back().y + kBelow - frame.height;
  if (lacks <= 0) return frame;
  frame.height += lacks;
  frame.bottom += lacks;
  return frame;
}

}  // namespace

std::string DotLook(const ChartDot& dot) {
  const std::string_view form = dot.is_before    ? "before"
                                : dot.is_program ? "ring"
                                : dot.is_found   ? "hollow"
                                                 : "dot";
  const bool speck = dot.weight == Weight::kAside && !IsHidden(dot);
  return fmt::format("{} {}{}", form, InfoOf(dot.limit).css,
                     speck ? " speck" : WeightLook(dot.weight));
}

std::vector<LegendItem> LegendOf(const Chart& chart) {
  std::vector<LegendItem> items;
  const auto has = [&chart](auto what) {
    return std::any_of(chart.dots.begin(), chart.dots.end(), what);
  };
  for (size_t i = 0; i <= static_cast<size_t>(LimitColor::kOther); ++i) {
    const LimitColorInfo& info = InfoOf(static_cast<LimitColor>(i));
    if (!has([&info](const ChartDot& dot) { return dot.limit == info.id && !dot.is_program; })) {
      continue;
    }
    items.push_back({fmt::format("dot {}", info.css), std::string(info.name)});
  }
  if (HasHollowDots(chart)) items.push_back({"hollow by-other", std::string(kFoundLegend)});
  if (has([](const ChartDot& dot) { return dot.is_program; })) {
    items.push_back({"ring by-other", "whole program"});
  }
  if (has([](const ChartDot& dot) { return dot.over_x.high > 0 || dot.over_y.high > 0; })) {
    items.push_back({"whisker", "5th to 95th percentile of ranks"});
  }
  AddMoveLegend(chart, items);
  if (const auto beyond = std::count_if(chart.dots.begin(), chart.dots.end(),
                                        [](const ChartDot& dot) { return !dot.beyond.empty(); })) {
    items.push_back({std::string(kBeyondLook), fmt::format("outside of the axes ({})", beyond)});
  }
  return items;
}

std::string SvgChart(const Chart& chart, const PlotFrame& frame) {
  if (chart.lines.empty() && chart.dots.empty()) {
    return "<g>" +
           SvgText(20, 40, "axis",
                   "Nothing to draw: no region has both a time and an "
                   "intensity, and there are no roofs.") +
           "</g>\n";
  }
  const LogPlot plot(frame, chart.Range());
  const ChartLayout layout = LayOut(chart, plot);
  return fmt::format("<g class=\"chart{}\">", frame.narrow() ? " narrow" : "") + GridOver(plot) +
         Hull(chart, plot) + Axes(chart, plot) + Lines(chart, plot) + SvgArrows(chart, plot) +
         Leaders(chart, layout, plot) + Dots(chart, plot) + Labels(chart, layout) +
         LegendBelow(chart, frame) + "</g>\n";
}

Drawing DrawChart(const Chart& chart, const PlotFrame& frame) {
  const PlotFrame whole = WithLegend(chart, frame);
  return {SvgChart(chart, whole), whole.height};
}

}  // namespace roofmark
