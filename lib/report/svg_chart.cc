// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "lib/report/display_width.h"
#include "lib/report/dot_names.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/label_box.h"

namespace roofmark {
namespace {

constexpr double kLeft = 70, kRight = 20, kTop = 20, kBottom = 56;
constexpr double kPlotWidth = kSvgChartWidth - kLeft - kRight;
constexpr double kPlotHeight = kSvgChartHeight - kTop - kBottom;
constexpr double kLabelHeight = 15;

// Data to pixels.
struct Scale {
  explicit Scale(const Chart& c)
      : chart(c),
        x_decades(std::log10(c.x_max / c.x_min)),
        y_decades(std::log10(c.y_max / c.y_min)) {}
  double X(double x) const { return kLeft + std::log10(x / chart.x_min) / x_decades * kPlotWidth; }
  double Y(double y) const {
    return kTop + (1 - std::log10(y / chart.y_min) / y_decades) * kPlotHeight;
  }
  // Of a line that rises one decade per decade.
  double SlopeDegrees() const {
    return std::atan2(kPlotHeight / y_decades, kPlotWidth / x_decades) * 180 / std::acos(-1.0);
  }
  const Chart& chart;
  double x_decades, y_decades;
};

std::string Line(double x0, double y0, double x1, double y1, std::string_view css) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", css, x0, y0,
      x1, y1);
}

std::string Text(double x, double y, std::string_view css, std::string_view text,
                 std::string_view more = "") {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", css, x, y, more,
                     XmlText(text));
}

std::string Grid(const Scale& scale) {
  const Chart& chart = scale.chart;
  std::string out;
  const double bottom = kTop + kPlotHeight, right = kLeft + kPlotWidth;
  for (const double decade : Decades(chart.x_min, chart.x_max)) {
    for (int k = 1; k < 10 && decade * k < chart.x_max * 1.01; ++k) {
      const double x = scale.X(decade * k);
      out += Line(x, kTop, x, bottom, k == 1 ? "decade" : "minor");
    }
    out += Text(scale.X(decade), bottom + 18, "tick mid", fmt::format("{:g}", decade));
  }
  for (const double decade : Decades(chart.y_min, chart.y_max)) {
    for (int k = 1; k < 10 && decade * k < chart.y_max * 1.01; ++k) {
      const double y = scale.Y(decade * k);
      out += Line(kLeft, y, right, y, k == 1 ? "decade" : "minor");
    }
    out += Text(kLeft - 8, scale.Y(decade) + 4, "tick end", fmt::format("{:g}", decade));
  }
  out += Text(kLeft + kPlotWidth / 2, kSvgChartHeight - 12, "axis mid", chart.x_axis);
  out += Text(18, kTop + kPlotHeight / 2, "axis mid", "GFLOP/s",
              fmt::format(" transform=\"rotate(-90 18 {:.1f})\"", kTop + kPlotHeight / 2));
  return out;
}

// A line's name: along a slope, turned about (x, y) and `above` it; or ending at (x, y).
struct Name {
  const ChartLine& line;
  double x, y;
  double above = 6;
};

Name SlopeName(const Scale& scale, const ChartLine& line, double x) {
  const double along = (x - scale.X(line.x0)) / (scale.X(line.x1) - scale.X(line.x0));
  return {line, x, scale.Y(line.y0 * std::pow(line.y1 / line.y0, along))};
}

std::string NameText(const Scale& scale, const Name& name, std::string_view css) {
  if (!name.line.memory) {
    return Text(name.x, name.y, fmt::format("{} end", css), name.line.label);
  }
  return Text(name.x, name.y - name.above, css, name.line.label,
              fmt::format(" transform=\"rotate({:.1f} {:.1f} {:.1f})\"", -scale.SlopeDegrees(),
                          name.x, name.y));
}

// What a name covers: letters of 12 px are about 7 px wide, 9 px above the base line and 3 px
// below.
LabelBox BoxOf(const Scale& scale, const Name& name) {
  const double half = 3.5 * static_cast<double>(DisplayWidth(name.line.label)), middle = 3;
  if (!name.line.memory) return {name.x - half, name.y - middle, half, 7, 0};
  const double angle = -scale.SlopeDegrees() * std::acos(-1.0) / 180, up = name.above + middle;
  return {name.x + half * std::cos(angle) + up * std::sin(angle),
          name.y + half * std::sin(angle) - up * std::cos(angle), half, 7, -scale.SlopeDegrees()};
}

LabelBox BoxOf(const Scale& scale, const ChartLine& line) {
  const double x0 = scale.X(line.x0), x1 = scale.X(line.x1);
  const double y0 = scale.Y(line.y0), y1 = scale.Y(line.y1);
  return {(x0 + x1) / 2, (y0 + y1) / 2, std::hypot(x1 - x0, y1 - y0) / 2, 0,
          line.memory ? -scale.SlopeDegrees() : 0};
}

bool InsidePlot(const LabelBox& box) {
  for (const auto& [x, y] : box.Corners()) {
    if (x < kLeft || x > kLeft + kPlotWidth || y < kTop || y > kTop + kPlotHeight) return false;
  }
  return true;
}

// Where a rung's name could stand, best first.
std::vector<Name> RungNames(const Scale& scale, const ChartLine& rung) {
  constexpr double kStep = 30;
  const double left = scale.X(rung.x0), right = scale.X(rung.x1);
  std::vector<Name> names;
  if (rung.memory) {
    for (double x = left + 14; x < right; x += kStep) {
      names.push_back(SlopeName(scale, rung, x));
      names.push_back(names.back());
      names.back().above = -kLabelHeight;
    }
    return names;
  }
  for (double x = right - 6; x > left; x -= kStep) {
    names.push_back({rung, x, scale.Y(rung.y0) - 6});
    names.push_back({rung, x, scale.Y(rung.y0) + kLabelHeight});
  }
  return names;
}

double RadiusOf(const ChartDot& dot) { return 5 + 15 * std::sqrt(dot.share); }

LabelBox BoxOf(const Scale& scale, const ChartDot& dot) {
  const double radius = RadiusOf(dot);
  return {scale.X(dot.x), scale.Y(dot.y), radius, radius, 0};
}

std::vector<DotName> NamesOf(const Scale& scale) {
  std::vector<DotToName> dots;
  for (const ChartDot& dot : scale.chart.dots) {
    dots.push_back({scale.X(dot.x), scale.Y(dot.y), RadiusOf(dot), dot.label, dot.key});
  }
  return NameDots(dots, kLeft, kSvgChartWidth);
}

// The ladder below the roofs: thin lines, named where the name lies neither on another one nor on
// a line; `names` are those of the roofs.
std::string Rungs(const Scale& scale, std::vector<LabelBox> names) {
  std::string out;
  const std::vector<ChartLine>& lines = scale.chart.lines;
  for (const ChartLine& rung : lines) {
    if (!rung.rung) continue;
    out += Line(scale.X(rung.x0), scale.Y(rung.y0), scale.X(rung.x1), scale.Y(rung.y1),
                rung.memory ? "rung memory" : "rung compute");
    for (const Name& name : RungNames(scale, rung)) {
      const LabelBox box = BoxOf(scale, name);
      const auto covers = [&box](const LabelBox& other) { return Overlap(box, other); };
      const auto crosses = [&](const ChartLine& line) { return covers(BoxOf(scale, line)); };
      if (!InsidePlot(box) || std::any_of(names.begin(), names.end(), covers) ||
          std::any_of(lines.begin(), lines.end(), crosses)) {
        continue;
      }
      names.push_back(box);
      out += NameText(scale, name, "rung-name");
      break;
    }
  }
  return out;
}

// Intensity walls, each named along it, as low as there is room. `names` are those of the roofs;
// the walls' are added.
std::string Walls(const Scale& scale, std::vector<LabelBox>& names) {
  constexpr double kStep = 20, kBeside = 5, kLetters = 9;
  const double bottom = kTop + kPlotHeight;
  std::string out;
  for (const ChartWall& wall : scale.chart.walls) {
    const double x = scale.X(wall.x), top = scale.Y(std::max(wall.y1, scale.chart.y_min));
    out += Line(x, bottom, x, top, "wall");
    const double half = 3.3 * static_cast<double>(DisplayWidth(wall.label));
    // Across a slope only where nothing else is free.
    std::optional<LabelBox> place, across;
    for (double y = bottom - 6; !place && y - 2 * half > kTop; y -= kStep) {
      for (const double middle : {x - kBeside - 3, x + kBeside + kLetters - 3}) {
        const LabelBox box = {middle, y - half, half, 7, -90};
        const auto covers = [&box](const LabelBox& other) { return Overlap(box, other); };
        const auto crosses = [&](const ChartLine& line) { return covers(BoxOf(scale, line)); };
        if (!InsidePlot(box) || std::any_of(names.begin(), names.end(), covers)) continue;
        const std::vector<ChartLine>& lines = scale.chart.lines;
        const bool free = std::none_of(lines.begin(), lines.end(), crosses);
        if (free && !place) place = box;
        if (!free && !across) across = box;
      }
    }
    if (!place) place = across;
    if (!place) continue;
    names.push_back(*place);
    const double base = place->x + 3, end = place->y + half;
    out += Text(base, end, "rung-name", wall.label,
                fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", base, end));
  }
  return out;
}

// At the slope's lower end; slopes may lie closer than a line of text, then further along.
Name FreeSlopeName(const Scale& scale, const ChartLine& line, const std::vector<LabelBox>& taken) {
  for (const Name& name : RungNames(scale, line)) {
    const LabelBox box = BoxOf(scale, name);
    const auto covers = [&box](const LabelBox& other) { return Overlap(box, other); };
    if (name.above > 0 && InsidePlot(box) && std::none_of(taken.begin(), taken.end(), covers)) {
      return name;
    }
  }
  return SlopeName(scale, line, scale.X(line.x0) + 14);
}

// Horizontal roofs may lie closer than a line of text: names that would overlap go below.
std::string Roofs(const Scale& scale) {
  std::string out;
  std::vector<double> taken;
  std::vector<LabelBox> names;
  for (const ChartLine& line : scale.chart.lines) {
    if (line.rung) continue;
    out += Line(scale.X(line.x0), scale.Y(line.y0), scale.X(line.x1), scale.Y(line.y1),
                line.memory ? "roof memory" : "roof compute");
    if (line.memory) {
      const Name name = FreeSlopeName(scale, line, names);
      names.push_back(BoxOf(scale, name));
      out += NameText(scale, name, "roof-name");
      continue;
    }
    double y = scale.Y(line.y0) - 6;
    const auto crowded = [&] {
      return std::any_of(taken.begin(), taken.end(),
                         [&](double other) { return std::fabs(other - y) < kLabelHeight; });
    };
    if (crowded()) y = scale.Y(line.y0) + kLabelHeight;
    while (crowded()) y += kLabelHeight;
    taken.push_back(y);
    const Name name = {line, kLeft + kPlotWidth - 6, y};
    names.push_back(BoxOf(scale, name));
    out += NameText(scale, name, "roof-name");
  }
  for (const ChartDot& dot : scale.chart.dots) names.push_back(BoxOf(scale, dot));
  for (const DotName& name : NamesOf(scale)) names.push_back(name.box);
  const std::string walls = Walls(scale, names);
  // Beneath the roofs, so that the light edges of its names do not cut them.
  return walls + Rungs(scale, std::move(names)) + out;
}

// Area by time share; a region without one is still visible.
std::string Dots(const Scale& scale) {
  std::string circles, texts;
  const std::vector<DotName> names = NamesOf(scale);
  for (size_t i = 0; i < scale.chart.dots.size(); ++i) {
    const ChartDot& dot = scale.chart.dots[i];
    circles += fmt::format(
        "<circle {} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\">"
        "<title>{}: {} FLOP/byte, {} GFLOP/s</title></circle>\n",
        DotLook(DotColor(dot.color), dot.is_found), scale.X(dot.x), scale.Y(dot.y), RadiusOf(dot),
        XmlText(dot.name), Plain(dot.x), Plain(dot.y));
    texts +=
        Text(names[i].x, names[i].y, names[i].end ? "dot-name end" : "dot-name", names[i].text);
  }
  return circles + texts;
}

// Left of the name of the x axis.
std::string DotLegend(const Chart& chart) {
  if (!HasHollowDots(chart)) return {};
  constexpr double kRadius = 5, kBaseLine = kSvgChartHeight - 12;
  return fmt::format("<circle {} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n",
                     DotLook("#555", true), kLeft + kRadius, kBaseLine - 4, kRadius) +
         Text(kLeft + 3 * kRadius, kBaseLine, "tick", kFoundLegend);
}

}  // namespace

std::string XmlText(std::string_view text) {
  std::string out;
  for (char c : Printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string_view ChartStyle() {
  return "text{font-family:system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:#222}"
         ".tick{font-size:12px;fill:#555}.axis{font-size:13px}.mid{text-anchor:middle}"
         ".end{text-anchor:end}.decade{stroke:#d5d9de;stroke-width:1}"
         ".minor{stroke:#f0f2f4;stroke-width:1}.roof{stroke-width:2.2;stroke-linecap:round}"
         ".memory{stroke:#2f6f9f}.compute{stroke:#a8433a}"
         ".roof-name{font-size:12px;fill:#333;paint-order:stroke;stroke:#fff;stroke-width:3px}"
         ".dot{fill-opacity:.75;stroke:#fff;stroke-width:1.2}"
         ".hollow{fill:#fff;fill-opacity:.75;stroke-width:2.4}"
         ".dot-name{font-size:12.5px;font-weight:600;paint-order:stroke;stroke:#fff;"
         "stroke-width:3px}";
}

std::string_view LadderStyle() {
  return ".rung{stroke-width:1.2;stroke-dasharray:1.5 3.5}"
         ".wall{stroke:#666;stroke-width:1.2;stroke-dasharray:6 4}"
         ".rung-name{font-size:12px;fill:#666;paint-order:stroke;stroke:#fff;stroke-width:3px}";
}

std::string_view DotColor(size_t n) {
  // Paul Tol's bright scheme: told apart by the colour-blind too.
  constexpr std::array<std::string_view, 6> kColors = {"#4477AA", "#EE6677", "#228833",
                                                       "#CCBB44", "#66CCEE", "#AA3377"};
  return kColors[n % kColors.size()];
}

std::string DotLook(std::string_view color, bool is_found) {
  return is_found ? fmt::format("class=\"hollow\" stroke=\"{}\"", color)
                  : fmt::format("class=\"dot\" fill=\"{}\"", color);
}

std::string SvgChart(const Chart& chart) {
  if (chart.lines.empty() && chart.dots.empty()) {
    return "<g>" +
           Text(20, 40, "axis",
                "Nothing to draw: no region has both a time and an "
                "intensity, and there are no roofs.") +
           "</g>\n";
  }
  const Scale scale(chart);
  return "<g>" + Grid(scale) + Roofs(scale) + Dots(scale) + DotLegend(chart) + "</g>\n";
}

}  // namespace roofmark
