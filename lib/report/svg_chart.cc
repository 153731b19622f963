// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/report/chart_layout.h"
#include "lib/report/format.h"
#include "lib/report/letters.h"
#include "lib/report/svg_legend.h"
#include "lib/report/svg_moves.h"
#include "lib/report/svg_shapes.h"
#include "lib/report/xml_text.h"

namespace roofmark {
namespace {

// Decades whose names would touch are left out: every n-th is named.
size_t NamedDecade(double room_px, double decade_px) {
  return static_cast<size_t>(std::max(1.0, std::ceil(room_px / decade_px)));
}

// "1e4" where digits would need more room than there is beside an axis.
std::string DecadeText(double decade, const PlotFrame& frame) {
  const double most = frame.narrow() ? 1e3 : 1e4;
  if (decade <= most * 1.01 && decade >= 9.9 / most) return fmt::format("{:g}", decade);
  return fmt::format("1e{:.0f}", std::log10(decade));
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
  const size_t x_every = NamedDecade(LettersWidth("0.0001", letter) + 6, plot.XDecadeWidth());
  size_t index = 0;
  for (const double decade : Decades(chart.x_min, chart.x_max)) {
    if (index++ % x_every != 0) continue;
    const std::string text = DecadeText(decade, frame);
    const double most = frame.width - LettersWidth(text, letter) / 2;
    out += SvgText(std::min(plot.X(decade), most), bottom + letter + 5, "tick mid", text);
  }
  const size_t y_every = NamedDecade(letter + 2, plot.YDecadeHeight());
  index = 0;
  for (const double decade : Decades(chart.y_min, chart.y_max)) {
    if (index++ % y_every != 0) continue;
    out += SvgText(frame.left - 6, plot.Y(decade) + 4, "tick end", DecadeText(decade, frame));
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

// From what is named to its name, where that does not stand right beside it.
std::string Leaders(const ChartLayout& layout, double letter) {
  std::string out;
  for (const auto* labels : {&layout.lines, &layout.walls, &layout.ridges, &layout.dots}) {
    for (const auto& label : *labels) {
      if (!label || !label->place.has_leader) continue;
      const auto [x, y] = LeaderEnd(label->place, letter);
      out += SvgLine(label->place.leader_x, label->place.leader_y, x, y, "leader");
    }
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

// Of an intensity that was extrapolated a line of dashes, with the numbers for people who hover.
std::string Whiskers(const ChartDot& dot, const LogPlot& plot) {
  const DotBars bars = BarsOf(dot, plot);
  const double x = plot.X(dot.x), y = plot.Y(dot.y);
  std::string path, out;
  if (bars.over_y) {
    path += fmt::format("M{0:.1f} {1:.1f}H{2:.1f}M{3:.1f} {1:.1f}V{4:.1f}M{0:.1f} {4:.1f}H{2:.1f}",
                        x - 4, bars.over_y->from, x + 4, x, bars.over_y->to);
  }
  if (bars.over_x) {
    path += fmt::format("M{1:.1f} {0:.1f}V{2:.1f}M{1:.1f} {3:.1f}H{4:.1f}M{4:.1f} {0:.1f}V{2:.1f}",
                        y - 4, bars.over_x->from, y + 4, y, bars.over_x->to);
  }
  if (!path.empty()) {
    out = fmt::format("<path class=\"whisker {}\" d=\"{}\"/>\n", InfoOf(dot.limit).css, path);
  }
  if (!bars.within_x) return out;
  return out + fmt::format(
                   "<path class=\"whisker {}\" stroke-dasharray=\"3 2\" d=\"M{:.1f} "
                   "{:.1f}H{:.1f}\"><title>extrapolated: {} to {} FLOP/byte</title></path>\n",
                   InfoOf(dot.limit).css, bars.within_x->from, y, bars.within_x->to,
                   Plain(dot.within_x.low), Plain(dot.within_x.high));
}

// The first of two dots, where the second one is but a speck.
bool IsHidden(const ChartDot& dot) {
  return dot.is_before && dot.weight == Weight::kAside && dot.key.empty();
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

}  // namespace

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

std::string DotLook(const ChartDot& dot) {
  const std::string_view form = dot.is_before    ? "before"
                                : dot.is_program ? "ring"
                                : dot.is_found   ? "hollow"
                                                 : "dot";
  const bool speck = dot.weight == Weight::kAside && !IsHidden(dot);
  return fmt::format("{} {}{}", form, InfoOf(dot.limit).css,
                     speck ? " speck" : WeightLook(dot.weight));
}

namespace {

std::string Draw(const Chart& chart, const PlotFrame& frame,
                 const std::vector<LegendItem>& legend) {
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
         Leaders(layout, LetterSize(frame)) + Dots(chart, plot) + Labels(chart, layout) +
         SvgLegend(legend, frame) + "</g>\n";
}

}  // namespace

std::string SvgChart(const Chart& chart, const PlotFrame& frame) {
  return Draw(chart, frame, LegendOf(chart));
}

Drawing DrawChart(const Chart& chart, const PlotFrame& frame) {
  const FittedLegend fitted = FitLegend(chart, frame);
  return {Draw(chart, fitted.frame, fitted.items), fitted.frame.height};
}

}  // namespace roofmark
