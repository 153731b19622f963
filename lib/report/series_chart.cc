// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/series_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/report/chart_layout.h"
#include "lib/report/format.h"
#include "lib/report/letters.h"
#include "lib/report/xml_text.h"

namespace roofmark {
namespace {

// What lies beyond these lies on the edge.
constexpr double kLeastRatio = 1e-3, kMostShare = 20, kMostSpeedup = 1e7;

// One direction of a plot: data to pixels.
struct Scale {
  double from = 0, to = 1, from_px = 0, to_px = 1;
  bool logarithmic = false;

  double At(double value) const {
    if (to == from) return from_px;
    const double share =
        logarithmic ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
    return from_px + std::clamp(share, 0.0, 1.0) * (to_px - from_px);
  }
};

// The next of 1, 2, 5 times a power of ten.
double NiceStep(double least) {
  const double decade = std::pow(10, std::floor(std::log10(least)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (least <= step * decade * (1 + 1e-9)) return step * decade;
  }
  return 10 * decade;
}

class Plot {
 public:
  Plot(const SeriesChart& chart, const PlotFrame& frame) : chart_(chart), frame_(frame) {
    x_ = {chart.x.front(), chart.x.back(), frame.left, frame.PlotRight(), true};
    y_ = {0, 1, frame.PlotBottom(), frame.top, chart.logarithmic};
    double low = 1e300, high = 0;
    Include(chart.ideal, low, high);
    for (const Series& line : chart.lines) {
      for (const auto& value : line.values) {
        if (value && *value > 0) Include({*value}, low, high);
      }
    }
    high = std::min(high, chart.percent ? kMostShare : kMostSpeedup);
    y_.from = chart.logarithmic ? std::max(low, high * kLeastRatio) / 1.15 : 0;
    y_.to = high * (chart.logarithmic ? 1.15 : 1.1);
  }

  double X(size_t at) const { return x_.At(chart_.x[at]); }
  double Y(double value) const { return y_.At(value); }
  const PlotFrame& frame() const { return frame_; }

  // Of the y axis, each with its value.
  std::vector<double> Ticks() const {
    std::vector<double> ticks;
    constexpr double kApart = 34;  // px
    if (!chart_.logarithmic) {
      const double step = NiceStep(y_.to * kApart / frame_.PlotHeight());
      for (double tick = 0; tick <= y_.to; tick += step) ticks.push_back(tick);
      return ticks;
    }
    const double octaves = std::log2(y_.to / y_.from);
    const double step = std::exp2(std::ceil(octaves * kApart / frame_.PlotHeight()));
    for (double tick = std::exp2(std::ceil(std::log2(y_.from))); tick <= y_.to; tick *= step) {
      ticks.push_back(tick);
    }
    return ticks;
  }

 private:
  static void Include(const std::vector<double>& values, double& low, double& high) {
    for (const double value : values) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }

  const SeriesChart& chart_;
  PlotFrame frame_;
  Scale x_, y_;
};

std::string YText(const SeriesChart& chart, double value) {
  return chart.percent ? fmt::format("{:.0f} %", value * 100) : fmt::format("{:g}", value);
}

// Ticks of x that do not touch their neighbours.
std::string XTicks(const SeriesChart& chart, const Plot& plot, double letter) {
  std::string out;
  const double bottom = plot.frame().PlotBottom();
  double taken = -1e9;
  for (size_t i = 0; i < chart.x.size(); ++i) {
    const double x = plot.X(i), half = LettersWidth(chart.ticks[i], letter) / 2;
    out += SvgLine(x, plot.frame().top, x, bottom, "even");
    if (x - half < taken) continue;
    taken = x + half + 5;
    out += SvgText(x, bottom + letter + 5, "tick mid", chart.ticks[i]);
  }
  return out;
}

std::string Axes(const SeriesChart& chart, const Plot& plot) {
  const PlotFrame& frame = plot.frame();
  const double letter = LetterSize(frame), bottom = frame.PlotBottom();
  std::string out;
  for (const double tick : plot.Ticks()) {
    const double y = plot.Y(tick);
    out += SvgLine(frame.left, y, frame.PlotRight(), y, "even");
    out += SvgText(frame.left - 6, y + 4, "tick end", YText(chart, tick));
  }
  return out + XTicks(chart, plot, letter) +
         SvgText(frame.left, frame.top - 8, "axis", chart.title) +
         SvgText(frame.left + frame.PlotWidth() / 2, bottom + 2 * letter + 11, "axis mid",
                 chart.x_axis);
}

std::string Path(const std::vector<std::optional<double>>& values, const Plot& plot) {
  std::string path;
  bool open = false;  // the point before has a value
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i]) {
      path += fmt::format("{}{:.1f} {:.1f}", open ? "L" : "M", plot.X(i), plot.Y(*values[i]));
    }
    open = values[i].has_value();
  }
  return path;
}

std::string Ideal(const SeriesChart& chart, const Plot& plot) {
  const std::vector<std::optional<double>> values(chart.ideal.begin(), chart.ideal.end());
  return fmt::format("<path class=\"ideal\" d=\"{}\"/>\n", Path(values, plot));
}

constexpr size_t kCrowd = 60;  // more faint lines than these are drawn lighter

bool IsFaint(const Series& line) { return line.look == "faint"; }

// Neither neighbour has a value: no line leads there.
bool IsAlone(const std::vector<std::optional<double>>& values, size_t i) {
  return (i == 0 || !values[i - 1]) && (i + 1 == values.size() || !values[i + 1]);
}

std::string Spot(const SeriesChart& chart, const Series& line, size_t i, double radius,
                 const Plot& plot) {
  return fmt::format(
      "<circle class=\"spot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"{}><title>{}: {} with "
      "{}</title></circle>\n",
      line.look, plot.X(i), plot.Y(*line.values[i]), radius, PartAttribute(line.part),
      XmlText(Printable(line.name)), YText(chart, *line.values[i]), XmlText(chart.ticks[i]));
}

// Of lines without a colour there may be hundreds: these have spots only where no line leads.
std::string Line(const SeriesChart& chart, const Series& line, const Plot& plot) {
  const bool faint = IsFaint(line);
  std::string out =
      fmt::format("<path class=\"series {}\" d=\"{}\"{}><title>{}</title></path>\n", line.look,
                  Path(line.values, plot), PartAttribute(line.part), XmlText(Printable(line.name)));
  const double radius = faint ? 2 : plot.frame().narrow() ? 3 : 4;
  for (size_t i = 0; i < line.values.size(); ++i) {
    if (!line.values[i] || (faint && !IsAlone(line.values, i))) continue;
    out += Spot(chart, line, i, radius, plot);
  }
  return out;
}

std::optional<size_t> LastOf(const Series& line) {
  for (size_t i = line.values.size(); i-- > 0;) {
    if (line.values[i]) return i;
  }
  return std::nullopt;
}

// A name beside the end of a line.
struct EndName {
  std::optional<size_t> line;  // nothing: the ideal
  std::string text;
  double y;  // of the line's end, then of the name's middle
};

// Names as near to their lines as they can be without touching: in the same order, so that no
// leader crosses another one.
void MoveApart(std::vector<EndName>& names, double apart, double top, double bottom) {
  std::stable_sort(names.begin(), names.end(),
                   [](const EndName& a, const EndName& b) { return a.y < b.y; });
  double least = top;
  for (EndName& name : names) least = (name.y = std::max(name.y, least)) + apart;
  double most = bottom;
  for (size_t i = names.size(); i-- > 0;) most = (names[i].y = std::min(names[i].y, most)) - apart;
}

constexpr double kBesideEnd = 16;  // px from the plot to the names

std::string Names(const SeriesChart& chart, const SeriesLayout& layout, const Plot& plot) {
  std::string out;
  if (layout.ideal) out += SvgLabel(*layout.ideal, "roof-name");
  for (size_t i = 0; i < chart.lines.size(); ++i) {
    if (!layout.lines[i]) continue;
    const Series& line = chart.lines[i];
    const size_t last = *LastOf(line);
    const Place& place = layout.lines[i]->place;
    const std::string part = PartAttribute(line.part);
    out +=
        fmt::format("<path class=\"leader\" fill=\"none\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"{}/>\n",
                    plot.X(last) + 5, plot.Y(*line.values[last]), place.x - 2,
                    place.y - 0.325 * LetterSize(plot.frame()), part);
    out += SvgLabel(*layout.lines[i], "dot-name", part);
  }
  return out;
}

}  // namespace

PlotFrame SeriesFrame(double width) {
  const bool narrow = width < kNarrowChart;
  return {width,
          narrow ? 0.62 * width + 60 : 340,
          narrow ? 44.0 : 70.0,
          narrow ? 120.0 : 220.0,
          narrow ? 24.0 : 30.0,
          narrow ? 44.0 : 50.0};
}

SeriesLayout LayOut(const SeriesChart& chart, const PlotFrame& frame) {
  const Plot plot(chart, frame);
  const double letter = LetterSize(frame), beside = frame.PlotRight() + kBesideEnd;
  std::vector<EndName> names = {{std::nullopt, "ideal", plot.Y(chart.ideal.back())}};
  for (size_t i = 0; i < chart.lines.size(); ++i) {
    const Series& line = chart.lines[i];
    const std::optional<size_t> last = LastOf(line);
    if (!last || IsFaint(line)) continue;
    names.push_back({i, Printable(line.name), plot.Y(*line.values[*last])});
  }
  MoveApart(names, 1.3 * letter, frame.top + letter, frame.PlotBottom() - letter);
  LabelPlacer placer(frame, letter);
  SeriesLayout layout;
  layout.lines.resize(chart.lines.size());
  for (const EndName& name : names) {
    const std::string fit = Fitting(name.text, frame.width - 4 - beside, letter);
    const Place place = {beside, name.y + 0.325 * letter, Anchor::kStart, 0, true};
    auto& label = name.line ? layout.lines[*name.line] : layout.ideal;
    label = placer.Add({{fit, LettersWidth(fit, letter, true)}}, {place});
  }
  return layout;
}

Drawing DrawSeries(const SeriesChart& chart, double width) {
  const PlotFrame frame = SeriesFrame(width);
  const Plot plot(chart, frame);
  std::string faint, coloured;
  size_t faint_lines = 0;
  for (size_t i = chart.lines.size(); i-- > 0;) {
    const bool is_faint = IsFaint(chart.lines[i]);
    (is_faint ? faint : coloured) += Line(chart, chart.lines[i], plot);
    faint_lines += is_faint ? 1 : 0;
  }
  const std::string out = fmt::format(
      "<g class=\"chart{}{}\">{}{}{}{}", frame.narrow() ? " narrow" : "",
      faint_lines > kCrowd ? " crowd" : "", Axes(chart, plot), faint, Ideal(chart, plot), coloured);
  return {out + Names(chart, LayOut(chart, frame), plot) + "</g>\n", frame.height};
}

}  // namespace roofmark
