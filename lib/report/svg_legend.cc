// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/svg_legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lib/report/chart_layout.h"
#include "lib/report/found_words.h"
#include "lib/report/letters.h"
#include "lib/report/svg_chart.h"
#include "lib/report/svg_moves.h"
#include "lib/report/svg_shapes.h"

namespace roofmark {
namespace {

constexpr std::string_view kBeyondLook = "beyond";  // of an item

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

std::vector<PlacedItem> PlaceLegend(const std::vector<LegendItem>& items, const PlotFrame& frame) {
  const double letter = LetterSize(frame), row = letter + 4;
  double x = frame.left, y = frame.PlotBottom() + 3 * letter + 21;
  std::vector<PlacedItem> placed;
  for (const LegendItem& item : items) {
    const double width = 12 + LettersWidth(item.text, letter) + 12;
    if (x > frame.left && x + width > frame.width) {
      x = frame.left;
      y += row;
    }
    placed.push_back({item, x, y});
    x += width;
  }
  return placed;
}

PlotFrame WithRoomFor(const std::vector<LegendItem>& items, PlotFrame frame) {
  constexpr double kBelow = 8, kLeastPlot = 60;
  const std::vector<PlacedItem> legend = PlaceLegend(items, frame);
  const double axis = 2 * LetterSize(frame) + 13;
  const double needs = (legend.empty() ? axis : legend.back().y - frame.PlotBottom()) + kBelow;
  frame.height = frame.keeps_height ? std::max(frame.height, frame.top + kLeastPlot + needs)
                                    : frame.height - frame.bottom + needs;
  frame.bottom = needs;
  return frame;
}

// Regions of which no name stands in the plot, those that take most time first.
std::vector<size_t> WithoutNames(const Chart& chart, const PlotFrame& frame) {
  const ChartLayout layout = LayOut(chart, LogPlot(frame, chart.Range()));
  std::set<size_t> named;
  for (size_t i = 0; i < chart.dots.size(); ++i) {
    const auto& label = layout.dots[i];
    if (label && label->text.starts_with(chart.dots[i].listed)) named.insert(chart.dots[i].region);
  }
  std::vector<size_t> dots;
  for (const size_t i : ByShare(chart.dots)) {
    const ChartDot& dot = chart.dots[i];
    if (!dot.listed.empty() && named.insert(dot.region).second) dots.push_back(i);
  }
  return dots;
}

}  // namespace

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

// Names in the legend may take room from the plot, in which other names then have none: until all
// that have none are in the legend.
FittedLegend FitLegend(const Chart& chart, const PlotFrame& frame) {
  FittedLegend fitted = {LegendOf(chart), frame};
  fitted.frame = WithRoomFor(fitted.items, frame);
  std::set<size_t> listed;
  bool grows = chart.lists_names;
  while (grows) {
    grows = false;
    for (const size_t i : WithoutNames(chart, fitted.frame)) {
      const ChartDot& dot = chart.dots[i];
      if (listed.size() == kMostNames || !listed.insert(dot.region).second) continue;
      fitted.items.push_back({DotLook(dot), dot.listed});
      grows = true;
    }
    fitted.frame = WithRoomFor(fitted.items, frame);
  }
  return fitted;
}

std::string SvgLegend(const std::vector<LegendItem>& items, const PlotFrame& frame) {
  std::string out;
  for (const auto& [item, x, y] : PlaceLegend(items, frame)) {
    out += LegendMark(item, x + 2, y - 0.35 * LetterSize(frame)) +
           SvgText(x + 12, y, "tick", item.text);
  }
  return out;
}

}  // namespace roofmark
